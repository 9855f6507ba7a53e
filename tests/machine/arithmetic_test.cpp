// MAD sub-unit and look-ups through the machine: modifiers, tables and what each chip lacks.
#include <bit>
#include <cmath>

#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

class Mad : public OnBothChips {
 protected:
  bool blackhole() const { return GetParam() == Arch::Blackhole; }
};
LANEWISE_ON_BOTH_CHIPS(Mad);
class MadOnBlackhole : public OnBlackhole {};

TEST_P(Mad, NegateBits) { // VU 3.1: on Blackhole only; Wormhole ignores them (VU 3.2, Q11)
  rig.set_lreg(0, bits(2));
  rig.set_lreg(1, bits(3));
  rig.set_lreg(2, bits(10));
  for (unsigned mode = 0; mode < 4; ++mode) {
    const auto faults = rig.run(fmt::format("SFPMAD L0, L1, L2, L3, {}", mode));
    const float product = blackhole() && (mode & 1) != 0 ? -6.0F : 6.0F;
    const float addend = blackhole() && (mode & 2) != 0 ? -10.0F : 10.0F;
    EXPECT_EQ(rig.lreg(3), all(bits(product + addend))) << mode;
    EXPECT_EQ(faults.size(), blackhole() || mode == 0 ? 0U : 1U) << mode;
  }
}

TEST_P(Mad, AddiAndMuli) { // VU 3.1: the immediate is a BF16; VD is source and destination
  for (unsigned mode = 0; mode < 4; ++mode) {
    const bool negated = blackhole() && (mode & 2) != 0; // NEGATE_VC is the only negation
    rig.set_lreg(0, bits(3));
    rig.run(fmt::format("SFPADDI 0x3FC0, L0, {}", mode));
    EXPECT_EQ(rig.lreg(0), all(bits(negated ? -1.5F : 4.5F))) << mode;
    rig.set_lreg(0, bits(3));
    rig.run(fmt::format("SFPMULI 0x3FC0, L0, {}", mode));
    EXPECT_EQ(rig.lreg(0), all(bits(negated ? -4.5F : 4.5F))) << mode;
  }
}

TEST_P(Mad, MuliTurnsMinusZeroIntoZero) { // VU C41
  rig.set_lreg(0, 0x80000000);
  rig.run_clean("SFPMULI 0x3F80, L0, 0");
  EXPECT_EQ(rig.lreg(0), all(0));
  rig.set_lreg(0, 0x80800000); // -2^-126 * 0.5: flushed after the add
  rig.run_clean("SFPMULI 0x3F00, L0, 0");
  EXPECT_EQ(rig.lreg(0), all(blackhole() ? 0x80000000U : 0U));
}

TEST_F(MadOnBlackhole, MulKeepsMinusZeroWithNegatedZero) { // seed 000, 3.3
  rig.set_lreg(0, 0x80000000);
  rig.run_clean("SFPMUL L0, L10, L9, L1, NEGATE_VC");
  EXPECT_EQ(rig.lreg(1), all(0x80000000));
}

TEST_P(Mad, SpecialLanesAmongOrdinaryOnes) { // one lane's overflow must not touch the others
  for (unsigned special = 0; special < kLanes; ++special) {
    rig.set_lreg(
        0, by_lane([&](unsigned lane) { return lane == special ? 0x7F800000U : bits(1.5F); }));
    rig.run_clean("SFPMAD L0, L10, L10, L1, 0");
    EXPECT_EQ(rig.lreg(1),
              by_lane([&](unsigned lane) { return lane == special ? 0x7F800000U : bits(2.5F); }));
  }
}

// ---------------------------------------------------------------- SFPLUT, SFPLUTFP32 (VU 3.6, C44)

/// 16-bit table format of an ordinary number.
std::uint32_t half(float value) {
  const std::uint32_t b = bits(value);
  return (b >> 16 & 0x8000) | ((b >> 23 & 0xFF) - 112) << 10 | (b >> 13 & 0x3FF);
}

class Lut : public OnBothChips {
 protected:
  static constexpr std::array<float, 16> kInputs{0, 0.25F, 0.5F,  0.75F, 1,    1.25F, 1.5F, 1.75F,
                                                 2, 2.5F,  2.75F, 3,     3.5F, 4,     5,    0.375F};
  static constexpr std::array<float, 6> kSlopes{1, 2, -3, 4, 0.5F, -0.25F};
  static constexpr std::array<float, 6> kIntercepts{0.5F, -1, 8, 16, -32, 64};

