// Late conversions and blocks that only the documents have (core.md 14.8, 14.9).
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_values.h"

namespace lanewise::semantics {
namespace {

using isa::DataFormat;

/// A number of 16-bit Dst, all the way, without rounding before the late conversion.
std::uint32_t packed_raw(DataFormat intermediate, DataFormat out, std::uint32_t pattern) {
  const Packing how{.intermediate = intermediate, .out = out, .raw = true};
  EXPECT_EQ(basis_of(how), Basis::Documented);
  const bool has_8_bits = intermediate == DataFormat::Bf16;
  return pack_late(how, pack_early(how, has_8_bits ? shuffle_16(pattern) : shuffle_fp16(pattern)));
}

/// A binary32 of 32-bit Dst.
std::uint32_t packed_fp32(DataFormat out, std::uint32_t pattern) {
  const Packing how{.intermediate = DataFormat::Fp32, .out = out, .reads_32_bits = true};
  EXPECT_EQ(basis_of(how), Basis::Documented);
  return pack_late(how, pack_early(how, shuffle_32(pattern)));
}
std::uint32_t packed_fp32(DataFormat out, float number) {
  return packed_fp32(out, std::bit_cast<std::uint32_t>(number));
}

/// By the definition: exponent 31 is an ordinary one.
double number_of_fp16(std::uint32_t fp16) {
  const auto mantissa = static_cast<double>(1024 + (fp16 & 0x3FF));
  const double magnitude = std::ldexp(mantissa, static_cast<int>(fp16 >> 10 & 31) - 25);
  return (fp16 & kSign16) != 0 ? -magnitude : magnitude;
}

TEST(PackLate, Bf16WidensBitByBit) {
  for (std::uint32_t bf16 = 0; bf16 < 0x10000; ++bf16) {
    ASSERT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp32, bf16), bf16 << 16);
    ASSERT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Tf32, bf16), bf16 << 16);
  }
}

TEST(PackLate, Fp16AndWhatIsShorterWidenToTheSameNumber) {
  struct Type {
    DataFormat intermediate;
    std::uint32_t bits; ///< that it has of an FP16
  };
  for (const Type type : {Type{DataFormat::Fp16, 0xFFFF}, Type{DataFormat::Bfp8a, 0xFFF8},
                          Type{DataFormat::Fp8, 0xFF00}}) {
    for (std::uint32_t fp16 = 0; fp16 < 0x10000; ++fp16) {
      if ((fp16 & kMagnitude16) < kLeastNormalFp16) continue;
      const double number = number_of_fp16(fp16 & type.bits);
      const std::uint32_t tf32 = packed_raw(type.intermediate, DataFormat::Tf32, fp16);
      ASSERT_EQ(std::bit_cast<float>(tf32), number);
      ASSERT_EQ(tf32 & 0x1FFF, 0U);
      ASSERT_EQ(packed_raw(type.intermediate, DataFormat::Fp32, fp16), tf32);
      ASSERT_EQ(packed_raw(type.intermediate, DataFormat::Fp16, fp16), fp16 & type.bits);
      ASSERT_EQ(packed_raw(type.intermediate, DataFormat::Bf16, fp16), tf32 >> 16); // cut
    }
  }
}

TEST(PackLate, Fp32IsCutToBf16) {
  EXPECT_EQ(packed_fp32(DataFormat::Bf16, 0x3FFFFFFFU), 0x3FFFU);
  EXPECT_EQ(packed_fp32(DataFormat::Bf16, 0xBF80FFFFU), 0xBF80U);
  EXPECT_EQ(packed_fp32(DataFormat::Bf16, 0x7F80FFFFU), 0x7F80U); // a NaN that loses its bits
  EXPECT_EQ(packed_fp32(DataFormat::Bf16, 0xFFC00000U), 0xFFC0U); // and one that does not
  EXPECT_EQ(packed_fp32(DataFormat::Bf16, 0x007FFFFFU), 0U);      // a denormal
  EXPECT_EQ(packed_fp32(DataFormat::Bf16, 0x00800000U), 0x0080U);
}

