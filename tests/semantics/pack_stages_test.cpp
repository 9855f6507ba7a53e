// Between early and late conversion: mask of the edges, ReLU, exponent threshold (core.md 14.6,
// 14.7, 14.11).
#include <gtest/gtest.h>

#include <bit>

#include "chip/semantics/dst_format.h"
#include "chip/semantics/half_floats.h"
#include "chip/semantics/pack_values.h"
#include "semantics/random_bits.h"

namespace lanewise::semantics {
namespace {

using isa::DataFormat;

constexpr std::uint8_t kExponentOfLeastFp16 = 113; // 2^-14

TEST(PackStages, ThresholdZeroesWhatHasALowerExponent) {
  Packing how{.intermediate = DataFormat::Bf16, .out = DataFormat::Bf16, .exponent_threshold = 113};
  EXPECT_EQ(basis_of(how), Basis::Documented);
  EXPECT_EQ(apply_exponent_threshold(how, 113U << 7), 113U << 7);
  EXPECT_EQ(apply_exponent_threshold(how, 0x8000 | 113U << 7 | 1), 0x8000 | 113U << 7 | 1);
  EXPECT_EQ(apply_exponent_threshold(how, 112U << 7 | 0x7F), 0U);
  EXPECT_EQ(apply_exponent_threshold(how, 0x8000 | 112U << 7), 0U); // no sign, either
  how = {.out = DataFormat::Fp32, .reads_32_bits = true, .exponent_threshold = 255};
  EXPECT_EQ(basis_of(how), Basis::Documented);
  EXPECT_EQ(apply_exponent_threshold(how, 0x7F7FFFFFU), 0U);
  EXPECT_EQ(apply_exponent_threshold(how, 0xFF800000U), 0xFF800000U);
}

TEST(PackStages, ThresholdTakesFiveBitsAsTheyAre) {
  for (const DataFormat format : {DataFormat::Fp16, DataFormat::Bfp8a, DataFormat::Fp8}) {
    Packing how{.intermediate = format, .out = DataFormat::Fp16, .raw = true};
    for (std::uint32_t fp16 = 0; fp16 < 0x10000; fp16 += 0x100) {
      how.exponent_threshold = 9;
      EXPECT_EQ(basis_of(how), Basis::Documented);
      EXPECT_EQ(apply_exponent_threshold(how, fp16), (fp16 >> 10 & 31) < 9 ? 0 : fp16);
      how.exponent_threshold = 32; // no 5 bits reach it
      EXPECT_EQ(apply_exponent_threshold(how, fp16), 0U);
      how.exponent_threshold = 0;
      EXPECT_EQ(apply_exponent_threshold(how, fp16), fp16);
    }
  }
}

TEST(PackStages, ThresholdLeavesIntegersAlone) {
  for (const DataFormat format : {DataFormat::Int32, DataFormat::Int16, DataFormat::Int8}) {
    const Packing how{
        .intermediate = format, .out = format, .reads_32_bits = true, .exponent_threshold = 255};
    EXPECT_EQ(basis_of(how), Basis::Documented);
    for (const std::uint32_t value : {0U, 1U, 0x80U, 0x7FU})
      EXPECT_EQ(apply_exponent_threshold(how, value), value);
  }
}

// What tt-llk sets the threshold for.
TEST(PackStages, ThresholdLeavesBlocksOfFiveBitsNoDenormals) {
  const Packing how{.intermediate = DataFormat::Fp32,
                    .out = DataFormat::Bfp8a,
                    .reads_32_bits = true,
                    .exponent_threshold = kExponentOfLeastFp16};
  EXPECT_EQ(basis_of(how), Basis::Documented);
  test::BiasedFloats random(5);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t value = random.any();
    const std::uint32_t packed = pack_late(how, apply_exponent_threshold(how, value));
    const bool is_zero = (packed & kMagnitude16) == 0;
    ASSERT_TRUE(is_zero || (packed & kMagnitude16) >= kLeastNormalFp16) << value;
    ASSERT_EQ(is_zero, exponent_field(value) < kExponentOfLeastFp16);
  }
}

TEST(PackStages, ReluOfTheTypesThatOnlyTheDocumentsHave) {
  constexpr std::uint16_t kOneBf16 = 0x3F80, kOneFp16 = 0x3C00;
  Packing tf32{.intermediate = DataFormat::Tf32, .out = DataFormat::Tf32, .threshold = kOneBf16};
  const auto of_bf16 = [&](Relu relu, std::uint32_t bf16) {
    tf32.relu = relu;
    EXPECT_EQ(basis_of(tf32), Basis::Documented);
    return pack_early(tf32, shuffle_16(bf16));
  };
  EXPECT_EQ(of_bf16(Relu::ZeroIfNegative, 0xC000), 0U);
  EXPECT_EQ(of_bf16(Relu::ZeroIfNotAbove, 0x3F80), 0U);
  EXPECT_EQ(of_bf16(Relu::ZeroIfNotAbove, 0x3F81), 0x3F810000U);
  EXPECT_EQ(of_bf16(Relu::Clamp, 0x4000), 0x3F800000U);
  EXPECT_EQ(of_bf16(Relu::Clamp, 0x3F00), 0x3F000000U);
  Packing fp8{
      .intermediate = DataFormat::Fp8, .out = DataFormat::Fp8, .threshold = kOneFp16, .raw = true};
  const auto of_fp16 = [&](Relu relu, std::uint32_t fp16) {
    fp8.relu = relu;
    EXPECT_EQ(basis_of(fp8), Basis::Documented);
    return pack_early(fp8, shuffle_fp16(fp16));
  };
  EXPECT_EQ(of_fp16(Relu::ZeroIfNegative, 0xBC00), 0U);
  EXPECT_EQ(of_fp16(Relu::ZeroIfNotAbove, 0x3C00), 0U);
  EXPECT_EQ(of_fp16(Relu::Clamp, 0x4000), 0x3C00U);
}

TEST(PackStages, ReluOfIntegersKnowsOnlyTheSign) {
  Packing int16{
      .intermediate = DataFormat::Int16, .out = DataFormat::Int16, .relu = Relu::ZeroIfNegative};
  EXPECT_EQ(basis_of(int16), Basis::Documented);
  EXPECT_EQ(pack_early(int16, 0x8001), 0U);
  EXPECT_EQ(pack_early(int16, 0x7FFF), 0x7FFFU);
  Packing int8{.intermediate = DataFormat::Int8,
               .out = DataFormat::Int8,
               .reads_32_bits = true,
               .relu = Relu::ZeroIfNegative};
  EXPECT_EQ(basis_of(int8), Basis::Documented);
  EXPECT_EQ(pack_early(int8, shuffle_32(0x80000005U)), 0U);
  EXPECT_EQ(pack_early(int8, shuffle_32(5U)), 5U);
  int8.is_unsigned = true;
  EXPECT_EQ(pack_early(int8, shuffle_32(200U)), 200U); // the top bit is no sign
  for (const Relu relu : {Relu::ZeroIfNotAbove, Relu::Clamp}) {
    int16.relu = int8.relu = relu;
    EXPECT_EQ(basis_of(int16), Basis::Unknown);
    EXPECT_EQ(basis_of(int8), Basis::Unknown);
  }
}

TEST(PackStages, MaskedDataAreZeroOrMinusInfinity) {
  const auto masked = [](DataFormat format, bool reads_32_bits) {
    const Packing how{.intermediate = format, .out = format, .reads_32_bits = reads_32_bits};
    EXPECT_EQ(basis_of_masked(how, EdgeMode::Zero), basis_of(how));
    EXPECT_EQ(pack_masked(how, EdgeMode::Zero), 0U);
    return pack_masked(how, EdgeMode::MinusInfinity);
  };
  EXPECT_EQ(masked(DataFormat::Fp32, true), 0xFF800000U);
  EXPECT_EQ(masked(DataFormat::Tf32, true), 0xFF800000U);
  EXPECT_EQ(masked(DataFormat::Tf32, false), 0xFF800000U);
  EXPECT_EQ(masked(DataFormat::Bf16, true), 0xFF80U);
  EXPECT_EQ(masked(DataFormat::Bfp8, false), 0xFF80U);
  EXPECT_EQ(masked(DataFormat::Fp16, false), 0xFFFFU); // the lowest that there is
}

TEST(PackStages, MaskedDataGoThroughRelu) {
  const Packing how{
      .intermediate = DataFormat::Bf16, .out = DataFormat::Bf16, .relu = Relu::ZeroIfNegative};
  EXPECT_EQ(pack_masked(how, EdgeMode::MinusInfinity), 0U);
}

TEST(PackStages, MaskedDataArriveAsTheLowestNumber) {
  const auto arrives = [](DataFormat intermediate, DataFormat out, bool reads_32_bits) {
    const Packing how{.intermediate = intermediate,
                      .out = out,
                      .reads_32_bits = reads_32_bits,
                      .rounds_to_10_bits = intermediate == DataFormat::Fp16 && reads_32_bits};
    EXPECT_NE(basis_of_masked(how, EdgeMode::MinusInfinity), Basis::Unknown);
    return pack_late(how, pack_masked(how, EdgeMode::MinusInfinity));
  };
  EXPECT_EQ(arrives(DataFormat::Bf16, DataFormat::Fp32, false), 0xFF800000U);
  EXPECT_EQ(arrives(DataFormat::Fp32, DataFormat::Fp16, true), 0xFFFFU);
  EXPECT_EQ(arrives(DataFormat::Fp16, DataFormat::Fp16, true), 0xFFFFU);
  EXPECT_EQ(arrives(DataFormat::Fp16, DataFormat::Fp8, false), 0xFFU);
}

TEST(PackStages, MinusInfinityIsAssumedWhereThereIsNone) {
  const auto basis = [](DataFormat format, bool reads_32_bits) {
    const Packing how{.intermediate = format, .out = format, .reads_32_bits = reads_32_bits};
    EXPECT_EQ(basis_of(how), Basis::Compared);
    return basis_of_masked(how, EdgeMode::MinusInfinity);
  };
  EXPECT_EQ(basis(DataFormat::Fp32, true), Basis::Documented);
  EXPECT_EQ(basis(DataFormat::Bf16, false), Basis::Documented);
  EXPECT_EQ(basis(DataFormat::Fp16, false), Basis::Assumed);
  EXPECT_EQ(basis(DataFormat::Int32, true), Basis::Unknown);
  EXPECT_EQ(basis(DataFormat::Int16, false), Basis::Unknown);
  EXPECT_EQ(basis(DataFormat::Int8, true), Basis::Unknown);
}

} // namespace
} // namespace lanewise::semantics
