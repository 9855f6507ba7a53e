// The formats of Dst and the conversions of SFPLOAD, SFPSTORE and SFPLOADI (VU 3.4).
#include "chip/semantics/dst_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace lanewise::semantics {
namespace {

constexpr Lane kYes = ~Lane{0};

TEST(Bf16Layout, SignMantissaExponent) { // S, M7, E8
  EXPECT_EQ(shuffle_16(Lane{0x3F80}), 0x007FU) << "1.0";
  EXPECT_EQ(shuffle_16(Lane{0xBFC0}), 0xC07FU) << "-1.5";
  EXPECT_EQ(unshuffle_16(Lane{0xC07F}), 0xBFC0U);
  EXPECT_EQ(shuffle_16(Lane{0x00FF}), 0x7F01U);
}

TEST(Bf16Layout, RoundTripOfEveryPattern) {
  for (Lane v = 0; v < 0x10000; ++v) {
    ASSERT_EQ(unshuffle_16(shuffle_16(v)), v);
    ASSERT_EQ(shuffle_16(unshuffle_16(v)), v);
  }
}

TEST(Fp32Layout, UpperHalfIsShuffled) { // S, M7, E8, M16
  EXPECT_EQ(shuffle_32(Lane{0x3F801234}), 0x007F1234U);
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const auto v = static_cast<Lane>(random());
    ASSERT_EQ(unshuffle_32(shuffle_32(v)), v);
    ASSERT_EQ(shuffle_32(v) >> 16, shuffle_16(v >> 16));
    ASSERT_EQ(shuffle_32(v) & 0xFFFF, v & 0xFFFF);
  }
}

/// S, M10, E5.
constexpr Lane fp16(Lane sign, Lane mantissa, Lane exponent) {
  return sign << 15 | mantissa << 5 | exponent;
}

TEST(LoadFp16, NormalNumbers) { // VU 3.4: exponent + 112, mantissa << 13
  for (Lane e = 1; e < 32; ++e) {
    for (Lane m = 0; m < 1024; m += 31) {
      const float expected = std::ldexp(1 + static_cast<float>(m) / 1024, static_cast<int>(e) - 15);
      ASSERT_EQ(std::bit_cast<float>(load_fp16(fp16(0, m, e), Lane{0})), expected);
      ASSERT_EQ(std::bit_cast<float>(load_fp16(fp16(1, m, e), Lane{0})), -expected);
    }
  }
}

TEST(LoadFp16, ExponentZeroKeepsItsMantissa) {
  EXPECT_EQ(load_fp16(fp16(0, 0, 0), Lane{0}), 0U);
  EXPECT_EQ(load_fp16(fp16(1, 0, 0), Lane{0}), 0x80000000U);
  EXPECT_EQ(load_fp16(fp16(0, 0x3FF, 0), Lane{0}), 0x007FE000U) << "an FP32 denormal";
}

TEST(LoadFp16, InfinityIsASwitch) { // ENABLE_FP16A_INF: all ones only
  EXPECT_EQ(load_fp16(fp16(0, 0x3FF, 31), kYes), 0x7F800000U);
  EXPECT_EQ(load_fp16(fp16(1, 0x3FF, 31), kYes), 0xFF800000U);
  EXPECT_EQ(load_fp16(fp16(0, 0x3FF, 31), Lane{0}), (143U << 23) | 0x7FE000U);
  EXPECT_EQ(load_fp16(fp16(0, 0x3FE, 31), kYes), (143U << 23) | 0x7FC000U);
}

TEST(StoreFp16, RangeAndTruncation) { // VU 3.4, C24
  EXPECT_EQ(store_fp16(Lane{0x3F800000}), fp16(0, 0, 15)) << "1.0";
  EXPECT_EQ(store_fp16(Lane{0xBFFFFFFF}), fp16(1, 0x3FF, 15)) << "truncated";
  EXPECT_EQ(store_fp16(Lane{0x38800000}), fp16(0, 0, 1)) << "2^-14";
  EXPECT_EQ(store_fp16(Lane{0x387FFFFF}), 0U) << "smaller: zero";
  EXPECT_EQ(store_fp16(Lane{0xB87FFFFF}), 0x8000U) << "with its sign";
  EXPECT_EQ(store_fp16(Lane{0x47FFE000}), fp16(0, 0x3FF, 31)) << "exponent 31 is ordinary";
  EXPECT_EQ(store_fp16(Lane{0x47800000}), fp16(0, 0, 31));
  for (Lane large : {0x48000000U, 0x7F800000U, 0x7FC00000U}) {
    EXPECT_EQ(store_fp16(large), fp16(0, 0x3FF, 31));
    EXPECT_EQ(store_fp16(large | kSign), fp16(1, 0x3FF, 31));
  }
}

