// Early conversions that only the documents have (core.md 14.5).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_values.h"
#include "semantics/random_bits.h"

namespace lanewise::semantics {
namespace {

using isa::DataFormat;

constexpr std::uint32_t k16BitPatterns = 0x10000;

/// What lies between both conversions, of 32-bit Dst.
std::uint32_t early_32(Packing how, std::uint32_t value) {
  how.reads_32_bits = true;
  EXPECT_EQ(basis_of(how), Basis::Documented);
  return pack_early(how, shuffle_32(value));
}

/// The same of a BF16 and of an FP16.
std::uint32_t early_bf16(const Packing& how, std::uint32_t bf16) {
  return pack_early(how, shuffle_16(bf16));
}
std::uint32_t early_fp16(const Packing& how, std::uint32_t fp16) {
  return pack_early(how, shuffle_fp16(fp16));
}

/// All ways to get a TF32.
constexpr Packing kWaysToTf32[] = {
    {.intermediate = DataFormat::Tf32, .out = DataFormat::Tf32},
    {.intermediate = DataFormat::Fp32, .out = DataFormat::Fp32, .rounds_to_10_bits = true},
    {.intermediate = DataFormat::Fp32,
     .out = DataFormat::Tf32,
     .rounds_to_10_bits = true,
     .in = DataFormat::Tf32},
    {.intermediate = DataFormat::Bf16,
     .out = DataFormat::Fp16,
     .rounds_to_10_bits = true,
     .in = DataFormat::Tf32},
};

TEST(PackEarly, Tf32IsTheNearestAndOfTwoTheLarger) {
  for (const Packing& how : kWaysToTf32) {
    test::BiasedFloats random(1);
    for (int i = 0; i < 20000; ++i) {
      const std::uint32_t exponent = 1 + random.bits() % 253; // neither denormal nor overflow
      std::uint32_t value = (random.bits() & (kSign | kMantissaMask)) | exponent << 23;
      if (i % 4 == 0) value = (value & ~0x1FFFU) | 0x1000; // a tie
      const std::uint32_t found = early_32(how, value);
      ASSERT_EQ(found & 0x1FFF, 0U);
      const double given = std::bit_cast<float>(value), rounded = std::bit_cast<float>(found);
      const double half = std::ldexp(1.0, static_cast<int>(exponent) - 127 - 11);
      ASSERT_LE(std::abs(rounded - given), half);
      if (i % 4 == 0) {
        ASSERT_GT(std::abs(rounded), std::abs(given));
      }
    }
  }
}

TEST(PackEarly, Tf32HasNoDenormalsNorNans) {
  for (const Packing& how : kWaysToTf32) {
    EXPECT_EQ(early_32(how, 0x80000000U), 0U);
    EXPECT_EQ(early_32(how, 0x00400000U), 0U);
    EXPECT_EQ(early_32(how, 0x807FE000U), 0U);
    EXPECT_EQ(early_32(how, 0x7F800001U), 0x7F800000U);
    EXPECT_EQ(early_32(how, 0xFFFFFFFFU), 0xFF800000U);
    EXPECT_EQ(early_32(how, 0xFF800000U), 0xFF800000U);
    EXPECT_EQ(early_32(how, 0x7F7FFFFFU), 0x7F800000U); // rounded up to infinity
  }
}

// 16 bits as BFP8: to 6 bits of mantissa, ties away from zero, which is every odd number
// (core.md 14.5).
TEST(PackEarly, Bf16ForBfp8HasSixBitsOfMantissa) {
  const Packing how{.intermediate = DataFormat::Bfp8, .out = DataFormat::Bfp8};
  for (std::uint32_t bf16 = 0; bf16 < k16BitPatterns; ++bf16) {
    const std::uint32_t magnitude = bf16 & kMagnitude16, sign = bf16 & kSign16;
    const std::uint32_t nearest =
        magnitude > kInfinityBf16 ? kInfinityBf16 : (magnitude + 1) & ~std::uint32_t{1};
    const bool is_denormal = magnitude < kLeastNormalBf16;
    ASSERT_EQ(early_bf16(how, bf16), is_denormal ? 0 : sign | nearest) << bf16;
  }
}

TEST(PackEarly, Bf16IsATf32ButForDenormalsAndNans) {
  for (const Packing& how : kWaysToTf32) {
    EXPECT_EQ(basis_of(how), Basis::Documented);
    for (std::uint32_t bf16 = 0; bf16 < k16BitPatterns; ++bf16) {
      const std::uint32_t magnitude = bf16 & kMagnitude16, sign = bf16 & kSign16;
      const std::uint32_t expected = magnitude < kLeastNormalBf16 ? 0
                                     : magnitude > kInfinityBf16  ? sign | kInfinityBf16
                                                                  : bf16;
      ASSERT_EQ(early_bf16(how, bf16), expected << 16);
    }
  }
}

// core.md Q3: LLK's fast_tilize on Wormhole (BF16 to FP32 with dest_acc) gets its numbers this way.
TEST(PackEarly, Bf16WidensToFp32WithoutRounding) {
  const Packing how{.intermediate = DataFormat::Fp32, .out = DataFormat::Fp32};
  EXPECT_EQ(basis_of(how), Basis::Assumed);
  for (std::uint32_t bf16 = 0; bf16 < k16BitPatterns; ++bf16)
    ASSERT_EQ(pack_late(how, early_bf16(how, bf16)), bf16 << 16);
  Packing raw = how;
  raw.raw = true;
  EXPECT_EQ(basis_of(raw), Basis::Unknown);
}

TEST(PackEarly, RawModesKeepWhatThereIsRoomFor) {
  const Packing bf16{.intermediate = DataFormat::Bf16, .out = DataFormat::Bf16, .raw = true};
  const Packing bfp8{.intermediate = DataFormat::Bfp8,
                     .out = DataFormat::Bf16,
                     .raw = true,
                     .in = DataFormat::Bf16};
  const Packing fp16{.intermediate = DataFormat::Fp16, .out = DataFormat::Fp16, .raw = true};
  const Packing e5m7{.intermediate = DataFormat::Bfp8a, .out = DataFormat::Fp16, .raw = true};
  const Packing fp8{.intermediate = DataFormat::Fp8, .out = DataFormat::Fp8, .raw = true};
  const Packing int16{.intermediate = DataFormat::Int16, .out = DataFormat::Int16, .raw = true};
  for (const Packing& how : {bf16, bfp8, fp16, e5m7, fp8, int16})
    EXPECT_EQ(basis_of(how), Basis::Documented);
  for (std::uint32_t x = 0; x < k16BitPatterns; ++x) {
    ASSERT_EQ(early_bf16(bf16, x), x);
    ASSERT_EQ(early_bf16(bfp8, x), x);
    ASSERT_EQ(early_fp16(fp16, x), x);
    ASSERT_EQ(early_fp16(e5m7, x), x & 0xFFF8); // 7 bits of mantissa
    ASSERT_EQ(early_fp16(fp8, x), x & 0xFF00);  // 2 bits
    ASSERT_EQ(pack_early(int16, x), x);
  }
}

TEST(PackEarly, RawModesOf32BitsDoNotRound) {
  const Packing fp32{.intermediate = DataFormat::Fp32,
                     .out = DataFormat::Fp32,
                     .rounds_to_10_bits = true,
                     .raw = true};
  const Packing tf32{.intermediate = DataFormat::Tf32,
                     .out = DataFormat::Fp32,
                     .raw = true,
                     .in = DataFormat::Fp32};
  const Packing int32{.intermediate = DataFormat::Int32, .out = DataFormat::Int32, .raw = true};
  const Packing bf16{.intermediate = DataFormat::Bf16, .out = DataFormat::Bf16, .raw = true};
  const Packing bfp8{.intermediate = DataFormat::Bfp8,
                     .out = DataFormat::Bf16,
                     .raw = true,
                     .in = DataFormat::Bf16};
  test::BiasedFloats random(2);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t x = random.bits();
    for (const Packing& how : {fp32, tf32, int32}) ASSERT_EQ(early_32(how, x), x);
    for (const Packing& how : {bf16, bfp8}) ASSERT_EQ(early_32(how, x), x >> 16);
  }
}

TEST(PackEarly, ShiftedInt8IsRoundedAndSaturated) {
  Packing how{.intermediate = DataFormat::Int8, .out = DataFormat::Int8};
  constexpr std::uint32_t kMinus = 0x80000000U;
  const auto shifted = [&](std::uint32_t value, std::uint8_t shift) {
    how.shift = shift;
    return early_32(how, value);
  };
  EXPECT_EQ(shifted(4, 1), 2U);
  EXPECT_EQ(shifted(5, 1), 3U); // 2.5
  EXPECT_EQ(shifted(kMinus | 5, 1), 0x80U | 3U);
  EXPECT_EQ(shifted(3, 3), 0U);
  EXPECT_EQ(shifted(4, 3), 1U);             // 0.5
  EXPECT_EQ(shifted(kMinus | 3, 3), 0x80U); // the sign stays
  EXPECT_EQ(shifted(127U << 8 | 0x7F, 8), 127U);
  EXPECT_EQ(shifted(127U << 8 | 0x80, 8), 127U); // 127.5 is 128, which there is none
  EXPECT_EQ(shifted(kMinus | 1000U << 2, 2), 0xFFU);
  EXPECT_EQ(shifted(0x3FFFFFFF, 31), 0U);
  EXPECT_EQ(shifted(0x7FFFFFFF, 31), 1U);
  EXPECT_EQ(shifted(5, 32 + 1), 3U); // 5 bits of the amount count
  how.is_unsigned = true;
  EXPECT_EQ(shifted(255U << 4 | 7, 4), 255U);
  EXPECT_EQ(shifted(255U << 4 | 8, 4), 255U);
  EXPECT_EQ(shifted(200U << 4 | 8, 4), 201U);
  EXPECT_EQ(shifted(kMinus | 64, 4), 0U);
}

TEST(PackEarly, ShiftedInt8IsTheNearestAtEveryShift) {
  test::BiasedFloats random(3);
  for (std::uint8_t shift = 1; shift < 32; ++shift) {
    const Packing how{.intermediate = DataFormat::Int8,
                      .out = DataFormat::Int8,
                      .is_unsigned = true,
                      .shift = shift};
    for (int i = 0; i < 1000; ++i) {
      const std::uint32_t value = random.bits() >> 1;
      const double exact = std::ldexp(static_cast<double>(value), -shift);
      const double rounded = std::floor(exact + 0.5);
      ASSERT_EQ(early_32(how, value), static_cast<std::uint32_t>(std::min(rounded, 255.0)))
          << value;
    }
  }
}

TEST(PackEarly, RawInt8IsTheLowestBits) {
  const Packing with_sign{.intermediate = DataFormat::Int8, .out = DataFormat::Int8, .raw = true};
  Packing without_sign = with_sign;
  without_sign.is_unsigned = true;
  EXPECT_EQ(early_32(with_sign, 0x800001FFU), 0xFFU);
  EXPECT_EQ(early_32(with_sign, 0x00000180U), 0x00U);
  EXPECT_EQ(early_32(without_sign, 0x800001FEU), 0xFEU);
  // Of a float in 16 bits, the sign and no more; there is no such mode without a sign.
  EXPECT_EQ(basis_of(with_sign), Basis::Documented);
  EXPECT_EQ(early_bf16(with_sign, 0xFFFF), 0x80U);
  EXPECT_EQ(early_bf16(with_sign, 0x7FFF), 0U);
  EXPECT_EQ(early_fp16(with_sign, 0xFFFF), 0x80U);
  EXPECT_EQ(basis_of(without_sign), Basis::Unknown);
}

} // namespace
} // namespace lanewise::semantics
