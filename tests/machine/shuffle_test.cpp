// Instructions that move data between lanes: SFPSHFT2 (VU C36), SFPTRANSP (C59); and SFPSHFT beside
// it.
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Shuffle : public OnBothChips {
 protected:
  /// LReg[i] lane l = i << 8 | l.
  void SetUp() override {
    for (unsigned reg = 0; reg < 8; ++reg) rig.set_lreg(reg, pattern(reg));
  }
  static Lanes pattern(unsigned reg) {
    return by_lane([&](unsigned lane) { return reg << 8 | lane; });
  }
  /// Rotated right by one lane within each row: lane 0 gets what lane 7 had.
  static Lanes rotated(const Lanes& lanes) {
    return by_lane([&](unsigned lane) { return lanes[lane % 8 == 0 ? lane + 7 : lane - 1]; });
  }
};
LANEWISE_ON_BOTH_CHIPS(Shuffle);
class ShuffleOnBlackhole : public OnBlackhole {};
class ShuffleOnWormhole : public OnWormhole {};

TEST_P(Shuffle, Copy4) { // mode 0, whatever VD is
  for (unsigned vd : {0U, 3U, 7U, 8U}) {
    SetUp();
    rig.run_clean(fmt::format("SFPSHFT2 0, L5, L{}, COPY4", vd));
    for (unsigned reg = 0; reg < 3; ++reg) EXPECT_EQ(rig.lreg(reg), pattern(reg + 1));
    EXPECT_EQ(rig.lreg(3), all(0));
    EXPECT_EQ(rig.lreg(7), pattern(7)) << "VD is not written";
  }
}

TEST_P(Shuffle, ChainedCopy4) { // mode 1: LReg[3] lane l = old LReg[0] lane l + 8
  rig.run_clean("SFPSHFT2 0, L5, L7, SUBVEC_CHAINED_COPY4");
  for (unsigned reg = 0; reg < 3; ++reg) EXPECT_EQ(rig.lreg(reg), pattern(reg + 1));
  EXPECT_EQ(rig.lreg(3), by_lane([](unsigned lane) { return lane < 24 ? lane + 8 : 0; }));
}

TEST_P(Shuffle, RotateAndCopy4) { // mode 2: VC is read before any register is written
  for (unsigned vc = 0; vc < 8; ++vc) {
    SetUp();
    rig.run_clean(fmt::format("SFPSHFT2 0, L{}, L7, SUBVEC_SHFLROR1_AND_COPY4", vc));
    for (unsigned reg = 0; reg < 3; ++reg) EXPECT_EQ(rig.lreg(reg), pattern(reg + 1)) << vc;
    EXPECT_EQ(rig.lreg(3), rotated(pattern(vc))) << vc;
  }
}

TEST_P(Shuffle, Rotate) { // mode 3
  rig.run_clean("SFPSHFT2 0, L2, L6, SUBVEC_SHFLROR1\nSFPSHFT2 0, L3, L3, SUBVEC_SHFLROR1");
  EXPECT_EQ(rig.lreg(6), rotated(pattern(2)));
  EXPECT_EQ(rig.lreg(3), rotated(pattern(3))) << "in place";
  EXPECT_EQ(rig.lreg(2), pattern(2));
}

TEST_P(Shuffle, SourcesAreReadFromDisabledLanes) { // VU C36
  rig.predicate(kFlagsA);
  rig.run_clean("SFPSHFT2 0, L2, L6, SUBVEC_SHFLROR1");
  EXPECT_EQ(rig.lreg(6), blend(kFlagsA, rotated(pattern(2)), pattern(6)));
  rig.run_clean("SFPSHFT2 0, L9, L7, SUBVEC_CHAINED_COPY4");
  EXPECT_EQ(
      rig.lreg(3),
      blend(kFlagsA, by_lane([](unsigned lane) { return lane < 24 ? lane + 8 : 0; }), pattern(3)));
  EXPECT_EQ(rig.lreg(0), blend(kFlagsA, pattern(1), pattern(0)));
}

TEST_F(ShuffleOnBlackhole, ShiftFillsWithZero) { // mode 4
  rig.set_lreg(1, by_lane([](unsigned lane) { return 100 + lane; }));
  rig.run_clean("SFPSHFT2 0, L1, L2, SUBVEC_SHFLROR1\nSFPSHFT2 0, L1, L3, SUBVEC_SHFLSHR1");
  EXPECT_EQ(rig.lreg(3), by_lane([](unsigned lane) { return lane % 8 == 0 ? 0 : 99 + lane; }));
}

TEST_F(ShuffleOnWormhole,
       ShiftFillsFromAHiddenLatch) { // mode 4: lane l gets what lane l + 7 of the latch had
  const Lanes latched = by_lane([](unsigned lane) { return 500 + lane; });
  const auto shifted = [&](const Lanes& latch) {
    return by_lane([&](unsigned lane) { return lane % 8 == 0 ? latch[lane + 7] : 99 + lane; });
  };
  rig.set_lreg(1, by_lane([](unsigned lane) { return 100 + lane; }));
  rig.set_lreg(2, latched);
  const auto shift = [&] {
    const auto faults = rig.run("SFPSHFT2 0, L1, L4, SUBVEC_SHFLSHR1");
    EXPECT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults.at(0).kind, FaultKind::NonContractual);
    return rig.lreg(4);
  };
  EXPECT_EQ(shift(), shifted(all(0))) << "nothing latched yet";
  rig.run_clean("SFPSHFT2 0, L2, L5, SUBVEC_SHFLROR1");
  EXPECT_EQ(shift(), shifted(latched));
  EXPECT_EQ(shift(), shifted(latched)) << "mode 4 does not load the latch";
  rig.run_clean("SFPSHFT2 0, L9, L9, SUBVEC_SHFLROR1");
  EXPECT_EQ(shift(), shifted(all(0))) << "the documented way to zero it";
  rig.predicate(0);
  rig.run_clean("SFPSHFT2 0, L2, L8, SUBVEC_SHFLROR1");
  rig.predicate(kAllLanes);
  EXPECT_EQ(shift(), shifted(latched)) << "disabled lanes, VD 8..11";
  rig.run_clean("SFPSHFT2 0, L10, L8, SUBVEC_SHFLROR1_AND_COPY4");
  rig.set_lreg(1, by_lane([](unsigned lane) { return 100 + lane; }));
  EXPECT_EQ(shift(), shifted(all(0x3F800000))) << "mode 2 loads it too";
}

