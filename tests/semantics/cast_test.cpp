// SFPCAST (VU 3.5, C35).
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "chip/semantics/convert.h"

namespace lanewise::semantics {
namespace {

/// VU 3.5 step by step; `up` decides from N = the magnitude shifted to the top.
template <class RoundUp>
Lane cast_model(Lane x, RoundUp&& up) {
  const Lane sign = x & kSign, magnitude = x & ~kSign;
  if (magnitude == 0) return sign;
  const auto zeros = static_cast<Lane>(std::countl_zero(magnitude));
  const Lane normal = magnitude << zeros;
  return sign + ((157 - zeros) << 23) + (normal >> 8) + static_cast<Lane>(up(normal));
}

TEST(CastNearest, DocumentedExamples) { // VU 3.5
  EXPECT_EQ(cast_to_float_nearest(Lane{0x01000001}), 0x4B800000U);
  EXPECT_EQ(cast_to_float_nearest(Lane{0x01000003}), 0x4B800002U);
  EXPECT_EQ(cast_to_float_nearest(Lane{0x7FFFFFFF}), 0x4F000000U);
}

TEST(CastNearest, ZerosKeepTheirSign) { // VU C35
  EXPECT_EQ(cast_to_float_nearest(Lane{0}), 0U);
  EXPECT_EQ(cast_to_float_nearest(Lane{0x80000000}), 0x80000000U);
  EXPECT_EQ(cast_to_float_nearest(Lane{0x80000001}), 0xBF800000U) << "sign-magnitude -1";
}

TEST(CastNearest, TiesToEven) { // VU C35: not away from zero
  EXPECT_EQ(cast_to_float_nearest(Lane{0x02000002}), 0x4C000000U) << "2^25 + 2 is halfway, down";
  EXPECT_EQ(cast_to_float_nearest(Lane{0x02000006}), 0x4C000002U) << "2^25 + 6 is halfway, up";
  EXPECT_EQ(cast_to_float_nearest(Lane{0x02000003}), 0x4C000001U);
}

TEST(CastNearest, FollowsTheModel) {
  std::mt19937 random(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const Lane x = static_cast<Lane>(random()) & (kSign | (~Lane{0} >> (random() % 31 + 1)));
    ASSERT_EQ(cast_to_float_nearest(x),
              cast_model(x, [](Lane n) { return (n >> 7 & 1) != 0 && (n & 0x17F) != 0; }))
        << std::hex << x;
  }
}

TEST(CastStochastic, ComparesSevenBitsStrictly) { // VU 3.5: N[7:1] > r[16:10]
  constexpr Lane kX = 0x40000000U | 5U << 1; // already 31 bits: N = X << 1, so N[7:1] = 0001010
  const auto cast = [](Lane random_bits) {
    return cast_to_float_stochastic(kX, random_bits << 10);
  };
  constexpr Lane kDown = 0x4E800000U;
  EXPECT_EQ(cast(9), kDown + 1);
  EXPECT_EQ(cast(10), kDown) << "equal does not round up";
  EXPECT_EQ(cast(11), kDown);
  EXPECT_EQ(cast(10 | 0x80), kDown) << "PRNG bit 17 plays no part";
  EXPECT_EQ(cast_to_float_stochastic(Lane{0x40000001}, Lane{0}), 0x4E800001U) << "N = 80000002";
  EXPECT_EQ(cast_to_float_stochastic(Lane{0x80000000}, Lane{0}), 0x80000000U) << "-0";
}

TEST(CastStochastic, IgnoresTheLowestDroppedBit) { // VU 3.5: N[0]
  // Only a magnitude with bit 31 set could have N[0], and those do not exist: exact numbers stay
  // exact.
  for (Lane x = 0; x < 1U << 24; x += 997) {
    ASSERT_EQ(cast_to_float_stochastic(x, Lane{0}), cast_to_float_nearest(x));
  }
}

TEST(CastStochastic, FollowsTheModel) {
  std::mt19937 random(2);
  for (int i = 0; i < 1'000'000; ++i) {
    const Lane x = static_cast<Lane>(random()) & (kSign | (~Lane{0} >> (random() % 31 + 1)));
    const auto r = static_cast<Lane>(random());
    ASSERT_EQ(cast_to_float_stochastic(x, r),
              cast_model(x, [r](Lane n) { return (n >> 1 & 0x7F) > (r >> 10 & 0x7F); }))
        << std::hex << x << ' ' << r;
  }
}

TEST(CastInteger, SignMagnitudeAndTwosComplementChangePlaces) { // VU 3.5 mode 3
  EXPECT_EQ(swap_integer_form(Lane{5}), 5U);
  EXPECT_EQ(swap_integer_form(Lane{0x80000005}), 0xFFFFFFFBU);
  EXPECT_EQ(swap_integer_form(Lane{0xFFFFFFFB}), 0x80000005U);
  EXPECT_EQ(swap_integer_form(Lane{0x80000000}), 0x80000000U) << "-0 is -2^31";
}

} // namespace
} // namespace lanewise::semantics
