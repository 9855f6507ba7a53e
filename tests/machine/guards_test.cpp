// What VD allows: guards (VU C14), indirect registers (C15), lane enables and who ignores them
// (C6).
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Guards : public OnBothChips {
 protected:
  /// Runs an instruction that must leave every LReg as it is.
  void expect_no_write(const std::string& instruction) {
    std::array<Lanes, kLRegs> before;
    for (unsigned reg = 0; reg < kLRegs; ++reg) before[reg] = rig.lreg(reg);
    rig.run(instruction);
    for (unsigned reg = 0; reg < kLRegs; ++reg)
      EXPECT_EQ(rig.lreg(reg), before[reg]) << instruction << " L" << reg;
  }
};
LANEWISE_ON_BOTH_CHIPS(Guards);
class GuardsOnBlackhole : public OnBlackhole {};

TEST_P(Guards, ResultGatedInstructionsToConstantsLeaveFlags) { // VU C14
  for (unsigned vd = 8; vd < 12; ++vd) {
    for (const char* form :
         {"SFPIADD -1, L9, L{}, ARG_IMM", "SFPLZ L10, L{}, CC_NE0", "SFPLZ L10, L{}, CC_COMP",
          "SFPEXEXP L9, L{}, SET_CC_SGN_EXP", "SFPEXEXP L9, L{}, SET_CC_COMP_EXP"}) {
      const std::string instruction = fmt::format(fmt::runtime(form), vd);
      rig.vector().use_flags = 0;
      rig.vector().flags = kFlagsA;
      expect_no_write(instruction);
      EXPECT_EQ(rig.vector().flags, kFlagsA) << instruction;
    }
  }
}

TEST_P(Guards, RandomNumbersAreDrawnForConstantsToo) { // VU C14, C45
  for (unsigned vd = 8; vd < 12; ++vd) {
    for (const char* form : {"SFPMOV L9, L{}, FROM_SPECIAL", "SFPCAST L1, L{}, 1"}) {
      rig.set_prng(0);
      expect_no_write(fmt::format(fmt::runtime(form), vd));
      EXPECT_EQ(rig.prng(), all(0x80000000U)) << form << ' ' << vd;
    }
    for (unsigned mode = 0; mode < 8; ++mode) {
      rig.set_prng(0);
      expect_no_write(fmt::format("SFPSTOCHRND 0, 0, L1, L1, L{}, {}", vd, mode));
      EXPECT_EQ(rig.prng(), all(0x80000000U)) << mode << ' ' << vd;
    }
  }
}

TEST_P(Guards, SetccToConstantsStillSetsFlags) { // VU C14
  for (unsigned vd = 8; vd < 12; ++vd) {
    rig.predicate(kAllLanes);
    rig.run_clean(fmt::format("SFPSETCC VC=L10, VD=L{}, Mod1=LREG_EQ0", vd));
    EXPECT_EQ(rig.vector().flags, 0U);
  }
}

TEST_F(GuardsOnBlackhole, ComparisonsWithConstantsStillSetFlags) { // VU C14: VD is compared
  rig.set_lreg(1, by_lane([](unsigned lane) { return lane % 2 == 0 ? 0x3F000000U : 0x40000000U; }));
  rig.run_clean("SFPGT L1, L10, SET_CC|SET_VD"); // 1.0 > 0.5
  EXPECT_EQ(rig.vector().flags, 0x55555555U);
  EXPECT_EQ(rig.lreg(10), all(0x3F800000)) << "SET_VD is dropped";
  rig.run_clean("SFPLE L1, L11, SET_CC"); // -1.0 <= both
  EXPECT_EQ(rig.vector().flags, kAllLanes);
}

TEST_F(GuardsOnBlackhole, CastModesHaveTwoGuards) { // VU C14, C35
  rig.set_prng(0);
  for (unsigned mode : {0U, 2U, 3U}) {
    rig.run_clean(fmt::format("SFPCAST L10, L8, {}", mode));
    EXPECT_EQ(rig.lreg(8), all(0x3F56594B));
  }
  EXPECT_EQ(rig.prng(), all(0)) << "only mode 1 draws";
}