  static float input(unsigned lane) { return lane < 16 ? kInputs[lane] : -kInputs[lane - 16]; }

  /// Piece of |x| among cuts 1 and 2.
  static unsigned piece_of_3(float x) { return std::fabs(x) < 1 ? 0 : std::fabs(x) < 2 ? 1 : 2; }
  /// Piece among cuts 0.5, 1, 1.5, 2 and `last`.
  static unsigned piece_of_6(float x, float last) {
    const float m = std::fabs(x);
    return m < 0.5F ? 0 : m < 1 ? 1 : m < 1.5F ? 2 : m < 2 ? 3 : m < last ? 4 : 5;
  }
  /// slope * |x| + intercept: exact for these numbers.
  static std::uint32_t line(unsigned piece, float x, bool keeps_sign) {
    const float y = kSlopes[piece] * std::fabs(x) + kIntercepts[piece];
    return bits(keeps_sign ? std::copysign(y, x) : y);
  }

  void SetUp() override {
    rig.set_lreg(3, by_lane([](unsigned lane) { return bits(input(lane)); }));
  }
};
LANEWISE_ON_BOTH_CHIPS(Lut);

TEST_P(Lut, Fp32Entries) { // Mod1[1] = 0, whatever Mod1[0]
  for (unsigned mode : {0U, 1U, 4U, 5U, 8U, 13U}) {
    for (unsigned i = 0; i < 3; ++i) {
      rig.set_lreg(i, bits(kSlopes[i]));
      rig.set_lreg(4 + i, bits(kIntercepts[i]));
    }
    rig.set_lreg(7, 6); // destination of the indirect forms
    rig.run_clean(fmt::format("SFPLUTFP32 L7, {}", mode));
    EXPECT_EQ(rig.lreg((mode & 8) != 0 ? 6 : 7), by_lane([&](unsigned lane) {
                return line(piece_of_3(input(lane)), input(lane), (mode & 4) != 0);
              }))
        << mode;
  }
}

TEST_P(Lut, SixFp16Entries) { // modes 2, 3, 6, 7: low halves first
  for (unsigned mode : {2U, 3U, 6U, 7U}) {
    for (unsigned i = 0; i < 3; ++i) {
      rig.set_lreg(i, half(kSlopes[2 * i]) | half(kSlopes[2 * i + 1]) << 16);
      rig.set_lreg(4 + i, half(kIntercepts[2 * i]) | half(kIntercepts[2 * i + 1]) << 16);
    }
    rig.run_clean(fmt::format("SFPLUTFP32 L7, {}", mode));
    const float last = (mode & 1) != 0 ? 4 : 3;
    EXPECT_EQ(rig.lreg(7), by_lane([&](unsigned lane) {
                return line(piece_of_6(input(lane), last), input(lane), (mode & 4) != 0);
              }))
        << mode;
  }
}

TEST_P(Lut, ThreePackedEntriesAlwaysHaveAnIndirectDestination) { // modes 10, 11, 14, 15
  for (unsigned mode : {10U, 11U, 14U, 15U}) {
    for (unsigned i = 0; i < 3; ++i) rig.set_lreg(i, half(kSlopes[i]) << 16 | half(kIntercepts[i]));
    rig.set_lreg(4, 0);
    rig.set_lreg(5, 0);
    rig.set_lreg(7, by_lane([](unsigned lane) { return lane % 2 == 0 ? 0x14 : 0x09; }));
    rig.run_clean(fmt::format("SFPLUTFP32 L5, {}", mode));
    EXPECT_EQ(rig.lreg(4), by_lane([&](unsigned lane) {
                return lane % 2 == 0 ? line(piece_of_3(input(lane)), input(lane), (mode & 4) != 0)
                                     : 0;
              }))
        << mode;
    EXPECT_EQ(rig.lreg(5), all(0)) << "the encoded VD is not written";
  }
}

TEST_P(Lut, NanIsInTheLastPiece) { // VU C44: magnitudes are compared as integers
  for (unsigned i = 0; i < 3; ++i) {
    rig.set_lreg(i, i == 2 ? bits(0) : bits(1));
    rig.set_lreg(4 + i, bits(1));
  }
  rig.set_lreg(3, 0x7F800000); // Inf * 0: NaN, and only the last slope is 0
  rig.run_clean("SFPLUTFP32 L7, 0");
  EXPECT_EQ(rig.lreg(7)[0] & 0x7FFFFFFF, GetParam() == Arch::Blackhole ? 0x7FC00000U : 0x7F800001U);
}