TEST(PackLate, Bf16SaturatesAsFp16) {
  EXPECT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp16, 0x3FC0), 0x3E00U); // 1.5
  EXPECT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp16, 0x47FF), 0x7FF8U); // 130560
  EXPECT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp16, 0x4800), 0x7FFFU); // 131072
  EXPECT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp16, 0xFFC0), 0xFFFFU); // NaN
  EXPECT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp16, 0x3800), 0U);      // 2^-15
  EXPECT_EQ(packed_raw(DataFormat::Bf16, DataFormat::Fp16, 0x3880), 0x0400U); // 2^-14
}

TEST(PackLate, Fp8IsTheUpperHalfOfFp16) {
  for (std::uint32_t fp16 = 0; fp16 < 0x10000; ++fp16) {
    const std::uint32_t fp8 = fp16 >> 8;
    const bool is_denormal = (fp16 & kMagnitude16) < kLeastNormalFp16;
    // As wide as before, denormals stay; cut, they are flushed.
    ASSERT_EQ(packed_raw(DataFormat::Fp8, DataFormat::Fp8, fp16), fp8);
    ASSERT_EQ(packed_raw(DataFormat::Fp16, DataFormat::Fp8, fp16) & 0x7F,
              is_denormal ? 0 : fp8 & 0x7F);
    ASSERT_EQ(packed_raw(DataFormat::Bfp8a, DataFormat::Fp8, fp16) & 0x7F,
              is_denormal ? 0 : fp8 & 0x7F);
  }
  EXPECT_EQ(packed_fp32(DataFormat::Fp8, 1.0F), 0x3CU);
  EXPECT_EQ(packed_fp32(DataFormat::Fp8, -1.99F), 0xBFU); // cut to 1.75
  EXPECT_EQ(packed_fp32(DataFormat::Fp8, 114688.0F), 0x7FU);
  EXPECT_EQ(packed_fp32(DataFormat::Fp8, 1e9F), 0x7FU);
  EXPECT_EQ(packed_fp32(DataFormat::Fp8, -1e9F), 0xFFU);
  EXPECT_EQ(packed_fp32(DataFormat::Fp8, 0x1p-16F), 0U);
}

// With 4 bits of exponent: up to 8 of FP16's exponent is zero, from 24 on all ones; zeros keep
// their sign (core.md 14.8).
TEST(PackLate, Fp8With4BitsOfExponentSaturatesAtBothEnds) {
  const Packing how{.intermediate = DataFormat::Fp16,
                    .out = DataFormat::Fp8,
                    .fp8_has_long_mantissa = true,
                    .raw = true,
                    .in = DataFormat::Fp16};
  constexpr std::uint32_t kLastZero = 8, kFirstOnes = 24;
  for (std::uint32_t fp16 = 0; fp16 < 0x10000; ++fp16) {
    const std::uint32_t sign = (fp16 & kSign16) >> 8, exponent = fp16 >> 10 & 31;
    const std::uint32_t fp8 = pack_late(how, pack_early(how, shuffle_fp16(fp16)));
    if (exponent <= kLastZero) {
      ASSERT_EQ(fp8, sign) << fp16;
    } else if (exponent >= kFirstOnes) {
      ASSERT_EQ(fp8, sign | 0x7F) << fp16;
    } else {
      // A bias of 7, and the mantissa's upper 3 bits.
      const double number = std::ldexp(8 + (fp8 & 7), static_cast<int>(fp8 >> 3 & 15) - 7 - 3);
      ASSERT_EQ(number, std::abs(number_of_fp16(fp16 & 0xFF80))) << fp16;
      ASSERT_EQ(fp8 & 0x80, sign);
    }
  }
}

// The zero of a flushed denormal has its sign in FP8 (core.md 14.8).
TEST(PackLate, FlushedDenormalsOfFp8KeepTheirSign) {
  EXPECT_EQ(packed_raw(DataFormat::Fp16, DataFormat::Fp8, 0x8001), 0x80U);
  EXPECT_EQ(packed_raw(DataFormat::Fp16, DataFormat::Fp8, 0x83FF), 0x80U);
  EXPECT_EQ(packed_raw(DataFormat::Fp16, DataFormat::Fp8, 0x03FF), 0U);
}

