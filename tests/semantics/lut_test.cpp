// Coefficients of SFPLUT and SFPLUTFP32 (VU 3.6, C44).
#include "chip/semantics/lut.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace lanewise::semantics {
namespace {

float as_float(Lane bits) {
  return std::bit_cast<float>(bits);
}

TEST(Lut8, OnlyAllOnesIsZero) {
  EXPECT_EQ(decode_lut8(Lane{0xFF}), 0U);
  EXPECT_EQ(as_float(decode_lut8(Lane{0x7F})), std::ldexp(1.9375F, -7));
  EXPECT_EQ(as_float(decode_lut8(Lane{0x00})), 1.0F);
  EXPECT_EQ(as_float(decode_lut8(Lane{0x80})), -1.0F);
}

TEST(Lut8, EveryCode) {
  for (Lane b = 0; b < 255; ++b) {
    const float magnitude =
        std::ldexp(1 + static_cast<float>(b & 15) / 16, -static_cast<int>(b >> 4 & 7));
    EXPECT_EQ(as_float(decode_lut8(b)), (b & 0x80) != 0 ? -magnitude : magnitude) << b;
    EXPECT_EQ(decode_lut8(b | 0xABCDEF00U), decode_lut8(b)) << "higher bits are of another entry";
  }
}

TEST(Lut16, EveryCodeBelowExponent31) {
  for (Lane h = 0; h < 0x10000; ++h) {
    const Lane e = h >> 10 & 31;
    if (e == 31) continue;
    const float magnitude =
        std::ldexp(1 + static_cast<float>(h & 0x3FF) / 1024, static_cast<int>(e) - 15);
    EXPECT_EQ(as_float(decode_lut16(h)), (h & 0x8000) != 0 ? -magnitude : magnitude) << h;
  }
  EXPECT_EQ(decode_lut16(Lane{0}), 0x38000000U) << "0 is 2^-15";
}

TEST(Lut16, Exponent31IsADenormal) {
  EXPECT_EQ(decode_lut16(Lane{0x7C00}), 0U);
  EXPECT_EQ(decode_lut16(Lane{0xFC00}), 0x80000000U);
  EXPECT_EQ(decode_lut16(Lane{0x7FFF}), 0x007FE000U) << "the mantissa stays";
}

TEST(LutPieces, CutsCompareAsIntegers) {
  const auto piece = [](Lane x) { return choose_piece(x, Lane{1}, Lane{2}, Lane{3}); };
  EXPECT_EQ(piece(0), 1U);
  EXPECT_EQ(piece(0x3F7FFFFF), 1U);
  EXPECT_EQ(piece(0x3F800000), 2U);
  EXPECT_EQ(piece(0x3FFFFFFF), 2U);
  EXPECT_EQ(piece(0x40000000), 3U);
  EXPECT_EQ(piece(0x7FFFFFFF), 3U) << "NaN is in the last piece";
}

TEST(LutPieces, HighHalves) { // VU C44: [0.5, 1), [1.5, 2), [cut, inf)
  for (Lane cut : {kThree, kFour}) {
    const auto high = [&](float x) { return takes_high_half(std::bit_cast<Lane>(x), cut) != 0; };
    EXPECT_FALSE(high(0));
    EXPECT_FALSE(high(0.499F));
    EXPECT_TRUE(high(0.5F));
    EXPECT_TRUE(high(0.999F));
    EXPECT_FALSE(high(1));
    EXPECT_FALSE(high(1.499F));
    EXPECT_TRUE(high(1.5F));
    EXPECT_TRUE(high(1.999F));
    EXPECT_FALSE(high(2));
    EXPECT_FALSE(high(2.999F));
    EXPECT_EQ(high(3), cut == kThree);
    EXPECT_EQ(high(3.999F), cut == kThree);
    EXPECT_TRUE(high(4));
    EXPECT_NE(takes_high_half(Lane{0x7FC00000}, cut), 0U);
  }
}

} // namespace
} // namespace lanewise::semantics
