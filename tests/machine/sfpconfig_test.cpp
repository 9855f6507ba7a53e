// SFPCONFIG (VU C37..C39), and SFPMOV's special sources, which read back what it wrote (VU C30).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Sfpconfig : public OnBothChips {
 protected:
  /// LReg[0] differs in every lane; only lanes 0..7 may count.
  void SetUp() override {
    rig.set_lreg(0, by_lane([](unsigned lane) { return 0xA5C30000U + 0x111U * lane; }));
  }
  static std::uint32_t source(unsigned lane) { return 0xA5C30000U + 0x111U * (lane % 8); }

  /// What SFPMOV reads from a special source.
  Lanes special(unsigned index) {
    rig.run_clean(fmt::format("SFPMOV L{}, L1, FROM_SPECIAL", index));
    return rig.lreg(1);
  }
  void config(unsigned imm16, unsigned destination, unsigned mode) {
    rig.run(fmt::format("SFPCONFIG {:#x}, {}, {}", imm16, destination, mode));
  }
};
LANEWISE_ON_BOTH_CHIPS(Sfpconfig);

/// VU C38: Mod1[2:1].
std::uint32_t combined_value(unsigned mode, std::uint32_t old, std::uint32_t value) {
  switch (mode >> 1 & 3) {
    case 1: return old | value;
    case 2: return old & value;
    case 3: return old ^ value;
    default: return value;
  }
}

TEST_P(Sfpconfig, ConstantsComeFromTheFirstRow) { // VU C4, C37, seed 000, 1.2
  for (unsigned reg = 11; reg <= 14; ++reg) {
    config(0, reg, 0);
    EXPECT_EQ(rig.lreg(reg), by_lane(source)) << reg;
  }
}

TEST_P(Sfpconfig, ConstantsAreReplacedWhateverTheOperation) { // VU C38
  for (unsigned mode : {2U, 4U, 6U}) {
    rig.set_lreg(11, 0xFFFF0000);
    config(0, 11, mode);
    EXPECT_EQ(rig.lreg(11), by_lane(source)) << mode;
  }
}

TEST_P(Sfpconfig, ImmediateGivesConstantsTheirDefaults) { // VU C2, C38: Imm16 is ignored
  constexpr std::uint32_t kDefaults[] = {0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};
  for (unsigned reg = 11; reg <= 14; ++reg) {
    rig.set_lreg(reg, 5);
    config(0x1234, reg, 1);
    EXPECT_EQ(rig.lreg(reg), all(kDefaults[reg - 11]));
  }
}

TEST_P(Sfpconfig, TemplatesIgnoreTheImmediate) { // VU C38
  for (unsigned mode : {0U, 1U, 2U, 7U}) {
    for (unsigned i = 0; i < 4; ++i) {
      rig.vector().macro = {};
      config(0x1234, i, mode);
      EXPECT_EQ(special(i), by_lane(source)) << i << " mode " << mode;
    }
  }
}

TEST_P(Sfpconfig, SequencesZeroExtendTheImmediate) { // VU C38
  for (unsigned i = 4; i < 8; ++i) {
    config(0, i, 0);
    EXPECT_EQ(special(i), by_lane(source)) << i;
    config(0xFEDC, i, 1);
    EXPECT_EQ(special(i), all(0xFEDC)) << i;
    config(0x0123, i, 3);
    EXPECT_EQ(special(i), all(0x0123)) << "replaced, not OR-ed";
  }
}

TEST_P(Sfpconfig, MiscHasTwelveBitsAndOperations) { // VU C38
  for (unsigned mode = 0; mode < 8; ++mode) {
    rig.vector().macro.misc.fill(0x5A5);
    config(0xF3C3, 8, mode);
    const bool immediate = (mode & 1) != 0;
    EXPECT_EQ(special(8), by_lane([&](unsigned lane) {
                return combined_value(mode, 0x5A5, immediate ? 0xF3C3 : source(lane)) & 0xFFF;
              }))
        << mode;
  }
}

