// Products, sums of eight and element-wise terms of the Matrix Unit (MU 5.1..5.4, 5.6, 5.7).
#include "chip/semantics/matrix_terms.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace lanewise::semantics {
namespace {

/// A cell of SourceFile.
constexpr std::uint32_t cell(bool negative, std::uint32_t exponent, std::uint32_t mantissa) {
  return (negative ? 0x80000000U : 0) | exponent << 23 | mantissa << 13;
}

constexpr MatrixFloat k8{};
constexpr MatrixFloat k5{.exponent_5 = true};
constexpr MatrixFloat k5Wide{.exponent_5 = true, .wide = true};

constexpr MatrixFloat in_phase(MatrixFloat mode, unsigned phase) {
  mode.phase = phase;
  return mode;
}

// MU 5.1: zero if and only if the exponent is, and no infinities or NaNs.
TEST(MatrixOperand, OnlyTheExponentMakesZero) {
  EXPECT_TRUE(source_operand(cell(true, 0, 1023)).zero());
  EXPECT_FALSE(source_operand(cell(true, 0, 1023)).negative);
  EXPECT_EQ(source_operand(cell(true, 255, 0)).exponent, 255);
  EXPECT_EQ(source_operand(cell(true, 255, 0)).mantissa, 1024);
}

// MU 5.2, the table.
TEST(MatrixProduct, ExponentOffsetsAndZ) {
  constexpr std::array<std::array<int, 3>, 4> kTable{
      {{-127, -15, 97}, {-132, -20, 92}, {-134, -22, 90}, {-139, -27, 85}}};
  for (unsigned phase = 0; phase < 4; ++phase) {
    EXPECT_EQ(product_exponent_offset(in_phase(k8, phase)), kTable[phase][0]);
    EXPECT_EQ(product_exponent_offset(in_phase(k5, phase)), kTable[phase][1]);
    EXPECT_EQ(product_exponent_offset(in_phase(k5Wide, phase)), kTable[phase][2]);
    EXPECT_EQ(zero_product_exponent(in_phase(k8, phase)), 0);
    EXPECT_EQ(zero_product_exponent(in_phase(k5, phase)), 0);
    EXPECT_EQ(zero_product_exponent(in_phase(k5Wide, phase)), kTable[phase][2]);
  }
}

// MU 5.3: the hidden one and 4 bits of SrcA times the hidden one and 6 bits of SrcB; signs by xor.
TEST(MatrixProduct, Phase0UsesTheHighBits) {
  const auto p = multiply_parts(k8, source_operand(cell(true, 127, 1023)),
                                source_operand(cell(false, 128, 1023)));
  EXPECT_EQ(p.value, -31 * 127);
  EXPECT_EQ(p.exponent, 128);
}

// MU 5.3: p can be 0 with a large exponent, for the parts are not renormalised.
TEST(MatrixProduct, LowBitsOfZeroKeepTheExponent) {
  const SourceOperand one = source_operand(cell(false, 127, 0));
  const auto p = multiply_parts(in_phase(k8, 3), one, one);
  EXPECT_EQ(p.value, 0);
  EXPECT_EQ(p.exponent, 127 - 12);
}

// MU 5.3: if either operand is zero, p = 0 and E = Z.
TEST(MatrixProduct, ZeroOperandsGiveZ) {
  const SourceOperand one = source_operand(cell(false, 15, 0));
  EXPECT_EQ(multiply_parts(k5Wide, {}, one).exponent, 97);
  EXPECT_EQ(multiply_parts(in_phase(k5Wide, 3), one, {}).exponent, 85);
  EXPECT_EQ(multiply_parts(k5, one, {}).exponent, 0);
}

// MU 5.3, 5.8: all four phases together are the whole product, but for SrcA's mantissa bit 0.
TEST(MatrixProduct, PhasesAddUpToTheProduct) {
  std::mt19937 random(1);
  for (int n = 0; n < 2000; ++n) {
    const SourceOperand a = source_operand(cell(false, 127, random() % 1024));
    const SourceOperand b = source_operand(cell(false, 127, random() % 1024));
    std::int64_t sum = 0; // in units of the last phase
    for (unsigned phase = 0; phase < 4; ++phase) {
      const auto p = multiply_parts(in_phase(k8, phase), a, b);
      sum += std::int64_t{p.value} << (p.exponent - (127 - 12));
    }
    // The last phase has SrcA in units of 2, SrcB in units of 1/8.
    EXPECT_EQ(sum, std::int64_t{a.mantissa >> 1} * b.mantissa * 8);
  }
}

std::array<MatrixProduct, 8> nothing_but(MatrixProduct first, MatrixProduct second) {
  std::array<MatrixProduct, 8> products{};
  products[0] = first;
  products[1] = second;
  return products;
}

// MU 5.4, step 2: half away from zero, for both signs.
TEST(MatrixGroup, ProductsRoundHalfAwayFromZero) {
  const MatrixProduct large{.value = 0, .exponent = 101};
  EXPECT_EQ(sum_group(nothing_but(large, {.value = 5, .exponent = 100})).value, 3 << 13);
  EXPECT_EQ(sum_group(nothing_but(large, {.value = -5, .exponent = 100})).value, -(3 << 13));
}

// MU 5.4: no guard bits: each product is rounded by itself before the sum.
TEST(MatrixGroup, EachProductIsRoundedAlone) {
  std::array<MatrixProduct, 8> products{};
  products.fill({.value = 1, .exponent = 100});
  products[0] = {.value = 0, .exponent = 101};
  EXPECT_EQ(sum_group(products).value, 7 << 13); // not 3 or 4
}

// MU 5.4: without a positive exponent nothing is left, with one even smaller products count.
TEST(MatrixGroup, OnlyTheLargestExponentDecidesAboutUnderflow) {
  EXPECT_EQ(sum_group(nothing_but({.value = 100, .exponent = 0}, {.value = 1, .exponent = -1})),
            MatrixTerm{});
  EXPECT_EQ(sum_group(nothing_but({.value = 100, .exponent = 0}, {.value = 1, .exponent = 1})),
            (MatrixTerm{.value = 51 << 13, .exponent = 1}));
}

// MU 5.6: there, one product that underflows is flushed.
TEST(MatrixElement, ProductWithoutExponentIsFlushed) {
  EXPECT_EQ(multiply_term(k8, cell(false, 64, 0), cell(false, 63, 0)), MatrixTerm{});
  EXPECT_EQ(multiply_term(k8, cell(false, 64, 0), cell(true, 64, 0)),
            (MatrixTerm{.value = -(1 << 23), .exponent = 1}));
}

// MU 5.6: Zero_Flag_disabled_src only keeps denormals of SrcB, with a hidden one.
TEST(MatrixElement, DenormalsOfSrcBCanCount) {
  MatrixFloat mode = k8;
  mode.keeps_denormals = true;
  EXPECT_EQ(multiply_term(mode, cell(false, 0, 1), cell(false, 200, 0)), MatrixTerm{});
  EXPECT_EQ(multiply_term(mode, cell(false, 200, 0), cell(false, 0, 512)),
            (MatrixTerm{.value = 16 * 96 << 13, .exponent = 73}));
}

// MU 5.7: the smaller one is aligned with rounding, and nothing of it is left 12 places below.
TEST(MatrixElement, SumsAlignTheSmallerOperand) {
  const std::uint32_t one = cell(false, 127, 0);
  EXPECT_EQ(add_term(k8, one, cell(false, 116, 0)).value, 1025 << 13); // half rounds up
  EXPECT_EQ(add_term(k8, cell(false, 115, 1023), one).value, 1024 << 13);
  EXPECT_EQ(add_term(k8, one, cell(true, 128, 1)),
            (MatrixTerm{.value = -(1025 - 512) << 13, .exponent = 128}));
}

// MU 5.7: numbers of one size are not swapped, and the sign of the first counts.
TEST(MatrixElement, EqualMagnitudesCancelToZero) {
  EXPECT_EQ(add_term(k8, cell(true, 127, 3), cell(false, 127, 3)).value, 0);
}

// MU 5.7, step 4: FP16 into 32-bit Dst.
TEST(MatrixElement, SumsOfFp16AreRebiased) {
  EXPECT_EQ(add_term(k5Wide, cell(false, 15, 0), 0).exponent, 127);
  EXPECT_EQ(add_term(k5Wide, 0, 0).exponent, 97);
  EXPECT_EQ(add_term(k5, 0, 0).exponent, 0);
}

// MU 5.7 [D]: phases divide sums by 32 and by 128.
TEST(MatrixElement, PhasesDivideSums) {
  const std::uint32_t one = cell(false, 127, 0);
  EXPECT_EQ(add_term(in_phase(k8, 1), one, one).exponent, 127 - 5);
  EXPECT_EQ(add_term(in_phase(k8, 2), one, one).exponent, 127 - 7);
  EXPECT_EQ(add_term(in_phase(k8, 3), one, one).exponent, 127 - 12);
}

} // namespace
} // namespace lanewise::semantics