TEST_P(Guards, WritesToConstantsAreDroppedSilently) { // VU C15
  rig.set_lreg(1, 0x12345678);
  for (unsigned vd = 8; vd < 12; ++vd) {
    for (const char* form : {"SFPLOADI L{}, USHORT, 7", "SFPLOAD L{}, INT32, 0, 0",
                             "SFPMOV L1, L{}, 0",       "SFPMOV L1, L{}, 2",
                             "SFPABS L1, L{}, 0",       "SFPNOT L1, L{}",
                             "SFPXOR L1, L{}",          "SFPDIVP2 3, L1, L{}, 0",
                             "SFPEXMAN L1, L{}, 0",     "SFPSETEXP 3, L1, L{}, 1",
                             "SFPSETMAN 3, L1, L{}, 1", "SFPSETSGN 1, L1, L{}, 1",
                             "SFPSHFT 3, L1, L{}, 1",   "SFPMAD L1, L10, L9, L{}, 0",
                             "SFPADDI 0x3F80, L{}, 0",  "SFPMULI 0x4000, L{}, 0",
                             "SFPLUT L{}, 0",           "SFPLUTFP32 L{}, 0",
                             "SFPCAST L1, L{}, 0",      "SFPSHFT2 0, L1, L{}, 3",
                             "SFPSHFT2 0, L1, L{}, 4",  "SFPSHFT2 0x100, L1, L{}, 5",
                             "SFPSHFT2 1, L1, L{}, 6"}) {
      expect_no_write(fmt::format(fmt::runtime(form), vd));
    }
  }
}

TEST_P(Guards, Shuffles0To2WriteTheirRegistersWhateverVdIs) { // VU C36
  for (unsigned mode = 0; mode < 3; ++mode) {
    for (unsigned reg = 0; reg < 4; ++reg) rig.set_lreg(reg, reg + 1);
    rig.run_clean(fmt::format("SFPSHFT2 0, L9, L8, {}", mode));
    EXPECT_EQ(rig.lreg(0), all(2)) << mode;
    EXPECT_EQ(rig.lreg(2), all(4)) << mode;
  }
}

// ---------------------------------------------------------------- Indirect registers (VU C15)

constexpr std::uint32_t kNoise = 0xABCDEF50U; ///< only the low 4 bits of LReg[7] are the index

class Indirect : public OnBothChips {
 protected:
  /// LReg[7] names register lane % 16 in each lane.
  void SetUp() override {
    for (unsigned reg = 0; reg < 7; ++reg) rig.set_lreg(reg, 0x40000000U + (reg << 16));
    rig.set_lreg(7, by_lane([](unsigned lane) { return kNoise | lane % 16; }));
  }

  /// Runs an instruction whose result is `value` in each lane, to the register that LReg[7] names.
  void expect_scatter(const std::string& instruction, std::uint32_t value) {
    std::array<Lanes, kLRegs> expected;
    for (unsigned reg = 0; reg < kLRegs; ++reg) expected[reg] = rig.lreg(reg);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (lane % 16 < 8) expected[lane % 16][lane] = value; // a name above 7 is no destination
    }
    rig.run(instruction);
    for (unsigned reg = 0; reg < kLRegs; ++reg)
      EXPECT_EQ(rig.lreg(reg), expected[reg]) << instruction << " L" << reg;
    SetUp();
  }
};
LANEWISE_ON_BOTH_CHIPS(Indirect);

TEST_P(Indirect, DestinationOfEveryInstructionThatHasIt) {
  expect_scatter("SFPMAD L10, L10, L10, L0, INDIRECT_VD", 0x40000000); // 1 * 1 + 1
  expect_scatter("SFPADD L10, L10, L10, L0, INDIRECT_VD", 0x40000000);
  expect_scatter("SFPMUL L10, L10, L9, L0, INDIRECT_VD", 0x3F800000);
  // The source stays the encoded VD: L2 = 2 + 2 * 2^-6 * ... = 40020000 = 2.03125.
  expect_scatter("SFPADDI 0x3F80, L2, INDIRECT_VD", 0x40420000);
  expect_scatter("SFPMULI 0x4000, L2, INDIRECT_VD", 0x40820000);
}

