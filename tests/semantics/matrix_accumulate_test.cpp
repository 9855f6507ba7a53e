// How terms are added to Dst (MU 5.5), and INT8 (MU 6).
#include "chip/semantics/matrix_accumulate.h"

#include <gtest/gtest.h>

#include <random>

#include "chip/semantics/matrix_integer.h"

namespace lanewise::semantics {
namespace {

constexpr MatrixFloat kFp32{.wide = true};
constexpr MatrixFloat kBf16{};
constexpr MatrixFloat kFp16{.exponent_5 = true};

/// Register form of Dst.
constexpr std::uint32_t number(bool negative, std::uint32_t exponent, std::uint32_t mantissa) {
  return (negative ? 0x80000000U : 0) | exponent << 23 | mantissa;
}
constexpr std::uint32_t kOne = number(false, 127, 0);

/// A sum of products at an exponent; products have 10 fraction bits.
constexpr MatrixTerm sum(int value, int exponent) {
  return {.value = value * (1 << 13), .exponent = exponent};
}

TEST(MatrixAccumulate, AddsExactly) {
  EXPECT_EQ(accumulate(kFp32, sum(1024, 127), sum(1024, 127), kOne), number(false, 128, 0x400000));
  EXPECT_EQ(accumulate(kFp32, sum(-512, 127), {}, kOne), number(false, 126, 0));
}

// MU 5.5, step 2: of sums, ties go toward +infinity; of Dst, away from zero.
TEST(MatrixAccumulate, TiesOfSumsGoUpAndOfDstAway) {
  const MatrixTerm large = sum(1024, 150); // 1.0 * 2^23: one unit is 1
  const auto with = [&](int half) { return accumulate(kFp32, large, sum(half, 126), 0); };
  EXPECT_EQ(with(1024), number(false, 150, 1));  // +1/2 up to 1
  EXPECT_EQ(with(-1024), number(false, 150, 0)); // -1/2 up to 0
  EXPECT_EQ(accumulate(kFp32, large, {}, number(false, 126, 0)), number(false, 150, 1));
  EXPECT_EQ(accumulate(kFp32, large, {}, number(true, 126, 0)), number(false, 149, 0x7FFFFE));
}

// MU 5.5, step 2: nothing is left 31 places below.
TEST(MatrixAccumulate, FarApartTermsVanish) {
  EXPECT_EQ(accumulate(kFp32, sum(1024, 200), sum(-31496, 169), number(true, 169, 0x7FFFFF)),
            number(false, 200, 0));
}

// MU 5.5, step 3: in 16-bit Dst, aligned terms are rounded again, to 10 fraction bits.
TEST(MatrixAccumulate, Dst16RoundsAlignedTermsTwice) {
  // 1 - 1/2048 - tiny: the second term is half of the last of 10 bits and rounds up to nothing.
  EXPECT_EQ(accumulate(kBf16, sum(1024, 127), sum(-1024, 116), 0), kOne);
  EXPECT_EQ(accumulate(kFp32, sum(1024, 127), sum(-1024, 116), 0), number(false, 126, 0x7FE000));
}

// MU 5.5, step 5: results round half away from zero, and may carry.
TEST(MatrixAccumulate, ResultsRoundHalfAwayFromZero) {
  EXPECT_EQ(accumulate(kBf16, sum(1024 + 4, 127), {}, 0), number(false, 127, 0x010000));
  EXPECT_EQ(accumulate(kBf16, sum(-1024 - 4, 127), {}, 0), number(true, 127, 0x010000));
  EXPECT_EQ(accumulate(kBf16, sum(2047, 127), {}, 0), number(false, 128, 0));
  EXPECT_EQ(accumulate(kFp16, sum(2047, 15), {}, 0), number(false, 15, 0x7FE000));
}

// MU 5.5, step 4: no -0.
TEST(MatrixAccumulate, ZeroIsPositive) {
  EXPECT_EQ(accumulate(kFp32, sum(-1024, 127), {}, kOne), 0U);
  EXPECT_EQ(accumulate(kBf16, {}, {}, number(true, 0, 0)), 0U);
}

// MU 5.5, step 6: what is too small loses its sign too; there are no denormals.
TEST(MatrixAccumulate, UnderflowIsPlusZero) {
  EXPECT_EQ(accumulate(kFp32, sum(-512, 1), {}, 0), 0U);
  EXPECT_EQ(accumulate(kFp32, sum(-1024, 1), {}, 0), number(true, 1, 0));
  EXPECT_EQ(accumulate(kFp32, sum(1024, 0), {}, 0), 0U); // step 1
}

// MU 5.5, step 6: FP16 saturates at an exponent of 32, everything else at 255 becomes infinite.
TEST(MatrixAccumulate, Overflow) {
  EXPECT_EQ(accumulate(kFp32, sum(1024, 255), {}, 0), number(false, 255, 0));
  EXPECT_EQ(accumulate(kBf16, sum(-2047, 254), {}, 0), number(true, 255, 0));
  EXPECT_EQ(accumulate(kFp16, sum(1024, 31), {}, 0), number(false, 31, 0));
  EXPECT_EQ(accumulate(kFp16, sum(-1024, 32), {}, 0), number(true, 31, 0x3FF << 13));
}

// MU 5.1: in Dst too, an exponent of 255 is an ordinary one.
TEST(MatrixAccumulate, InfinityPatternIsANumber) {
  EXPECT_EQ(accumulate(kFp32, sum(-1024, 254), {}, number(false, 255, 0)), number(false, 254, 0));
}

// MU 5.5, Wormhole: a sum of -1 unit gets exponent E + 4; +1 does not, and 16-bit Dst has no such.
TEST(MatrixAccumulate, MinusOneErratum) {
  MatrixFloat wormhole = kFp32;
  wormhole.minus_one_erratum = true;
  const std::uint32_t above = number(true, 127, 1), below = number(false, 127, 1);
  EXPECT_EQ(accumulate(wormhole, sum(1024, 127), {}, above), number(true, 131, 0));
  EXPECT_EQ(accumulate(kFp32, sum(1024, 127), {}, above), number(true, 104, 0));
  EXPECT_EQ(accumulate(wormhole, sum(-1024, 127), {}, below), number(false, 104, 0));
  EXPECT_EQ(accumulate(wormhole, sum(1024, 252), {}, number(true, 252, 1)), number(true, 255, 0));
}

// MU 5.5, consequences: adding zero is not the identity.
TEST(MatrixAccumulate, AddingZeroProducts) {
  EXPECT_EQ(accumulate(kFp32, {}, {}, number(true, 0, 1234)), 0U);
  EXPECT_EQ(accumulate(kFp32, {}, {}, number(true, 1, 1234)), number(true, 1, 1234));
  // FP16 products carry Z = 97, below which Dst loses bits, or all.
  const MatrixTerm zero{.value = 0, .exponent = 97};
  EXPECT_EQ(accumulate(kFp32, zero, zero, number(false, 96, 1)), number(false, 96, 2));
  EXPECT_EQ(accumulate(kFp32, zero, zero, number(false, 66, 0x7FFFFF)), 0U);
}

// MU 6: phase 3 has the low bits; all four are the product of 8 bits of SrcA and 10 of SrcB.
TEST(MatrixInteger, PhasesAddUpToTheProduct) {
  std::mt19937 random(2);
  for (int n = 0; n < 2000; ++n) {
    const std::uint32_t a = random() & 0xFF, b = random() & 0x3FF, sign = random() & 0x80000000U;
    std::int32_t total = 0;
    for (unsigned phase = 0; phase < 4; ++phase) {
      total += int8_operand(sign | 16U << 23 | a << 13, int8_part_a(phase), false) *
               int8_operand(16U << 23 | b << 13, int8_part_b(phase), false);
    }
    const auto product = static_cast<std::int32_t>(a * b);
    EXPECT_EQ(total, sign != 0 ? -product : product);
  }
  EXPECT_EQ(int8_operand(16U << 23 | 31 << 13, int8_part_a(0), false), 0);
  EXPECT_EQ(int8_operand(16U << 23 | 0x300 << 13, int8_part_a(0) | int8_part_a(1), false), 0);
}

// MU 6: an exponent field of 0 is a zero, for SrcB unless Zero_Flag_disabled_src.
TEST(MatrixInteger, ExponentZeroIsZero) {
  EXPECT_EQ(int8_operand(5U << 13, kInt8Magnitude, false), 0);
  EXPECT_EQ(int8_operand(0x80000000U | 5U << 13, kInt8Magnitude, true), -5);
}

// MU 6: clamped to what sign and magnitude hold; -0 is 0, and zero is +0.
TEST(MatrixInteger, AccumulatesWithClamp) {
  EXPECT_EQ(accumulate_integer(1, 0x7FFFFFFF), 0x7FFFFFFFU);
  EXPECT_EQ(accumulate_integer(-1, 0xFFFFFFFF), 0xFFFFFFFFU);
  EXPECT_EQ(accumulate_integer(-5, 3), 0x80000002U);
  EXPECT_EQ(accumulate_integer(0, 0x80000000U), 0U);
  EXPECT_EQ(accumulate_integer(7, 0x80000007U), 0U);
}

} // namespace
} // namespace lanewise::semantics
