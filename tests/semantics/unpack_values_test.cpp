// What unpackers make of a datum (core.md 11.1, 12.5).
#include "chip/semantics/unpack_values.h"

#include <gtest/gtest.h>

#include <bit>

#include "chip/semantics/dst_format.h"

namespace lanewise::semantics {
namespace {

using isa::DataFormat;

constexpr auto kSource = UnpackTarget::SourceRegister;
constexpr auto kDst = UnpackTarget::Dst;

std::uint32_t source(DataFormat in, DataFormat out, std::uint32_t datum,
                     std::uint32_t exponent = 0) {
  const Unpacking how{.in = in, .out = out};
  EXPECT_NE(basis_of(how), Basis::Unknown);
  return unpack_value(how, datum, exponent);
}

float source_number(DataFormat format, std::uint32_t datum, std::uint32_t exponent) {
  return std::bit_cast<float>(source(format, format, datum, exponent));
}

TEST(UnpackValues, Fp32IsCutForASource) {
  constexpr std::uint32_t kDenormal = 0x807FFFFF;
  EXPECT_EQ(source(DataFormat::Fp32, DataFormat::Tf32, 0x3FFFFFFF), 0x3FFFE000U);
  EXPECT_EQ(source(DataFormat::Fp32, DataFormat::Tf32, kDenormal), 0x807FE000U); // stays
  EXPECT_EQ(source(DataFormat::Fp32, DataFormat::Bf16, 0x3FFFFFFF), 0x3FFF0000U);
  EXPECT_EQ(source(DataFormat::Fp32, DataFormat::Bf16, kDenormal), 0x80000000U); // flushed
}

TEST(UnpackValues, Fp32BecomesFp16WithoutInfinity) {
  const auto fp16 = [](float number) {
    return source(DataFormat::Fp32, DataFormat::Fp16, std::bit_cast<std::uint32_t>(number));
  };
  EXPECT_EQ(fp16(1.0F), 15U << 23);
  EXPECT_EQ(fp16(-1.5F), 0x80000000U | 15U << 23 | 1U << 22);
  EXPECT_EQ(fp16(65536.0F), 31U << 23);                 // exponent 31 is an ordinary one
  EXPECT_EQ(fp16(131072.0F), 31U << 23 | 0x3FFU << 13); // the largest
  EXPECT_EQ(fp16(-0x1p-16F), 0x80000000U);              // below exponent 0
  EXPECT_EQ(fp16(0x1.8p-15F), 1U << 22);                // exponent 0 keeps its mantissa
}

TEST(UnpackValues, BlocksAreMagnitudeTimesScale) {
  // Of 7 bits, the top one is worth the shared exponent.
  EXPECT_EQ(source_number(DataFormat::Bfp8, 0x40, 127), 1.0F);
  EXPECT_EQ(source_number(DataFormat::Bfp8, 0xC1, 127), -65.0F / 64);
  EXPECT_EQ(source_number(DataFormat::Bfp8, 0x01, 127), 1.0F / 64);
  EXPECT_EQ(source_number(DataFormat::Bfp8, 0x00, 127), 0.0F);
  EXPECT_EQ(source(DataFormat::Bfp8, DataFormat::Bfp8, 0x80, 127), 0xFF800000U); // -0: -infinity
  EXPECT_EQ(source_number(DataFormat::Bfp4, 0x7, 128), 3.5F);
  EXPECT_EQ(source_number(DataFormat::Bfp4, 0x9, 128), -0.5F);
  EXPECT_EQ(source_number(DataFormat::Bfp2, 0x1, 128), 2.0F);
  EXPECT_EQ(source_number(DataFormat::Bfp2, 0x3, 126), -0.5F);
  // The exponent wraps.
  EXPECT_EQ(source(DataFormat::Bfp8, DataFormat::Bfp8, 0x01, 3), 253U << 23);
}

TEST(UnpackValues, BlocksOfFiveBitsAreFp16) {
  EXPECT_EQ(source(DataFormat::Bfp8a, DataFormat::Fp16, 0x40, 15), 15U << 23);
  EXPECT_EQ(source(DataFormat::Bfp4a, DataFormat::Bfp4a, 0xF, 16),
            0x80000000U | 16U << 23 | 3U << 21);
  EXPECT_EQ(source(DataFormat::Bfp2a, DataFormat::Bfp2a, 0x2, 16), 0x80000000U | 31U << 23);
  const Unpacking how{.in = DataFormat::Bfp8a, .out = DataFormat::Bfp8a};
  EXPECT_FALSE(loses_exponent(how, 0x01, 6));
  EXPECT_TRUE(loses_exponent(how, 0x01, 5)); // its leading one is six places down
  EXPECT_TRUE(loses_exponent(how, 0x40, 32));
  EXPECT_FALSE(loses_exponent(how, 0x00, 32));
  EXPECT_FALSE(loses_exponent({.in = DataFormat::Bfp8, .out = DataFormat::Bfp8}, 0x01, 0));
}

TEST(UnpackValues, SmallFloatsDependOnTheChip) {
  Unpacking how{.in = DataFormat::Fp8, .out = DataFormat::Fp8};
  const auto of = [&](std::uint32_t datum) { return unpack_value(how, datum) >> 13 & 0x7FFF; };
  EXPECT_EQ(of(0x3C), 0x3C00U); // 1
  EXPECT_EQ(of(0x7F), 0x7FFFU);
  how.arch = Arch::Wormhole;
  EXPECT_EQ(of(0x7F), 0x7F00U);
  how.fp8_has_long_mantissa = true;
  EXPECT_EQ(basis_of(how), Basis::Unknown);
  how.arch = Arch::Blackhole;
  EXPECT_EQ(basis_of(how), Basis::Compared);
  EXPECT_EQ(of(0x38), 0x3C00U); // 1
  EXPECT_EQ(of(0x7E), 0x5F00U); // 448
  EXPECT_EQ(of(0x01), 0x0080U); // a denormal is not normalised
  EXPECT_EQ(of(0x7F), 0x5FFFU);
}

TEST(UnpackValues, IntegersHaveAnExponentThatMeansNothing) {
  Unpacking how{.in = DataFormat::Int8, .out = DataFormat::Int8};
  EXPECT_EQ(unpack_value(how, 0x85), 0x80000000U | 16U << 23 | 5U << 13);
  EXPECT_EQ(unpack_value(how, 0x00), 0U);
  how.is_unsigned = true;
  EXPECT_EQ(unpack_value(how, 0x85), 16U << 23 | 0x85U << 13);
}

TEST(UnpackValues, DstGetsItsOwnOrder) {
  const auto dst = [](DataFormat in, DataFormat out, std::uint32_t datum) {
    const Unpacking how{.in = in, .out = out, .target = kDst};
    EXPECT_NE(basis_of(how), Basis::Unknown);
    return unpack_value(how, datum);
  };
  for (const std::uint32_t bits : {0x00000000U, 0x12345678U, 0x80000001U, 0xFFFFFFFFU}) {
    EXPECT_EQ(unshuffle_32(dst(DataFormat::Fp32, DataFormat::Fp32, bits)), bits);
    EXPECT_EQ(unshuffle_32(dst(DataFormat::Int32, DataFormat::Int32, bits)), bits);
    EXPECT_EQ(unshuffle_16(dst(DataFormat::Bf16, DataFormat::Bf16, bits >> 16)), bits >> 16);
    EXPECT_EQ(dst(DataFormat::Int16, DataFormat::Int16, bits >> 16), bits >> 16);
  }
  EXPECT_EQ(dst(DataFormat::Fp16, DataFormat::Fp16, 0xBC01), 0x8000U | 1U << 5 | 15U);
  EXPECT_EQ(dst(DataFormat::Int8, DataFormat::Int8, 0x83), 0x8000U | 3U << 5 | 16U);
}

TEST(UnpackValues, Int16OfASourceMovesToDstUnchanged) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const std::uint32_t cell = source(DataFormat::Int16, DataFormat::Int16, bits);
    ASSERT_EQ(shuffle_16(cell >> 16), bits);
  }
}