TEST_P(Indirect, DestinationOfLookUps) {
  const Lanes ones = all(0x3F800000);
  rig.set_lreg(3, 0x3F000000); // piece 0; LReg[0] = 40000000
  // SFPLUT: slope and intercept are both code 00 = 1.0: 0.5 + 1.
  std::array<Lanes, kLRegs> before;
  for (unsigned reg = 0; reg < kLRegs; ++reg) before[reg] = rig.lreg(reg);
  rig.run_clean("SFPLUT L0, INDIRECT_VD");
  EXPECT_EQ(rig.lreg(5)[5], 0x3FC00000U);
  EXPECT_EQ(rig.lreg(5)[21], 0x3FC00000U);
  EXPECT_EQ(rig.lreg(5)[4], before[5][4]);
  EXPECT_EQ(rig.lreg(11), all(0xBF800000));
  EXPECT_EQ(rig.lreg(10), ones);
}

TEST_P(Indirect, AnyVdWillDo) { // VU C14: VD 8..11 merely suppresses a direct write
  expect_scatter("SFPMUL L10, L10, L9, L8, INDIRECT_VD", 0x3F800000);
}

TEST_P(Indirect, OnlyEnabledLanes) {
  rig.predicate(kRow2);
  rig.run_clean("SFPMUL L10, L10, L9, L0, INDIRECT_VD");
  EXPECT_EQ(rig.lreg(3)[19], 0x3F800000U);
  EXPECT_EQ(rig.lreg(3)[3], 0x40030000U);
}

TEST_P(Indirect, SourceMayBeAConstant) {
  rig.run_clean("SFPMAD L0, L10, L9, L6, INDIRECT_VA");
  const auto source = [&](unsigned lane) -> std::uint32_t {
    const unsigned reg = lane % 16;
    if (reg < 7) return 0x40000000U + (reg << 16);
    if (reg == 7) return kNoise | 7; // a normal number
    constexpr std::uint32_t kConstants[] = {0x3F56594B, 0,          0x3F800000,
                                            0xBF800000, 0x3B000000, 0xBF2CC4C7,
                                            0xBEB08FF9, 0 /* 2 * lane is a denormal */};
    return kConstants[reg - 8];
  };
  EXPECT_EQ(rig.lreg(6), by_lane(source));
}

TEST_P(Indirect, SourceAndDestinationTogether) {
  rig.run_clean("SFPMAD L0, L10, L10, L0, INDIRECT_VA|INDIRECT_VD"); // L[i] + 1
  EXPECT_EQ(rig.lreg(2)[2], 0x40420000U);
  EXPECT_EQ(rig.lreg(2)[18], 0x40420000U);
  EXPECT_EQ(rig.lreg(2)[3], 0x40020000U);
}

// ---------------------------------------------------------------- Lane enables

class LaneEnables : public OnBothChips {};
LANEWISE_ON_BOTH_CHIPS(LaneEnables);

TEST_P(LaneEnables, RowMaskSwitchesRowsOfItsColumnOff) { // VU C39, seed 000, 4.2
  rig.vector().set_lane_config(
      {0b0001U << 12, 0b0010U << 12, 0b0100U << 12, 0b1000U << 12, 0, 0, 0, 0b1111U << 12});
  rig.run_clean("SFPLOADI L0, USHORT, 7");
  EXPECT_EQ(rig.lreg(0), by_lane([](unsigned lane) {
              const unsigned row = lane / 8, column = lane % 8;
              return column == row || column == 7 ? 0 : 7;
            }));
}

TEST_P(LaneEnables, RowMaskGoesBeforeFlags) { // seed 000, 4.2
  rig.predicate(kRow0 | kRow1);
  rig.set_lane_config(0b0010U << 12);
  rig.run_clean("SFPLOADI L0, USHORT, 7");
  EXPECT_EQ(rig.lreg(0), blend(kRow0, 7, 0));
}

