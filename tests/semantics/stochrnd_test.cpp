// SFPSTOCHRND (VU 3.5, C45): documented facts, and 64-bit models of the three flavors.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "chip/semantics/convert.h"
#include "semantics/random_bits.h"

namespace lanewise::semantics {
namespace {

constexpr int kRandomBits = 1'000'000;

Lane model_a(Lane x, unsigned dropped_bits, Lane threshold) {
  const Lane e = exponent_field(x);
  if (e == 0) return 0;
  if (e == 255) return (x & kSign) | kInfinity;
  const Lane d = x % (Lane{1} << dropped_bits);
  return x - d + (d >= (threshold >> (23 - dropped_bits)) ? Lane{1} << dropped_bits : 0);
}

Lane bounded(std::uint64_t magnitude, Lane maximum, Lane sign) {
  const auto clamped = static_cast<Lane>(std::min<std::uint64_t>(magnitude, maximum));
  return clamped == 0 ? 0 : clamped | sign;
}

Lane model_b(Lane x, Lane threshold, Lane maximum, bool keep_sign) {
  const int e = static_cast<int>(exponent_field(x)) - 127;
  const Lane sign = keep_sign ? x & kSign : 0;
  if (e < -1) return 0;
  if (e >= 16) return maximum | sign;
  const std::uint64_t significant = (x & kMantissaMask) | kHiddenOne;
  const std::uint64_t g = e == -1 ? significant >> 1 : significant << e;
  return bounded((g >> 23) + ((g & 0x7FFFFF) >= threshold ? 1 : 0), maximum, sign);
}

Lane model_c(Lane x, unsigned shift, Lane threshold, Lane maximum, bool keep_sign) {
  const std::uint64_t g = (std::uint64_t{x & ~kSign} << 23) >> shift;
  return bounded((g >> 23) + ((g & 0x7FFFFF) >= threshold ? 1 : 0), maximum,
                 keep_sign ? x & kSign : 0);
}

TEST(RoundMantissa, NearestTiesAwayFromZero) { // VU 3.5 A
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F808000}, kRoundNearest), 0x3F810000U) << "tie";
  EXPECT_EQ(round_mantissa<16>(Lane{0xBF808000}, kRoundNearest), 0xBF810000U) << "away, not up";
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F818000}, kRoundNearest), 0x3F820000U);
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F807FFF}, kRoundNearest), 0x3F800000U);
  EXPECT_EQ(round_mantissa<13>(Lane{0x3F801000}, kRoundNearest), 0x3F802000U) << "tie";
  EXPECT_EQ(round_mantissa<13>(Lane{0x3F800FFF}, kRoundNearest), 0x3F800000U);
}

TEST(RoundMantissa, SpecialValues) { // VU 3.5 A, C45
  for (Lane zero : {0x00000000U, 0x80000000U, 0x00000001U, 0x807FFFFFU}) {
    EXPECT_EQ(round_mantissa<16>(zero, kRoundNearest), 0U) << "zeros and denormals become +0";
  }
  EXPECT_EQ(round_mantissa<16>(Lane{0x7FC00001}, kRoundNearest), 0x7F800000U);
  EXPECT_EQ(round_mantissa<13>(Lane{0xFF800001}, kRoundNearest), 0xFF800000U);
  EXPECT_EQ(round_mantissa<16>(Lane{0x7F7FFFFF}, kRoundNearest), 0x7F800000U)
      << "a carry may reach Inf";
}

TEST(RoundMantissa, TowardZeroIsNotTruncation) { // VU 3.5 A: away when all dropped bits are ones
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F80FFFE}, kRoundZero), 0x3F800000U);
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F80FFFF}, kRoundZero), 0x3F810000U);
  EXPECT_EQ(round_mantissa<13>(Lane{0x3F801FFE}, kRoundZero), 0x3F800000U);
  EXPECT_EQ(round_mantissa<13>(Lane{0x3F801FFF}, kRoundZero), 0x3F802000U);
}

