// Template writes, the "back-door load" of macro templates (VU C13).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

constexpr std::uint32_t kClosed = lane_config::kDisableBackdoorLoad;

class TemplateWrite : public OnBothChips {
 protected:
  std::array<std::uint32_t, kColumns> written(unsigned index) {
    return rig.vector().macro.instruction_template[index];
  }
  static std::array<std::uint32_t, kColumns> columns(std::uint32_t first_four,
                                                     std::uint32_t last_four) {
    return {first_four, first_four, first_four, first_four,
            last_four,  last_four,  last_four,  last_four};
  }
  /// DISABLE_BACKDOOR_LOAD in columns 0..3, written as a program does: SFPCONFIG with a lane mask.
  void close_first_four_columns() {
    rig.run_clean(R"(
      SFPLOADI L0, USHORT, 2
      SFPCONFIG 0x0055, 15, IMM16_IS_LANE_MASK
      SFPLOADI L0, USHORT, 0
    )");
  }
  static constexpr std::uint32_t kFirstFour = 0x0F0F0F0FU; ///< lanes of columns 0..3
};
LANEWISE_ON_BOTH_CHIPS(TemplateWrite);
class TemplateWriteOnWormhole : public OnWormhole {};

TEST_P(TemplateWrite, SwallowsEveryOpcodeButTwo) {
  for (const isa::Row& row : isa::rows()) {
    if (row.unit != isa::Unit::Vector || !includes(row.chips, GetParam())) continue;
    if (row.op == isa::Op::SFPCONFIG || row.op == isa::Op::SFPLOADMACRO) continue;
    for (std::uint32_t vd = 12; vd < 16; ++vd) {
      const std::uint32_t word = std::uint32_t{row.opcode} << 24 | row.field("VD")->insert(vd);
      Rig fresh(GetParam());
      fresh.predicate(kFlagsA);
      fresh.set_lreg(1, 5);
      fresh.run(fmt::format(".word {:#x}", word));
      SCOPED_TRACE(fmt::format("{:08X}", word));
      std::array<std::uint32_t, kColumns> expected{};
      expected.fill(word);
      EXPECT_EQ(fresh.vector().macro.instruction_template[vd - 12], expected);
      // Not executed: nothing else has moved.
      EXPECT_EQ(fresh.vector().flags, kFlagsA);
      EXPECT_EQ(fresh.vector().use_flags, kAllLanes);
      EXPECT_EQ(fresh.vector().stack.empty_lanes(), kAllLanes);
      EXPECT_EQ(fresh.prng(), all(0));
      EXPECT_EQ(fresh.lreg(0), all(0));
      EXPECT_EQ(fresh.lreg(1), all(5));
      EXPECT_EQ(fresh.rwc(), Rwc{});
    }
  }
}

TEST_P(TemplateWrite, IsNotGatedByLaneEnables) { // VU Q4, assumption
  rig.predicate(0);
  rig.set_lane_config(0xFU << 12);
  rig.run_clean("SFPABS L0, L13, 0");
  EXPECT_EQ(written(1), columns(0x7D0000D0, 0x7D0000D0));
}

TEST_P(TemplateWrite, ConfigExecutesForEveryDestination) {
  rig.set_lreg(0, 0x40490FDB);
  rig.run_clean("SFPCONFIG 0, 12, 0");
  EXPECT_EQ(rig.lreg(12), all(0x40490FDB));
  EXPECT_EQ(written(0), columns(0, 0));
}

TEST_P(TemplateWrite, ClosedBackdoorExecutesTemplateGatedInstructions) { // VU C14
  rig.set_lane_config(kClosed);
  rig.run_clean("SFPENCC Imm2=3, VD=L12, Mod1=EI_RI");
  EXPECT_EQ(rig.vector().use_flags, kAllLanes);
  rig.run_clean("SFPSETCC VC=L10, VD=L15, Mod1=LREG_EQ0");
  EXPECT_EQ(rig.vector().flags, 0U);
  rig.run_clean("SFPPUSHC VD=L13");
  EXPECT_EQ(rig.vector().stack.depth(31), 1U);
  rig.predicate(kAllLanes);
  rig.run_clean("SFPMOV L9, L14, FROM_SPECIAL");
  EXPECT_EQ(rig.prng(), all(0x80000000U));
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(written(i), columns(0, 0));
}

TEST_P(TemplateWrite, ClosedBackdoorStillDropsRegisterWrites) { // VU C15
  rig.set_lane_config(kClosed);
  rig.run_clean(
      "SFPMOV L10, L12, 0\nSFPMAD L10, L10, L10, L13, 0\nSFPLOADI L14, USHORT, 7\nSFPABS L10, L15, "
      "0");
  EXPECT_EQ(rig.lreg(12), all(0x3B000000));
  EXPECT_EQ(rig.lreg(13), all(0xBF2CC4C7));
  EXPECT_EQ(rig.lreg(14), all(0xBEB08FF9));
  EXPECT_EQ(rig.lreg(15), by_lane([](unsigned lane) { return 2 * lane; }));
}