TEST_P(Lut, Exponent31IsZero) { // VU 3.6: the multiply-add takes the denormal for zero
  for (unsigned i = 0; i < 3; ++i) {
    rig.set_lreg(i, 0x7FFF7FFF);
    rig.set_lreg(4 + i, half(2) << 16 | half(2));
  }
  rig.run_clean("SFPLUTFP32 L7, FP16_6ENTRY_TABLE1");
  EXPECT_EQ(rig.lreg(7), all(bits(2)));
}

TEST_P(Lut, EightBitEntries) { // SFPLUT: slope in [15:8], intercept in [7:0]
  rig.set_lreg(0, 0xABCD0080); // 1.0 and -1.0
  rig.set_lreg(1, 0x000098FF); // -(1 + 8/16) / 2 = -0.75 and +0
  rig.set_lreg(2, 0x0000FF10); // +0 and 0.5
  for (unsigned mode : {0U, 4U, 3U, 7U}) {
    rig.run_clean(fmt::format("SFPLUT L7, {}", mode));
    EXPECT_EQ(rig.lreg(7), by_lane([&](unsigned lane) {
                const float x = input(lane), m = std::fabs(x);
                const float y = m < 1 ? m - 1 : m < 2 ? -0.75F * m : 0.5F;
                return bits((mode & 4) != 0 ? std::copysign(y, x) : y);
              }))
        << mode;
  }
  rig.set_lreg(7, 0x25);
  rig.run_clean("SFPLUT L6, INDIRECT_VD");
  EXPECT_EQ(rig.lreg(5)[8], bits(0.5F));
  EXPECT_EQ(rig.lreg(6), all(0));
}

// ---------------------------------------------------------------- SFPMUL24, SFPARECIP (Blackhole)

TEST_F(MadOnBlackhole, Mul24Halves) { // VU 3.7
  rig.set_lreg(0, 0xFF812345);        // only the low 23 bits count
  rig.set_lreg(1, 0x00765432);
  constexpr std::uint64_t kProduct = std::uint64_t{0x012345} * 0x765432;
  rig.run_clean("SFPMUL24 L0, L1, L9, L2, LOWER\nSFPMUL24 L0, L1, L9, L3, UPPER");
  EXPECT_EQ(rig.lreg(2), all(kProduct & 0x7FFFFF));
  EXPECT_EQ(rig.lreg(3), all(static_cast<std::uint32_t>(kProduct >> 23)));
}

TEST_F(MadOnBlackhole,
       Mul24AddendIsReportedByValue) { // VU 3.7: the test is on the value, not the index
  rig.set_lreg(0, 3);
  rig.run_clean("SFPMUL24 L0, L0, L0, L2, LOWER");
  EXPECT_EQ(rig.lreg(2), all(9)) << "3 is a denormal";
  rig.set_lreg(1, by_lane([](unsigned lane) { return lane < 5 ? 0x80000000U : 0x3B000000U; }));
  const auto faults = rig.run("SFPMUL24 L0, L0, L1, L2, LOWER");
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults[0].kind, FaultKind::NonContractual);
  EXPECT_EQ(faults[0].lane, 5);
  EXPECT_EQ(rig.lreg(2), by_lane([](unsigned lane) { return lane < 5 ? 9 : 9 + 0x8000; }))
      << "2^-9 adds 2^15";
}

TEST_F(MadOnBlackhole, ArecipModes) { // VU 3.9, C46
  rig.set_lreg(
      0, by_lane([](unsigned lane) { return lane % 2 == 0 ? 0xBF800000U : 0x3F800000U; })); // +-1
  rig.set_lreg(1, by_lane([](unsigned lane) { return lane < 16 ? 0x80000000U : 0U; })); // -0, +0
  const std::uint32_t even = 0x55555555U, low = kRow0 | kRow1;
  rig.run_clean("SFPARECIP L1, L0, L2, RECIP");
  EXPECT_EQ(rig.lreg(2), blend(even, 0xBF7F0000, 0x3F7F0000)) << "the sign is pasted back";
  rig.run_clean("SFPARECIP L1, L0, L2, COND_RECIP");
  EXPECT_EQ(rig.lreg(2), blend(low, all(0x3F7F0000), rig.lreg(0)))
      << "-0 counts; positive; others copy VC";
  for (unsigned mode = 2; mode < 16; ++mode) { // any mode above 1 is EXP
    rig.run_clean(fmt::format("SFPARECIP L1, L0, L2, {}", mode));
    EXPECT_EQ(rig.lreg(2), blend(even, 0xC02D0000, 0x402D0000))
        << mode << ": e^|x| with the sign of x";
  }
}