TEST_P(Sfpconfig, LaneConfigHasEighteenBitsAndOperations) { // VU C38
  constexpr std::uint32_t kOld = 0x20540; // no bit that keeps SFPMOV from reading it back
  for (unsigned mode = 0; mode < 8; ++mode) {
    const bool immediate = (mode & 1) != 0;
    rig.set_lane_config(kOld);
    rig.set_lreg(0, by_lane([](unsigned lane) { return 0xFFFD0300U + (lane % 8); }));
    config(0x0341, 15, mode);
    const auto expected = [&](unsigned lane) {
      const std::uint32_t value = immediate ? 0x0341 : 0xFFFD0300U + (lane % 8);
      const std::uint32_t result = combined_value(mode, kOld, value) & 0x3FFFF;
      return immediate ? result | 0x20000U : result; // [17:16] stay with an immediate
    };
    for (unsigned column = 0; column < kColumns; ++column) {
      EXPECT_EQ(rig.vector().lane_config[column], expected(column)) << mode << " column " << column;
    }
  }
}

TEST_P(Sfpconfig, ReservedTopBitsAreWrittenOnlyFromTheRegister) { // VU C38
  rig.set_lreg(0, 0x30000);
  config(0, 15, 0);
  EXPECT_EQ(special(15), all(0x30000));
  config(0, 15, 1);
  EXPECT_EQ(special(15), all(0x30000)) << "an immediate 0 keeps them";
  rig.set_lreg(0, 0);
  config(0, 15, 0);
  EXPECT_EQ(special(15), all(0));
}

TEST_P(Sfpconfig, Destinations9And10DoNothing) { // VU C38
  for (unsigned destination : {9U, 10U}) {
    const Lanes nine = rig.lreg(9), ten = rig.lreg(10);
    const auto faults = rig.run(fmt::format("SFPCONFIG 0x1234, {}, 1", destination));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
    EXPECT_EQ(rig.lreg(9), nine);
    EXPECT_EQ(rig.lreg(10), ten);
  }
}

TEST_P(Sfpconfig, LaneMaskIsEveryOtherBit) { // VU C37: !Imm16[2 * (l % 8)]
  for (unsigned column = 0; column < kColumns; ++column) {
    rig.set_lreg(13, 0);
    config(1U << (2 * column), 13, 8);
    EXPECT_EQ(rig.lreg(13),
              by_lane([&](unsigned lane) { return lane % 8 == column ? source(lane) : 0; }));
    rig.set_lreg(13, 0);
    config(2U << (2 * column), 13, 8);
    EXPECT_EQ(rig.lreg(13), all(0)) << "odd bits play no part";
  }
}

TEST_P(Sfpconfig, LaneMaskAndImmediateShareTheBits) { // VU C37, C38, section 6 warns
  config(0x0005, 7, 9);
  EXPECT_EQ(special(7), by_lane([](unsigned lane) { return lane % 8 < 2 ? 5 : 0; }));
}

TEST_P(Sfpconfig, FlagsOfTheFirstRowDecideForTheirColumn) { // VU C37
  rig.predicate(0xFFFFFF00U | 0x5A);
  rig.set_lreg(13, 0);
  config(0, 13, 0);
  EXPECT_EQ(rig.lreg(13), by_lane([](unsigned lane) {
              return (0x5A >> (lane % 8) & 1) != 0 ? source(lane) : 0;
            }));
  // Without UseLaneFlagsForLaneEnable in the first row, every column is on.
  rig.vector().use_flags = 0xFFFFFF00U;
  rig.vector().flags = 0;
  config(0, 13, 0);
  EXPECT_EQ(rig.lreg(13), by_lane(source));
}

TEST_P(Sfpconfig, RowMaskIsIrrelevant) { // VU C37
  rig.set_lane_config(0xFU << lane_config::kRowMaskShift);
  config(0, 13, 0);
  EXPECT_EQ(rig.lreg(13), by_lane(source));
}