TEST_P(TemplateWrite, StoreOfProgrammableConstantsNeedsAClosedBackdoor) { // VU C22
  rig.run_clean("SFPSTORE L12, INT32, 3, 0");
  EXPECT_EQ(rig.state().dst.load_32(0, 0), 0U);
  rig.set_lane_config(kClosed);
  rig.run_clean("SFPSTORE L12, INT32, 3, 0\nSFPLOAD L0, INT32, 3, 0");
  EXPECT_EQ(rig.lreg(0), all(0x3B000000));
}

TEST_P(TemplateWrite, StoreOfFixedConstantsAlwaysWorks) { // VU C22
  rig.run_clean("SFPSTORE L8, INT32, 3, 0\nSFPLOAD L0, INT32, 3, 0");
  EXPECT_EQ(rig.lreg(0), all(0x3F56594B));
}

TEST_P(TemplateWrite, MixedColumnsSplitAnInstruction) {
  close_first_four_columns();
  rig.run_clean("SFPENCC Imm2=3, VD=L12, Mod1=EI_RI");
  EXPECT_EQ(rig.vector().use_flags, kFirstFour);
  EXPECT_EQ(rig.vector().flags, kFirstFour);
  EXPECT_EQ(written(0), columns(0, 0x8A0030CA));
  rig.run_clean("SFPMOV L9, L13, FROM_SPECIAL");
  EXPECT_EQ(rig.prng(), blend(kFirstFour, 0x80000000U, 0));
  EXPECT_EQ(written(1), columns(0, 0x7C0009D8));
}

TEST_P(TemplateWrite, MixedColumnsLeaveStacksAtDifferentDepths) {
  close_first_four_columns();
  rig.predicate(kFlagsA);
  rig.run_clean("SFPPUSHC VD=L12\nSFPPUSHC VD=L0");
  EXPECT_EQ(rig.vector().stack.depth(3), 2U);
  EXPECT_EQ(rig.vector().stack.depth(4), 1U);
  rig.vector().flags = 0;
  EXPECT_TRUE(rig.run("SFPPOPC VD=L0").empty());
  EXPECT_EQ(rig.vector().flags, kFlagsA);
  const auto faults = rig.run("SFPPOPC VD=L0");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
  EXPECT_EQ(faults[0].lane, 4) << "the first lane whose stack is empty";
}

TEST_P(TemplateWrite, MixedColumnsOfAllLaneInstructions) { // the exceptions of VU C6 are split too
  close_first_four_columns();
  rig.set_lreg(1, 5);
  rig.predicate(0);
  rig.run_clean("SFPSTORE L12, INT32_ALL, 3, 0");
  rig.run_clean("SFPLOAD L2, INT32_ALL, 3, 0");
  EXPECT_EQ(rig.lreg(2), blend(kFirstFour, 0x3B000000, 0));
  rig.predicate(kAllLanes);
  rig.run_clean("SFPCOMPC VD=L13");
  EXPECT_EQ(rig.vector().flags, ~kFirstFour);
  rig.run_clean("SFPPOPC VD=L13, Mod1=INVERT");
  EXPECT_EQ(rig.vector().flags, kAllLanes);
}

TEST_F(TemplateWriteOnWormhole,
       MixedColumnsLoadTheShuffleLatchWhereTheyExecute) { // VU C36: "passes its guard"
  rig.set_lreg(1, 0x11);
  rig.set_lreg(2, 0x22);
  rig.run_clean("SFPSHFT2 0, L1, L8, SUBVEC_SHFLROR1"); // the latch is 11 everywhere
  rig.set_lane_config_of(0x0F, kClosed);
  rig.run_clean("SFPSHFT2 0, L2, L12, SUBVEC_SHFLROR1"); // a template write in columns 4..7
  rig.run("SFPSHFT2 0, L9, L3, SUBVEC_SHFLSHR1");
  EXPECT_EQ(rig.lreg(3)[0], 0x11U) << "lane 0 receives the latch of column 7";
  rig.set_lane_config_of(0x80, kClosed);
  rig.run_clean("SFPSHFT2 0, L2, L12, SUBVEC_SHFLROR1");
  rig.run("SFPSHFT2 0, L9, L3, SUBVEC_SHFLSHR1");
  EXPECT_EQ(rig.lreg(3)[0], 0x22U);
}

} // namespace
} // namespace lanewise::test