TEST_F(MadOnBlackhole, AndOrWithVb) { // seed 000, 3.16
  rig.set_lreg(0, 0xF0F0F0F0);
  rig.set_lreg(1, 0xFF00FF00);
  rig.set_lreg(2, 0x0000FFFF);
  rig.run_clean("SFPAND L0, L1, L2, USE_VB");
  EXPECT_EQ(rig.lreg(2), all(0xF000F000));
  rig.set_lreg(2, 0x0000FFFF);
  rig.run_clean("SFPAND L0, L1, L2, 0");
  EXPECT_EQ(rig.lreg(2), all(0x0000FF00));
  rig.run_clean("SFPOR L0, L1, L2, USE_VB");
  EXPECT_EQ(rig.lreg(2), all(0xFFF0FFF0));
}

TEST(MadOnWormhole, AndOrIgnoreTheModifier) { // VU section 2: Mod1 and VB are ignored
  Rig rig(Arch::Wormhole);
  rig.set_lreg(1, 0xFF00FF00);
  rig.set_lreg(2, 0x0000FFFF);
  rig.run_clean(".word 0x7E000121"); // SFPAND with Mod1 = 1, VB = 0
  EXPECT_EQ(rig.lreg(2), all(0x0000FF00));
}

// ---------------------------------------------------------------- Fields of a float

TEST_P(Mad, ExponentArithmeticWraps) { // VU C28
  rig.set_lreg(0, by_lane([](unsigned lane) {
                 return lane == 0 ? 0U : lane == 1 ? 0xFF800000U : 0x80C00000U;
               }));
  rig.run_clean("SFPDIVP2 -1, L0, L1, ADD");
  EXPECT_EQ(rig.lreg(1)[0], 0x7F800000U) << "0.0 - 1 step wraps to exponent 255";
  EXPECT_EQ(rig.lreg(1)[1], 0xFF800000U) << "infinities stay";
  EXPECT_EQ(rig.lreg(1)[2], 0x80400000U);
  rig.run_clean("SFPDIVP2 5, L0, L1, ADD");
  EXPECT_EQ(rig.lreg(1)[0], 0x02800000U) << "zero becomes a power of two";
  rig.run_clean("SFPDIVP2 5, L0, L1, 0");
  EXPECT_EQ(rig.lreg(1)[1], 0x82800000U) << "replaced";
  rig.run_clean("SFPDIVP2 -128, L0, L1, 0");
  EXPECT_EQ(rig.lreg(1)[0], 0x40000000U) << "the low 8 bits alone, and the sign stays";
}

TEST_P(Mad, SetFields) { // seed 000, 3.18, 3.19, 3.26; VU C31
  rig.set_lreg(0, 0xC0555555);
  const auto with_vd = [&](std::string_view instruction) {
    rig.set_lreg(1, 0x3F9ABC42);
    rig.run_clean(instruction);
    return rig.lreg(1)[0];
  };
  EXPECT_EQ(with_vd("SFPSETEXP 0xFF, L0, L1, 0"), 0xA1555555U) << "low 8 bits of VD = 42";
  EXPECT_EQ(with_vd("SFPSETEXP 0x81, L0, L1, ARG_IMM"), 0xC0D55555U);
  EXPECT_EQ(with_vd("SFPSETEXP 0, L0, L1, ARG_EXPONENT"), 0xBFD55555U)
      << "exponent field of VD = 7F";
  EXPECT_EQ(with_vd("SFPSETEXP 0x81, L0, L1, 3"), 0xC0D55555U) << "the immediate wins";
  EXPECT_EQ(with_vd("SFPSETSGN 0, L0, L1, 0"), 0x40555555U);
  EXPECT_EQ(with_vd("SFPSETSGN 1, L0, L1, ARG_IMM"), 0xC0555555U);
  EXPECT_EQ(with_vd("SFPSETSGN 0, L0, L1, ARG_IMM"), 0x40555555U);
  EXPECT_EQ(with_vd("SFPSETMAN 0, L0, L1, 0"), 0xC01ABC42U);
  EXPECT_EQ(with_vd("SFPSETMAN 0xABC, L0, L1, ARG_IMM"), 0xC0000000U | 0xABC << 11);
  EXPECT_EQ(with_vd("SFPEXMAN L0, L1, PAD8"), 0x00D55555U);
  EXPECT_EQ(with_vd("SFPEXMAN L0, L1, PAD9"), 0x00555555U);
}

} // namespace
} // namespace lanewise::test