std::array<std::uint32_t, 16> packed_values(DataFormat out, const std::array<float, 16>& numbers) {
  std::array<std::uint32_t, 16> values{};
  for (std::size_t i = 0; i < 16; ++i) values[i] = packed_fp32(out, numbers[i]);
  return values;
}

TEST(PackLate, BlocksOfFiveBitsShareTheLargestExponent) {
  // 3.99 would be rounded to 4; 1/64 is half of the last of 7 bits.
  const std::array<float, 16> numbers{2, 1, -0.5F, 1.0F / 64, -1.0F / 128, 3.99F, -3};
  const PackedBlock eight =
      pack_block(DataFormat::Bfp8a, packed_values(DataFormat::Bfp8a, numbers));
  EXPECT_EQ(eight.exponent, 16); // of 2, whose bias is 15
  EXPECT_EQ(eight.data[0], 0x40);
  EXPECT_EQ(eight.data[1], 0x20);
  EXPECT_EQ(eight.data[2], 0x90);
  EXPECT_EQ(eight.data[3], 0x01);
  EXPECT_EQ(eight.data[4], 0x00);
  EXPECT_EQ(eight.data[5], 0x7F);
  EXPECT_EQ(eight.data[6], 0xE0);
  EXPECT_EQ(eight.data[7], 0x00);
  const PackedBlock four = pack_block(DataFormat::Bfp4a, packed_values(DataFormat::Bfp4a, numbers));
  EXPECT_EQ(four.exponent, 16);
  EXPECT_EQ(four.data[0], 0x4);
  EXPECT_EQ(four.data[2], 0x9);
  EXPECT_EQ(four.data[5], 0x7);
  EXPECT_EQ(four.data[6], 0xE);
  const PackedBlock two = pack_block(DataFormat::Bfp2a, packed_values(DataFormat::Bfp2a, numbers));
  EXPECT_EQ(two.data[0], 0x1);
  EXPECT_EQ(two.data[1], 0x0);
  EXPECT_EQ(two.data[6], 0x3);
}

TEST(PackLate, BlocksOfFiveBitsSaturate) {
  const PackedBlock block = pack_block(
      DataFormat::Bfp8a, packed_values(DataFormat::Bfp8a, {1e9F, -1e9F, 65536.0F, 1.0F}));
  EXPECT_EQ(block.exponent, 31);
  EXPECT_EQ(block.data[0], 0x7F);
  EXPECT_EQ(block.data[1], 0xFF);
  EXPECT_EQ(block.data[2], 0x40);
  EXPECT_EQ(block.data[3], 0x00);
}

TEST(PackLate, UnpackedBlocksOfFiveBitsPackToThemselves) {
  for (const DataFormat format : {DataFormat::Bfp8a, DataFormat::Bfp4a, DataFormat::Bfp2a}) {
    const unsigned bits = isa::format_of_code(format)->l1->bits;
    const Unpacking how{.in = format, .out = format};
    for (std::uint32_t exponent = 7; exponent < 32; ++exponent) { // none leaves its range
      std::array<std::uint32_t, 16> data{}, values{};
      for (std::uint32_t i = 0; i < 16; ++i) {
        data[i] = i * 37 & isa::low_ones(bits);
        if (data[i] == 1U << (bits - 1)) data[i] = 0; // -0 is no number
        if (i == 15) data[i] = 1U << (bits - 2);      // has the block's exponent
        const std::uint32_t cell = unpack_value(how, data[i], exponent);
        values[i] = packed_raw(DataFormat::Fp16, format,
                               (cell >> 16 & kSign16) | (cell >> 13 & kMagnitude16));
      }
      const PackedBlock block = pack_block(format, values);
      EXPECT_EQ(block.exponent, exponent);
      for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(block.data[i], data[i]) << bits << " " << i;
    }
  }
}

} // namespace
} // namespace lanewise::semantics
