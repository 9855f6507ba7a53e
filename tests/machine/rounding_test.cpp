// SFPSTOCHRND and SFPCAST through the machine: rounding modes, where the shift comes from, the PRNG
// (VU 3.5, C45).
#include "chip/semantics/prng.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Rounding : public OnBothChips {
 protected:
  bool blackhole() const { return GetParam() == Arch::Blackhole; }
  static std::uint32_t word(unsigned rounding, unsigned imm5, unsigned vb,
                            unsigned mod1) { // VC = L0, VD = L1
    return 0x8E000010U | rounding << 21 | imm5 << 16 | vb << 12 | mod1;
  }
  std::uint32_t convert(std::uint32_t value, std::uint32_t instruction) {
    rig.set_lreg(0, value);
    rig.run(fmt::format(".word {:#x}", instruction));
    return rig.lreg(1)[0];
  }
};
LANEWISE_ON_BOTH_CHIPS(Rounding);
class CastOnBlackhole : public OnBlackhole {};
class CastOnWormhole : public OnWormhole {};

TEST_P(Rounding,
       Modes) { // nearest 400000, zero 7FFFFF (Blackhole), stochastic PRNG[22:0]; 3 = stochastic
  rig.set_prng(0x00000000);
  EXPECT_EQ(convert(0x3F808000, word(0, 0, 0, 1)), 0x3F810000U) << "nearest";
  rig.set_prng(0);
  EXPECT_EQ(convert(0x3F800000, word(1, 0, 0, 1)), 0x3F810000U) << "stochastic, threshold 0";
  rig.set_prng(0x007FFFFF);
  EXPECT_EQ(convert(0x3F80FFFE, word(1, 0, 0, 1)), 0x3F800000U) << "stochastic, threshold 7FFFFF";
  rig.set_prng(0xFF800000);
  EXPECT_EQ(convert(0x3F800000, word(1, 0, 0, 1)), 0x3F810000U) << "only 23 bits of the PRNG count";
  rig.set_prng(0);
  // Toward zero; Wormhole has only the stochastic bit (VU Q12), so this is nearest there.
  EXPECT_EQ(convert(0x3F808000, word(2, 0, 0, 1)), blackhole() ? 0x3F800000U : 0x3F810000U);
  rig.set_prng(0);
  EXPECT_EQ(convert(0x3F800000, word(3, 0, 0, 1)), 0x3F810000U) << "3 is stochastic on both";
}

TEST_P(Rounding, EveryModeDrawsOncePerEnabledLane) { // VU C45
  for (unsigned rounding = 0; rounding < 4; ++rounding) {
    for (unsigned mode = 0; mode < 16; ++mode) {
      rig.set_prng(0);
      rig.predicate(kFlagsA);
      rig.run(fmt::format(".word {:#x}", word(rounding, 0, 0, mode)));
      EXPECT_EQ(rig.prng(), blend(kFlagsA, 0x80000000, 0)) << rounding << ' ' << mode;
    }
  }
}

TEST_P(Rounding, ShiftComesFromVbOrImmediate) { // VU 3.5 C: Imm5 if Mod1[3], else VB & 31
  rig.set_lreg(2, 0xFFFFFFE3);                  // & 31 = 3
  EXPECT_EQ(convert(80, word(0, 1, 2, 4)), 10U);
  EXPECT_EQ(convert(80, word(0, 1, 2, 12)), 40U);
  EXPECT_EQ(convert(0x80000050, word(0, 1, 2, 5)), 0x8000000AU);
  EXPECT_EQ(convert(0x80000050, word(0, 1, 2, 13)), 0x80000028U);
}

TEST_P(Rounding, UseImm5IsIgnoredElsewhere) { // VU C45, section 6: NonContractual
  for (unsigned mode : {0U, 1U, 2U, 3U, 6U, 7U}) {
    const std::uint32_t plain = convert(0x42F6E979, word(0, 31, 3, mode));
    EXPECT_EQ(convert(0x42F6E979, word(0, 31, 3, mode | 8)), plain) << mode;
    const auto faults = rig.run(fmt::format(".word {:#x}", word(0, 31, 3, mode | 8)));
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
  }
}

TEST_P(Rounding, IntegerBounds) { // VU 3.5 B: 2 -> 255, 3 -> +-127, 6 -> 65535, 7 -> +-32767
  EXPECT_EQ(convert(0xC7C35000, word(0, 0, 0, 2)), 255U) << "-100000";
  EXPECT_EQ(convert(0xC7C35000, word(0, 0, 0, 3)), 0x8000007FU);
  EXPECT_EQ(convert(0xC7C35000, word(0, 0, 0, 6)), 65535U);
  EXPECT_EQ(convert(0xC7C35000, word(0, 0, 0, 7)), 0x80007FFFU);
}

TEST_F(CastOnBlackhole, FourModes) { // VU C35: Mod1[1:0]; higher bits are ignored
  rig.set_lreg(0, 0x80000005);
  rig.set_prng(~0U);
  const std::uint32_t expected[] = {0xC0A00000, 0xC0A00000, 0x7FFFFFFB, 0xFFFFFFFB};
  for (unsigned mode = 0; mode < 16; ++mode) {
    const auto faults = rig.run(fmt::format("SFPCAST L0, L1, {}", mode));
    EXPECT_EQ(rig.lreg(1), all(expected[mode & 3])) << mode;
    EXPECT_EQ(faults.size(), mode > 3 ? 1U : 0U) << mode;
  }
}

TEST_F(CastOnWormhole, TwoModes) { // VU C35: Mod1[0]
  rig.set_lreg(0, 0x80000005);
  for (unsigned mode = 0; mode < 16; ++mode) {
    const auto faults = rig.run(fmt::format("SFPCAST L0, L1, {}", mode));
    EXPECT_EQ(rig.lreg(1), all(0xC0A00000)) << mode;
    EXPECT_EQ(faults.size(), mode > 1 ? 1U : 0U) << mode;
  }
}

TEST_P(Rounding, StochasticCastDrawsInEnabledLanes) { // VU 3.5: PRNG steps only in mode 1
  rig.set_lreg(0, 0x40000001);
  rig.set_prng(0);
  rig.predicate(kRow0);
  rig.run_clean("SFPCAST L0, L1, 0");
  EXPECT_EQ(rig.prng(), all(0));
  EXPECT_EQ(rig.lreg(1), blend(kRow0, 0x4E800000, 0));
  rig.run_clean("SFPCAST L0, L1, 1");
  EXPECT_EQ(rig.prng(), blend(kRow0, 0x80000000, 0));
  EXPECT_EQ(rig.lreg(1), blend(kRow0, 0x4E800001, 0)) << "N[7:1] = 1 > 0";
}

TEST_P(Rounding, SeedingReachesAllLanes) { // VU 3.8
  rig.configure("PRNG_SEED_Seed_Val", 0);
  EXPECT_EQ(rig.prng()[31], 0x02233355U);
  EXPECT_EQ(rig.prng()[0], 0xC5CF309EU);
}

} // namespace
} // namespace lanewise::test