TEST(UnpackValues, SayHowWellTheyAreKnown) {
  const auto basis = [](DataFormat in, DataFormat out, UnpackTarget target) {
    return basis_of({.in = in, .out = out, .target = target});
  };
  EXPECT_EQ(basis(DataFormat::Bfp4, DataFormat::Bfp4, kSource), Basis::Compared);
  EXPECT_EQ(basis(DataFormat::Bfp4, DataFormat::Bfp8, kSource), Basis::Assumed);
  EXPECT_EQ(basis(DataFormat::Bfp4, DataFormat::Fp32, kSource), Basis::Unknown);
  EXPECT_EQ(basis(DataFormat::Bfp4a, DataFormat::Bfp4a, kSource), Basis::Documented);
  EXPECT_EQ(basis(DataFormat::Bf16, DataFormat::Bf16, kDst), Basis::Documented);
  EXPECT_EQ(basis(DataFormat::Bf16, DataFormat::Tf32, kSource), Basis::Assumed);
  EXPECT_EQ(basis(DataFormat::Bf16, DataFormat::Tf32, kDst), Basis::Unknown); // of another width
  EXPECT_EQ(basis(DataFormat::Fp32, DataFormat::Fp32, kSource), Basis::Unknown);
  EXPECT_EQ(basis(DataFormat::Int32, DataFormat::Int32, kSource), Basis::Unknown);
  EXPECT_EQ(basis(DataFormat::Fp8, DataFormat::Fp8, kDst), Basis::Unknown);
  EXPECT_EQ(basis(static_cast<DataFormat>(12), DataFormat::Fp32, kSource), Basis::Unknown);
}

} // namespace
} // namespace lanewise::semantics
