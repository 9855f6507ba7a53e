// The state of a tile by names: what one instruction changes is called what it is called, and
// nothing else is.
#include "chip/tile/state_fields.h"

#include <gtest/gtest.h>

#include <set>

#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

using tile::FieldChange;
using tile::StateKind;

class StateFields : public TileOnBothChips {
 protected:
  /// "name: before -> after" of what instructions of a thread change.
  std::vector<std::string> changes_of(unsigned thread, std::string_view text) {
    const auto before = tile::state_fields(rig.state());
    rig.run(thread, text);
    std::vector<std::string> lines;
    for (const FieldChange& each : tile::field_changes(before, tile::state_fields(rig.state())))
      lines.push_back(fmt::format("{}: {:x} -> {:x}", each.name, each.before, each.after));
    return lines;
  }
};

using Lines = std::vector<std::string>;

TEST_P(StateFields, NamesAreUniqueAndAlwaysTheSame) {
  const auto fields = tile::state_fields(rig.state());
  std::set<std::string> names;
  for (const auto& field : fields) EXPECT_TRUE(names.insert(field.name).second) << field.name;
  rig.run(1, "SETRWC Dst=1, DstVal=5");
  const auto later = tile::state_fields(rig.state());
  ASSERT_EQ(later.size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) EXPECT_EQ(later[i].name, fields[i].name);
}

TEST_P(StateFields, NothingChangesNothing) {
  EXPECT_EQ(changes_of(1, "NOP"), Lines());
}

TEST_P(StateFields, SharedConfigurationBelongsToTheBankOfTheThread) {
  // Bit 29 of word 1 (MU 2.1): bit 5 of its third byte.
  EXPECT_EQ(changes_of(1, "RMWCIB3 Index4=1, Mask=0x20, NewValue=0x20"),
            Lines{"ALU_ACC_CTRL_Fp32_enabled: 0 -> 1"});
  rig.set("CFG_STATE_ID_StateID", 1, 1);
  EXPECT_EQ(changes_of(1, "RMWCIB3 Index4=1, Mask=0x20, NewValue=0x20"),
            Lines{"ALU_ACC_CTRL_Fp32_enabled, bank 1: 0 -> 1"});
}

TEST_P(StateFields, DescriptorsOfTilesHaveParts) { // core.md 12.8
  const auto field = isa::find_config_field(GetParam(), "THCON_SEC1_REG0_TileDescriptor");
  const unsigned word = isa::config_place(*field).word_of(GetParam());
  const auto before = tile::state_fields(rig.state());
  rig.machine().config.write_bank(0, word, 0x01000015, ~0U);
  rig.machine().config.write_bank(0, word + 1, 0x00040001, ~0U);
  std::vector<std::string> lines;
  for (const FieldChange& each : tile::field_changes(before, tile::state_fields(rig.state())))
    lines.push_back(fmt::format("{}: {} -> {}", each.name, each.before, each.after));
  EXPECT_EQ(lines, (Lines{"THCON_SEC1_REG0_TileDescriptor.InDataFormat: 0 -> 5",
                          "THCON_SEC1_REG0_TileDescriptor.IsUncompressed: 0 -> 1",
                          "THCON_SEC1_REG0_TileDescriptor.XDim: 0 -> 256",
                          "THCON_SEC1_REG0_TileDescriptor.YDim: 0 -> 1",
                          "THCON_SEC1_REG0_TileDescriptor.ZDim: 0 -> 4"}));
}

TEST_P(StateFields, ThreadWordsHaveTheirThread) {
  EXPECT_EQ(changes_of(2, "SETC16 CfgIndex=1, NewValue=0x200"),
            Lines{"T2 DEST_TARGET_REG_CFG_MATH_Offset: 0 -> 200"});
}

TEST_P(StateFields, AddrModSectionsHaveFields) {
  const unsigned word = arch_params(GetParam()).config.addr_mod_dst_word + 3U;
  // MU 3.2: bits 9:0 increment, 13 .. fidelity increment.
  EXPECT_EQ(changes_of(1, fmt::format("SETC16 CfgIndex={}, NewValue=0x2008", word)),
            (Lines{"T1 ADDR_MOD 3 dest.incr: 0 -> 8", "T1 ADDR_MOD 3 fidelity.incr: 0 -> 1"}));
}

TEST_P(StateFields, CountersOfThreadsAndUnits) {
  EXPECT_EQ(changes_of(1, "SETRWC Dst=1, DstVal=5"),
            (Lines{"T1 RWC Dst: 0 -> 5", "T1 RWC Dst_Cr: 0 -> 5"}));
  EXPECT_EQ(changes_of(0, "SETADCXX U1=1, X0Val=0, X1Val=255"),
            (Lines{"T0 ADC unpacker 1, channel 1 X_Cr: 0 -> ff",
                   "T0 ADC unpacker 1, channel 1 X: 0 -> ff"}));
}

TEST_P(StateFields, ScalarRegistersAndReplay) {
  EXPECT_EQ(
      changes_of(
          2,
          "SETDMAREG PayloadSigSelSize=0, PayloadSigSel=0x1234, SetSignalsMode=0, ResultHalfReg=9"),
      Lines{"T2 GPR 4: 0 -> 12340000"});
  rig.run(1, "REPLAY 2, 1, 0, 1");
  EXPECT_EQ(changes_of(1, "NOP"), Lines{"T1 replay 2: 0 -> 2000000"});
}

TEST_P(StateFields, MopConfiguration) {
  const auto before = tile::state_fields(rig.state());
  rig.tile.configure_mop(2, 5, 0x02000000, 0);
  const auto changes = tile::field_changes(before, tile::state_fields(rig.state()));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].name, "T2 MopCfg 5");
  EXPECT_TRUE(changes[0].is_word);
  EXPECT_EQ(changes[0].kind, StateKind::Mop);
}

TEST_P(StateFields, SemaphoresAndBanks) {
  EXPECT_EQ(changes_of(1, "SEMINIT NewMax=2, NewValue=1, SemaphoreMask=2"),
            (Lines{"semaphore 1: 0 -> 1", "semaphore 1 max: 0 -> 2"}));
}

INSTANTIATE_TEST_SUITE_P(Chips, StateFields, ::testing::ValuesIn(kArchs));

} // namespace
} // namespace lanewise::test