TEST(RoundMantissa, StochasticCanMoveExactValues) { // VU 3.5 A: D = 0 and compared bits 0
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F800000}, Lane{0}), 0x3F810000U);
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F800000}, Lane{0x7F}), 0x3F810000U)
      << "low PRNG bits are shifted out";
  EXPECT_EQ(round_mantissa<16>(Lane{0x3F800000}, Lane{0x80}), 0x3F800000U);
}

TEST(RoundMantissa, FollowsTheModel) {
  test::BiasedFloats random(1);
  for (int i = 0; i < kRandomBits; ++i) {
    const Lane x = random.any();
    for (Lane threshold : {kRoundNearest, kRoundZero, random.bits() & kThresholdMask}) {
      ASSERT_EQ(round_mantissa<13>(x, threshold), model_a(x, 13, threshold)) << std::hex << x;
      ASSERT_EQ(round_mantissa<16>(x, threshold), model_a(x, 16, threshold)) << std::hex << x;
    }
  }
}

TEST(FloatToInteger, HalvesGoAwayFromZero) { // VU 3.5 B
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3F000000}, kRoundNearest, 255, false), 1U) << "0.5";
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3EFFFFFF}, kRoundNearest, 255, false), 0U)
      << "just below";
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3FC00000}, kRoundNearest, 255, false), 2U) << "1.5";
  EXPECT_EQ(float_to_bounded_integer(Lane{0x40200000}, kRoundNearest, 255, false), 3U) << "2.5";
  EXPECT_EQ(float_to_bounded_integer(Lane{0xC0200000}, kRoundNearest, 127, true), 0x80000003U);
}

TEST(FloatToInteger, BelowOneHalfIsZeroInEveryMode) { // seed 000, 3.13 B
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3EFFFFFF}, Lane{0}, 255, false), 0U);
  EXPECT_EQ(float_to_bounded_integer(Lane{0xBEFFFFFF}, Lane{0}, 127, true), 0U) << "and never -0";
  EXPECT_EQ(float_to_bounded_integer(Lane{0}, Lane{0}, 255, false), 0U);
}

TEST(FloatToInteger, Clamps) { // VU 3.5 B
  EXPECT_EQ(float_to_bounded_integer(Lane{0x437F0000}, kRoundNearest, 255, false), 255U) << "255.0";
  EXPECT_EQ(float_to_bounded_integer(Lane{0x43800000}, kRoundNearest, 255, false), 255U) << "256.0";
  EXPECT_EQ(float_to_bounded_integer(Lane{0xC3000000}, kRoundNearest, 127, true), 0x8000007FU)
      << "-128.0";
  EXPECT_EQ(float_to_bounded_integer(Lane{0x477FFFFF}, kRoundNearest, 65535, false), 65535U);
  EXPECT_EQ(float_to_bounded_integer(Lane{0xFF800000}, kRoundNearest, 32767, true), 0x80007FFFU)
      << "-Inf";
  EXPECT_EQ(float_to_bounded_integer(Lane{0xFFC00000}, kRoundNearest, 32767, true), 0x80007FFFU)
      << "NaN";
  EXPECT_EQ(float_to_bounded_integer(Lane{0xFFC00000}, kRoundNearest, 255, false), 255U);
}

TEST(FloatToInteger, FollowsTheModel) {
  test::BiasedFloats random(2);
  for (int i = 0; i < kRandomBits; ++i) {
    const Lane x = random.any();
    for (Lane threshold : {kRoundNearest, kRoundZero, random.bits() & kThresholdMask}) {
      for (Lane maximum : {255U, 127U, 65535U, 32767U}) {
        const bool keep_sign = maximum == 127 || maximum == 32767;
        ASSERT_EQ(float_to_bounded_integer(x, threshold, maximum, keep_sign),
                  model_b(x, threshold, maximum, keep_sign))
            << std::hex << x << " threshold " << threshold;
      }
    }
  }
}

