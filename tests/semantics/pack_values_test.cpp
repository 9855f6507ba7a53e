// What packers make of what is in Dst (core.md 14, 14.5, 14.7 to 14.10).
#include "chip/semantics/pack_values.h"

#include <gtest/gtest.h>

#include <bit>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"

namespace lanewise::semantics {
namespace {

using isa::DataFormat;

/// A binary32 of 32-bit Dst, all the way.
std::uint32_t packed_32(Packing how, float number) {
  how.reads_32_bits = true;
  EXPECT_EQ(basis_of(how), Basis::Compared);
  return pack_late(how, pack_early(how, shuffle_32(std::bit_cast<std::uint32_t>(number))));
}

/// A BF16 of 16-bit Dst.
std::uint32_t packed_bf16(const Packing& how, std::uint32_t bf16) {
  EXPECT_EQ(basis_of(how), Basis::Compared);
  return pack_late(how, pack_early(how, shuffle_16(bf16)));
}

TEST(PackValues, Fp32RoundsToBf16AwayFromZero) {
  const Packing how{.intermediate = DataFormat::Bf16, .out = DataFormat::Bf16};
  EXPECT_EQ(packed_32(how, 1.0F + 0x1p-8F), 0x3F81U); // a tie
  EXPECT_EQ(packed_32(how, -1.0F - 0x1p-8F), 0xBF81U);
  EXPECT_EQ(packed_32(how, 1.0F + 0x1.FFp-9F), 0x3F80U);
  EXPECT_EQ(packed_32(how, 0x1p-127F), 0U); // denormals and -0 are 0
  EXPECT_EQ(packed_32(how, -0.0F), 0U);
  EXPECT_EQ(packed_32(how, std::bit_cast<float>(0xFFC00001U)), 0xFF80U); // NaN: infinity
}

TEST(PackValues, NarrowExponentsSaturate) {
  const Packing how{.intermediate = DataFormat::Fp32, .out = DataFormat::Fp16};
  EXPECT_EQ(packed_32(how, 1.0F), 0x3C00U);
  EXPECT_EQ(packed_32(how, 1.0F + 0x1.FFp-11F), 0x3C00U); // cut
  EXPECT_EQ(packed_32(how, 131072.0F), 0x7FFFU);
  EXPECT_EQ(packed_32(how, -131072.0F), 0xFFFFU);
  EXPECT_EQ(packed_32(how, -0x1p-20F), 0x8000U);
  EXPECT_EQ(packed_32(how, 0x1.8p-15F), 0x0200U); // exponent 0 keeps its mantissa
}

TEST(PackValues, IntegersSaturate) {
  Packing how{.intermediate = DataFormat::Int8, .out = DataFormat::Int8};
  const auto packed = [&](std::uint32_t sign_magnitude) {
    return packed_32(how, std::bit_cast<float>(sign_magnitude));
  };
  EXPECT_EQ(packed(100), 100U);
  EXPECT_EQ(packed(1000), 127U);
  EXPECT_EQ(packed(0x80000000U | 1000), 0x80U | 127U);
  how.is_unsigned = true;
  EXPECT_EQ(packed(200), 200U);
  EXPECT_EQ(packed(1000), 255U);
  EXPECT_EQ(packed(0x80000001U), 0U);
}

TEST(PackValues, ReluComparesMagnitudes) {
  Packing how{.intermediate = DataFormat::Bf16, .out = DataFormat::Bf16};
  constexpr std::uint16_t kPositive = 0x3F80, kHalf = 0x3F00, kTwo = 0x4000, kMinusTwo = 0xC000;
  how.relu = Relu::ZeroIfNegative;
  EXPECT_EQ(packed_bf16(how, kMinusTwo), 0U);
  EXPECT_EQ(packed_bf16(how, kTwo), kTwo);
  how.threshold = kPositive;
  how.relu = Relu::ZeroIfNotAbove;
  EXPECT_EQ(packed_bf16(how, kHalf), 0U);
  EXPECT_EQ(packed_bf16(how, kPositive), 0U);
  EXPECT_EQ(packed_bf16(how, kTwo), kTwo);
  how.relu = Relu::Clamp;
  EXPECT_EQ(packed_bf16(how, kHalf), kHalf);
  EXPECT_EQ(packed_bf16(how, kTwo), kPositive);
  EXPECT_EQ(packed_bf16(how, kMinusTwo), 0U);
  how.threshold = kMinusTwo; // undefined
  EXPECT_EQ(basis_of(how), Basis::Unknown);
}

TEST(PackValues, BlocksShareTheLargestExponent) {
  std::array<std::uint32_t, 16> values{};
  values[0] = 0x4000; // 2
  values[1] = 0x3F80; // 1
  values[2] = 0xBF00; // -0.5
  values[3] = 0x3C80; // 1/64: a tie, a half of the last of 7 bits
  values[4] = 0xBC00; // -1/128
  values[5] = 0x407F; // 3.98, which would be rounded to 4
  const PackedBlock block = pack_block(DataFormat::Bfp8, values);
  EXPECT_EQ(block.exponent, 128);
  EXPECT_EQ(block.data[0], 0x40);
  EXPECT_EQ(block.data[1], 0x20);
  EXPECT_EQ(block.data[2], 0x90);
  EXPECT_EQ(block.data[3], 0x01);
  EXPECT_EQ(block.data[4], 0x00); // no sign, either
  EXPECT_EQ(block.data[5], 0x7F);
  const PackedBlock four = pack_block(DataFormat::Bfp4, values);
  EXPECT_EQ(four.data[0], 0x4);
  EXPECT_EQ(four.data[2], 0x9);
  EXPECT_EQ(four.data[3], 0x0); // cut, after that rounding
  const PackedBlock two = pack_block(DataFormat::Bfp2, values);
  EXPECT_EQ(two.data[0], 0x1);
  EXPECT_EQ(two.data[1], 0x0);
}

TEST(PackValues, UnpackedBlocksPackToThemselves) {
  for (const DataFormat format : {DataFormat::Bfp8, DataFormat::Bfp4, DataFormat::Bfp2}) {
    const unsigned bits = isa::format_of_code(format)->l1->bits;
    const Unpacking how{.in = format, .out = format};
    std::array<std::uint32_t, 16> data{}, values{};
    for (std::uint32_t i = 0; i < 16; ++i) {
      data[i] = i * 37 & isa::low_ones(bits);
      if (data[i] == 1U << (bits - 1)) data[i] = 0; // -0 is no number
      values[i] = unpack_value(how, data[i], 130) >> 16;
    }
    data[15] = 1U << (bits - 2); // the largest power of 2, so that the exponent is the same
    values[15] = unpack_value(how, data[15], 130) >> 16;
    const PackedBlock block = pack_block(format, values);
    EXPECT_EQ(block.exponent, 130);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(block.data[i], data[i]) << bits << " " << i;
  }
}

TEST(PackValues, AccumulatesInThreeFormats) {
  const auto fp32 = [](float a, float b) {
    return accumulate_in_l1(DataFormat::Fp32, std::bit_cast<std::uint32_t>(a),
                            std::bit_cast<std::uint32_t>(b));
  };
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(fp32(1.0F, 2.0F), std::bit_cast<std::uint32_t>(3.0F));
  EXPECT_EQ(fp32(0x1p-127F, 0x1p-127F), 0U); // both are 0
  EXPECT_EQ(fp32(kInf, -kInf), 0x7FC00000U);
  const auto bf16 = [](std::uint32_t a, std::uint32_t b) {
    return accumulate_in_l1(DataFormat::Bf16, a, b);
  };
  EXPECT_EQ(bf16(0x3F80, 0x3B80), 0x3F80U); // 1 + 2^-8: a tie, to even
  EXPECT_EQ(bf16(0x3F81, 0x3B80), 0x3F82U);
  EXPECT_EQ(bf16(0x7F80, 0xFF80), 0x7FC0U);
  EXPECT_EQ(bf16(0x7FC0, 0xFF7F), 0x7F80U); // an old NaN is a very large number
  EXPECT_EQ(bf16(0x0001, 0x8001), 0x0000U);
  const auto fp16 = [](std::uint32_t a, std::uint32_t b) {
    return accumulate_in_l1(DataFormat::Fp16, a, b);
  };
  EXPECT_EQ(fp16(0x3C00, 0x3C00), 0x4000U);
  EXPECT_EQ(fp16(0x7FFF, 0x7FFF), 0x7FFFU);
  EXPECT_EQ(fp16(0x0801, 0x8800), 0x7FFFU); // 2^-23 is too small, and saturates
  EXPECT_FALSE(can_accumulate(DataFormat::Bfp8));
}

// core.md 14.10.
TEST(PackValues, SumsThatAreTooLargeOrTooSmall) {
  const auto fp32 = [](std::uint32_t a, std::uint32_t b) {
    return accumulate_in_l1(DataFormat::Fp32, a, b);
  };
  EXPECT_EQ(fp32(0x7F7FFFFF, 0x7F7FFFFF), 0x7F800000U);
  EXPECT_EQ(fp32(0xFF7FFFFF, 0xFF7FFFFF), 0xFF800000U);
  EXPECT_EQ(fp32(0x00C00000, 0x80800000), 0U); // 2^-127
  EXPECT_EQ(fp32(0x80C00000, 0x00800000), 0x80000000U);
  EXPECT_EQ(fp32(0xFFC12345, 0x3F800000), 0x7FC00000U);
  const auto bf16 = [](std::uint32_t a, std::uint32_t b) {
    return accumulate_in_l1(DataFormat::Bf16, a, b);
  };
  EXPECT_EQ(bf16(0x7F7F, 0x7F7F), 0x7F80U);
  EXPECT_EQ(bf16(0xFF7F, 0xFF7F), 0xFF80U);
  EXPECT_EQ(bf16(0x7F7F, 0x7B00), 0x7F80U); // half a unit more than the largest: a tie, to even
  EXPECT_EQ(bf16(0x7F7E, 0x7B00), 0x7F7EU);
  EXPECT_EQ(bf16(0x0080, 0x8081), 0x8000U);
  const auto fp16 = [](std::uint32_t a, std::uint32_t b) {
    return accumulate_in_l1(DataFormat::Fp16, a, b);
  };
  EXPECT_EQ(fp16(0x7800, 0x7800), 0x7C00U); // exponent 31 is an ordinary one
  EXPECT_EQ(fp16(0x7C00, 0x7C00), 0x7FFFU);
  EXPECT_EQ(fp16(0xFC00, 0xFC00), 0xFFFFU);
  EXPECT_EQ(fp16(0x0400, 0x8401), 0xFFFFU);
  // A sum of exactly 0 saturates if what was in L1 has an exponent of 30 or more.
  EXPECT_EQ(fp16(0x77FF, 0xF7FF), 0U);
  EXPECT_EQ(fp16(0x7800, 0xF800), 0x7FFFU);
  EXPECT_EQ(fp16(0xF800, 0x7800), 0x7FFFU);
  EXPECT_EQ(fp16(0x7C01, 0xFC01), 0x7FFFU);
  EXPECT_EQ(fp16(0x8000, 0x8000), 0x8000U);
}

} // namespace
} // namespace lanewise::semantics