TEST_P(Shuffle, ShiftByRegister) { // mode 5: VB = Imm12[3:0], the count is VC
  rig.set_lreg(1, 0x80000010);
  rig.set_lreg(2, by_lane([](unsigned lane) { return lane - 16; }));
  rig.run_clean("SFPSHFT2 1, L2, L3, SHFT_LREG");
  EXPECT_EQ(rig.lreg(3), by_lane([](unsigned lane) {
              return lane >= 16 ? 0x80000010U << (lane - 16) : 0x80000010U >> (16 - lane);
            }));
}

TEST_P(Shuffle,
       ShiftByImmediateAlsoNamesTheRegister) { // mode 6: VB = Imm12 & 15 and the count is Imm12
  rig.set_lreg(5, 0x00010000);
  rig.run_clean("SFPSHFT2 5, L9, L0, SHFT_IMM"); // L5 << 5
  EXPECT_EQ(rig.lreg(0), all(0x00200000));
  rig.run_clean("SFPSHFT2 -11, L9, L0, SHFT_IMM"); // -11 & 15 = 5: L5 >> 11
  EXPECT_EQ(rig.lreg(0), all(0x00000020));
  rig.run_clean("SFPSHFT2 -27, L9, L0, SHFT_IMM"); // -27 & 15 = 5: L5 >> 27
  EXPECT_EQ(rig.lreg(0), all(0));
  rig.run_clean("SFPSHFT2 10, L9, L0, SHFT_IMM"); // 1.0 << 10
  EXPECT_EQ(rig.lreg(0), all(0x3F800000U << 10));
}

TEST_P(Shuffle, ModesAbove6AreUndefined) { // VU C36
  for (unsigned mode = 7; mode < 16; ++mode) {
    const auto faults = rig.run(fmt::format("SFPSHFT2 1, L2, L3, {}", mode));
    ASSERT_EQ(faults.size(), 1U) << mode;
    EXPECT_EQ(faults[0].kind, FaultKind::UndefinedBehavior);
    EXPECT_EQ(rig.lreg(3), pattern(3)) << "left out";
  }
}

TEST_P(Shuffle, Transpose) { // VU C59: LReg[i] lane 8j + c <-> LReg[j] lane 8i + c, in both halves
  rig.run_clean("SFPTRANSP");
  for (unsigned reg = 0; reg < 8; ++reg) {
    EXPECT_EQ(rig.lreg(reg), by_lane([&](unsigned lane) {
                const unsigned row = lane / 8, column = lane % 8;
                return ((reg & 4) + row) << 8 | (8 * (reg & 3) + column);
              }))
        << reg;
  }
}

TEST_P(Shuffle, TransposeWritesEnabledLanesOnly) { // VU C59
  rig.predicate(kRow0 | kFlagsA);
  rig.run_clean("SFPTRANSP");
  EXPECT_EQ(
      rig.lreg(1),
      blend(kRow0 | kFlagsA, by_lane([](unsigned lane) { return lane / 8 << 8 | (8 + lane % 8); }),
            pattern(1)));
}

TEST_P(Shuffle, TransposeTwiceIsNothing) {
  rig.run_clean("SFPTRANSP\nSFPTRANSP VD=L11");
  for (unsigned reg = 0; reg < 8; ++reg) EXPECT_EQ(rig.lreg(reg), pattern(reg));
}

// ---------------------------------------------------------------- SFPSHFT (VU C36)

TEST_P(Shuffle, ShftModes) {
  constexpr std::uint32_t kVd = 0x80000100U;
  for (unsigned mode = 0; mode < 16; ++mode) {
    for (int count : {-3, 4}) {
      rig.set_lreg(1, static_cast<std::uint32_t>(count)); // VC, the count of the register form
      rig.set_lreg(2, kVd);
      rig.run(fmt::format("SFPSHFT {}, L1, L2, {}", count, mode));
      const bool blackhole = GetParam() == Arch::Blackhole;
      const bool shifts_vc = blackhole && (mode & 5) == 5;  // USE_VC only together with ARG_IMM
      const bool arithmetic = blackhole && (mode & 2) != 0; // Wormhole uses Mod1[0] only
      const std::uint32_t x = shifts_vc ? static_cast<std::uint32_t>(count) : kVd;
      std::uint32_t expected = x << 4;
      if (count < 0) expected = arithmetic ? x >> 3 | (x >> 31 != 0 ? 0xE0000000U : 0) : x >> 3;
      EXPECT_EQ(rig.lreg(2), all(expected)) << mode << ' ' << count;
    }
  }
}

} // namespace
} // namespace lanewise::test