TEST(StoreFp16, GivesBackWhatLoadMade) {
  for (Lane d = 0; d < 0x10000; ++d) {
    if ((d & 31) == 0) continue; // denormals become zeros
    ASSERT_EQ(store_fp16(load_fp16(d, Lane{0})), d);
    ASSERT_EQ(store_fp16(load_fp16(d, kYes)), d) << "Inf is all ones again";
  }
}

TEST(FlushDenormal, KeepsTheSign) { // VU 3.4, FP32 and BF16 stores
  EXPECT_EQ(flush_denormal(Lane{0x007FFFFF}), 0U);
  EXPECT_EQ(flush_denormal(Lane{0x80000001}), 0x80000000U);
  EXPECT_EQ(flush_denormal(Lane{0x00800000}), 0x00800000U);
  EXPECT_EQ(flush_denormal(Lane{0xFFFFFFFF}), 0xFFFFFFFFU);
}

TEST(Int8,
     MagnitudeBits) { // S, M10, E5: Blackhole reads 8 magnitude bits, Wormhole 7, INT8_COMP 10
  EXPECT_EQ(kBlackhole.vector.int8_load_magnitude_bits, 8);
  EXPECT_EQ(kWormhole.vector.int8_load_magnitude_bits, 7);
  constexpr Lane kStored = fp16(1, 0x3FF, 16);
  EXPECT_EQ(load_int8(kStored, 8), 0x800000FFU);
  EXPECT_EQ(load_int8(kStored, 7), 0x8000007FU);
  EXPECT_EQ(load_int8(kStored, 10), 0x800003FFU);
  EXPECT_EQ(load_int8(fp16(0, 5, 31), 8), 5U) << "the exponent is ignored";
}

TEST(Int8, StoredExponentIs16) { // VU 3.4, also for zero
  EXPECT_EQ(store_int8(Lane{0}), 16U);
  EXPECT_EQ(store_int8(Lane{0x80000005}), fp16(1, 5, 16));
  EXPECT_EQ(store_int8(Lane{0x7FFFFC01}), fp16(0, 1, 16)) << "10 bits of magnitude";
  for (Lane m = 0; m < 1024; ++m) ASSERT_EQ(load_int8(store_int8(m | kSign), 10), m | kSign);
}

TEST(Int16, SignAndFifteenBits) {
  EXPECT_EQ(load_int16(Lane{0x8001}), 0x80000001U);
  EXPECT_EQ(store_int16(Lane{0x80000001}), 0x8001U);
  EXPECT_EQ(store_int16(Lane{0x7FFF8002}), 2U);
  for (Lane d = 0; d < 0x10000; ++d) ASSERT_EQ(store_int16(load_int16(d)), d);
}

TEST(IntegerForms, EdgesOfTheConversions) { // VU 3.4, INT32_SM
  EXPECT_EQ(sign_magnitude_to_twos(Lane{0x80000000}), 0U) << "-0";
  EXPECT_EQ(sign_magnitude_to_twos(Lane{0xFFFFFFFF}), 0x80000001U);
  EXPECT_EQ(sign_magnitude_to_twos(Lane{7}), 7U);
  EXPECT_EQ(twos_to_sign_magnitude(Lane{0x80000000}), 0x80000000U) << "-2^31 becomes -0";
  EXPECT_EQ(twos_to_sign_magnitude(Lane{0xFFFFFFFF}), 0x80000001U);
}

TEST(ImmediateFp16, ExponentZeroIsOrdinary) { // VU 3.4, SFPLOADI FLOATA
  EXPECT_EQ(immediate_fp16(0), 0x38000000U) << "2^-15";
  EXPECT_EQ(immediate_fp16(0x8000), 0xB8000000U);
  EXPECT_EQ(immediate_fp16(0x3C00), 0x3F800000U) << "1.0";
  EXPECT_EQ(immediate_fp16(0x7FFF), (143U << 23) | 0x7FE000U) << "exponent 31 is ordinary";
}

} // namespace
} // namespace lanewise::semantics