TEST_P(LaneEnables, EveryWriterRespectsThem) { // VU C6 lists the only exceptions
  for (bool masked : {false, true}) {
    for (const char* instruction : {"SFPLOADI L2, USHORT, 7",
                                    "SFPLOAD L2, INT32, 0, 0",
                                    "SFPMOV L1, L2, 0",
                                    "SFPMOV L15, L2, FROM_SPECIAL",
                                    "SFPABS L1, L2, 0",
                                    "SFPNOT L1, L2",
                                    "SFPAND VC=L1, VD=L2",
                                    "SFPOR VC=L1, VD=L2",
                                    "SFPXOR L1, L2",
                                    "SFPDIVP2 3, L1, L2, 0",
                                    "SFPEXEXP L1, L2, 0",
                                    "SFPEXMAN L1, L2, 0",
                                    "SFPIADD 3, L1, L2, 5",
                                    "SFPLZ L1, L2, 0",
                                    "SFPSETEXP 3, L1, L2, 1",
                                    "SFPSETMAN 3, L1, L2, 1",
                                    "SFPSETSGN 1, L1, L2, 1",
                                    "SFPSHFT 3, L1, L2, 1",
                                    "SFPMAD L1, L10, L9, L2, 0",
                                    "SFPADDI 0x3F80, L2, 0",
                                    "SFPMULI 0x4000, L2, 0",
                                    "SFPLUT L2, 0",
                                    "SFPLUTFP32 L2, 0",
                                    "SFPCAST L1, L2, 0",
                                    "SFPSHFT2 0, L1, L2, 0",
                                    "SFPSHFT2 0, L1, L2, 2",
                                    "SFPSHFT2 0, L1, L2, 3",
                                    "SFPSHFT2 1, L1, L2, 6",
                                    "SFPSTOCHRND 0, 0, L1, L1, L2, 0",
                                    "SFPSWAP L1, L2, 0",
                                    "SFPTRANSP"}) {
      Rig fresh(GetParam());
      for (unsigned reg = 0; reg < 8; ++reg)
        fresh.set_lreg(reg, by_lane([&](unsigned lane) { return 0xC1234567U * (lane + 1) + reg; }));
      std::fill_n(&fresh.state().dst.cell[0][0], 1024, std::uint16_t{0x1357});
      const Lanes before = fresh.lreg(2);
      if (masked) {
        fresh.set_lane_config(0b1010U << 12);
      } else {
        fresh.predicate(kRow0 | kRow2);
      }
      fresh.run_clean(instruction);
      const Lanes after = fresh.lreg(2);
      EXPECT_EQ(blend(kRow1 | kRow3, after, all(0)), blend(kRow1 | kRow3, before, all(0)))
          << instruction;
      EXPECT_NE(blend(kRow0 | kRow2, after, all(0)), blend(kRow0 | kRow2, before, all(0)))
          << instruction;
    }
  }
}

TEST_P(LaneEnables, MoveOfAllLanesIgnoresThem) { // VU C6, C30: Mod1 exactly 2, or 6
  rig.set_lreg(1, 5);
  for (unsigned mode = 0; mode < 8; ++mode) {
    rig.set_lreg(2, 0);
    rig.predicate(kRow1);
    rig.set_lane_config(0b0001U << 12);
    rig.run(fmt::format("SFPMOV L1, L2, {}", mode));
    const std::uint32_t value = (mode & 1) != 0 ? 0x80000005U : 5;
    EXPECT_EQ(rig.lreg(2), (mode & 3) == 2 ? all(5) : blend(kRow1, value, 0)) << mode;
  }
}

TEST_P(LaneEnables, LoadAndStoreOfInt32AllIgnoreThem) { // VU C6
  rig.predicate(0);
  rig.set_lane_config(0xFU << 12);
  rig.set_lreg(0, by_lane([](unsigned lane) { return 0x01010101U * lane; }));
  rig.run_clean("SFPSTORE L0, INT32_ALL, 3, 0\nSFPLOAD L1, INT32_ALL, 3, 0");
  EXPECT_EQ(rig.lreg(1), rig.lreg(0));
  rig.run_clean("SFPLOAD L2, INT32, 3, 0");
  EXPECT_EQ(rig.lreg(2), all(0)) << "the plain mode does not";
}

} // namespace
} // namespace lanewise::test