TEST_P(Sfpconfig, SpecialSourcesWithoutMeaningAreZero) { // VU C30
  for (unsigned index = 10; index <= 14; ++index) {
    rig.set_lreg(1, 7);
    EXPECT_EQ(special(index), all(0)) << index;
  }
}

TEST_P(Sfpconfig, RandomNumberIsTheOldState) { // VU C30, 3.8: enabled lanes only
  rig.set_prng(0);
  rig.predicate(kRow1 | kRow2);
  rig.set_lreg(1, 7);
  rig.run_clean("SFPMOV L9, L1, FROM_SPECIAL");
  EXPECT_EQ(rig.lreg(1), blend(kRow1 | kRow2, 0, 7));
  rig.run_clean("SFPMOV L9, L1, FROM_SPECIAL");
  EXPECT_EQ(rig.lreg(1), blend(kRow1 | kRow2, 0x80000000, 7));
  EXPECT_EQ(rig.prng(), blend(kRow1 | kRow2, 0x40000000, 0));
}

TEST_P(Sfpconfig, SpecialSourcesAreNeitherNegatedNorForAllLanes) { // VU C30
  rig.set_lane_config(0x00100);
  for (unsigned mode = 8; mode < 16; ++mode) {
    rig.set_lreg(1, 7);
    rig.predicate(kRow0);
    rig.run(fmt::format("SFPMOV L15, L1, {}", mode));
    EXPECT_EQ(rig.lreg(1), blend(kRow0, 0x100, 7)) << mode;
  }
}

TEST_P(Sfpconfig, MoveNegatesTheSignBit) { // seed 000, 3.11; reserved bit 2 is dropped (VU C30)
  rig.set_lreg(2, 0x3F800000);
  for (unsigned mode : {1U, 3U, 5U, 7U}) {
    rig.run(fmt::format("SFPMOV L2, L1, {}", mode));
    EXPECT_EQ(rig.lreg(1), all(0xBF800000)) << mode;
  }
}

TEST(Reset, DocumentedValues) { // VU C1, C2, seed 000, 1.2
  for (Arch arch : kArchs) {
    Rig rig(arch);
    const std::uint32_t expected[] = {0,          0,          0,          0,          0,
                                      0,          0,          0,          0x3F56594B, 0,
                                      0x3F800000, 0xBF800000, 0x3B000000, 0xBF2CC4C7, 0xBEB08FF9};
    for (unsigned reg = 0; reg < 15; ++reg) EXPECT_EQ(rig.lreg(reg), all(expected[reg])) << reg;
    EXPECT_EQ(rig.lreg(15), by_lane([](unsigned lane) { return 2 * lane; }));
    EXPECT_EQ(rig.lreg(16), all(0));
    EXPECT_EQ(rig.vector().use_flags, 0U);
    EXPECT_EQ(rig.vector().stack.empty_lanes(), kAllLanes);
    for (std::uint32_t config : rig.vector().lane_config) EXPECT_EQ(config, 0U);
  }
}

TEST(Reset, BringsEverythingBack) {
  for (Arch arch : kArchs) {
    Rig rig(arch);
    rig.run(
        "SFPLOADI L0, USHORT, 7\nSFPCONFIG 0, 12, 0\nSFPPUSHC\nSFPENCC 3, VD=0, Mod1=10\n REPLAY "
        "0, 1, 0, 1\nSFPNOP");
    rig.machine().reset();
    EXPECT_EQ(rig.lreg(0), all(0));
    EXPECT_EQ(rig.lreg(12), all(0x3B000000));
    EXPECT_EQ(rig.vector().use_flags, 0U);
    EXPECT_EQ(rig.run("REPLAY 0, 1, 0, 0").size(), 1U) << "the replay buffer is empty";
  }
}

} // namespace
} // namespace lanewise::test