TEST(FloatToInteger, TowardZeroErrsForThreeMagnitudes) { // VU 3.5 B
  std::vector<Lane> wrong;
  const auto check = [&](Lane x) {
    const auto truncated = static_cast<Lane>(std::bit_cast<float>(x));
    if (float_to_bounded_integer(x, kRoundZero, 65535, false) != truncated) wrong.push_back(x);
  };
  for (Lane x = 0x3E800000U; x < 0x40800000U; ++x) check(x); // every number from 1/4 to 4
  // From 2 on, the lowest bit of G is 0, so that it cannot reach the threshold: a sample will do.
  for (Lane x = 0x40800000U; x < 0x47800000U; x += 61) check(x);
  EXPECT_EQ(wrong, (std::vector<Lane>{0x3F7FFFFE, 0x3F7FFFFF, 0x3FFFFFFF}));
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3F7FFFFE}, kRoundZero, 255, false), 1U);
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3F7FFFFF}, kRoundZero, 255, false), 1U);
  EXPECT_EQ(float_to_bounded_integer(Lane{0x3FFFFFFF}, kRoundZero, 255, false), 2U);
}

TEST(ShiftToInteger, RoundsWhatIsShiftedOut) { // VU 3.5 C
  const auto shift = [](Lane x, Lane count, Lane maximum, bool keep_sign) {
    return shift_to_bounded_integer(x, count, kRoundNearest, maximum, keep_sign);
  };
  EXPECT_EQ(shift(6, 2, 255, false), 2U) << "1.5 away from zero";
  EXPECT_EQ(shift(5, 2, 255, false), 1U) << "1.25";
  EXPECT_EQ(shift(0x80000006U, 2, 127, true), 0x80000002U);
  EXPECT_EQ(shift(0x80000006U, 2, 255, false), 2U) << "the unsigned form drops the sign";
  EXPECT_EQ(shift(0x80000001U, 2, 127, true), 0U) << "never -0";
  EXPECT_EQ(shift(1000, 0, 255, false), 255U);
  EXPECT_EQ(shift(0x800003E8U, 0, 127, true), 0x8000007FU);
  EXPECT_EQ(shift(0x7FFFFFFFU, 31, 255, false), 1U);
  EXPECT_EQ(shift(0x3FFFFFFFU, 31, 255, false), 0U);
}

TEST(ShiftToInteger, TowardZeroErrsOnlyForLongShifts) { // VU 3.5 C
  test::BiasedFloats random(3);
  for (int i = 0; i < kRandomBits; ++i) {
    const Lane x = random.bits() & ~kSign;
    const Lane count = random.bits() % 23;
    ASSERT_EQ(shift_to_bounded_integer(x, count, kRoundZero, ~kSign, false), x >> count);
  }
  // At 23 all dropped bits take part; beyond, only the highest 23 of them.
  EXPECT_EQ(shift_to_bounded_integer(Lane{0x7FFFFF}, Lane{23}, kRoundZero, 255, false), 1U);
  EXPECT_EQ(shift_to_bounded_integer(Lane{0xFFFFFE}, Lane{24}, kRoundZero, 255, false), 1U);
  EXPECT_EQ(shift_to_bounded_integer(Lane{0xFFFFFD}, Lane{24}, kRoundZero, 255, false), 0U);
}

TEST(ShiftToInteger, FollowsTheModel) {
  std::mt19937 random(4);
  for (int i = 0; i < kRandomBits; ++i) {
    const Lane x = static_cast<Lane>(random()) & (kSign | (~Lane{0} >> (random() % 31 + 1)));
    const Lane count = static_cast<Lane>(random()) % 32;
    for (Lane threshold :
         {kRoundNearest, kRoundZero, static_cast<Lane>(random()) & kThresholdMask}) {
      ASSERT_EQ(shift_to_bounded_integer(x, count, threshold, 255, false),
                model_c(x, count, threshold, 255, false))
          << std::hex << x << " >> " << count << " threshold " << threshold;
      ASSERT_EQ(shift_to_bounded_integer(x, count, threshold, 127, true),
                model_c(x, count, threshold, 127, true))
          << std::hex << x << " >> " << count << " threshold " << threshold;
    }
  }
}

} // namespace
} // namespace lanewise::semantics
