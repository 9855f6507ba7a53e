// Single points: IEEE's special values, hard cases from the literature, exact results and ties, and
// what cannot be decided.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "number/references/enclosure.h"
#include "number/references/evaluation.h"
#include "number/references/expression.h"
#include "number/references/rounding.h"
#include "references/reference_fixture.h"

namespace lanewise::references {
namespace {

using formats::Format;

struct Point {
  const char* expression;
  double x;
  double result; ///< the very number, with the sign of a zero; kNotANumber for any NaN
};

void expect_number(const ReferenceValue& value, Format format, double wanted, const char* what) {
  EXPECT_TRUE(value.decided) << what;
  EXPECT_EQ(value.bits, formats::round_to_bits(format, wanted)) << what;
  EXPECT_EQ(std::isnan(value.exact), std::isnan(wanted)) << what;
}

// --- IEEE 754-2019, 9.2.1, for functions it has; the limits for those that it does not have.

class SpecialValues : public testing::TestWithParam<Point> {};

TEST_P(SpecialValues, InEveryFloatFormat) {
  const auto& [expression, x, wanted] = GetParam();
  for (const Format format : {Format::FP32, Format::BF16, Format::FP16}) {
    expect_number(value_at(expression, format, x), format, wanted, expression);
  }
}

INSTANTIATE_TEST_SUITE_P(Exponentials, SpecialValues,
                         testing::Values(Point{"exp(x)", -kInf, 0}, Point{"exp(x)", kInf, kInf},
                                         Point{"exp(x)", -0.0, 1}, Point{"exp(x)", -1e4, 0},
                                         Point{"exp(x)", -3e38, 0}, Point{"exp(x)", 1e4, kInf},
                                         Point{"exp2(x)", -1e30, 0}, Point{"exp10(x)", -kInf, 0},
                                         Point{"expm1(x)", -0.0, -0.0},
                                         Point{"expm1(x)", -kInf, -1}, Point{"log(x)", 0.0, -kInf},
                                         Point{"log(x)", -0.0, -kInf}, Point{"log(x)", 1, 0},
                                         Point{"log(x)", -1, kNotANumber},
                                         Point{"log(x)", kInf, kInf}, Point{"log2(x)", 8, 3},
                                         Point{"log10(x)", 1000, 3}, Point{"log1p(x)", -1, -kInf},
                                         Point{"log1p(x)", -0.0, -0.0},
                                         Point{"log1p(x)", -2, kNotANumber}));
INSTANTIATE_TEST_SUITE_P(
    Powers, SpecialValues,
    testing::Values(
        Point{"1 / x", 0.0, kInf}, Point{"1 / x", -0.0, -kInf}, Point{"1 / x", -kInf, -0.0},
        Point{"reciprocal(x)", -0.0, -kInf}, Point{"sqrt(x)", -0.0, -0.0},
        Point{"sqrt(x)", -1, kNotANumber}, Point{"rsqrt(x)", 0.0, kInf},
        Point{"rsqrt(x)", -0.0, -kInf}, Point{"rsqrt(x)", kInf, 0}, Point{"cbrt(x)", -8, -2},
        Point{"cbrt(x)", -kInf, -kInf}, Point{"x^0", kNotANumber, 1}, Point{"1^x", kNotANumber, 1},
        Point{"x^3", -0.0, -0.0}, Point{"x^-3", -0.0, -kInf}, Point{"x^-2", -0.0, kInf},
        Point{"x^0.5", -1, kNotANumber}, Point{"x^101", -kInf, -kInf}, Point{"(-1)^x", kInf, 1},
        Point{"(-2)^x", 3, -8}, Point{"0.5^x", -kInf, kInf}, Point{"fmod(x, 3)", -0.0, -0.0},
        Point{"fmod(x, 0)", 1, kNotANumber}, Point{"fmod(x, inf)", -5, -5},
        Point{"fmod(x, 3)", kInf, kNotANumber}, Point{"x - x", 5, 0.0},
        Point{"x - x", kInf, kNotANumber}, Point{"x * inf", 0, kNotANumber},
        Point{"x / x", 0, kNotANumber}, Point{"-x + 0", 0, 0.0}, Point{"x + x", -0.0, -0.0}));
INSTANTIATE_TEST_SUITE_P(
    Angles, SpecialValues,
    testing::Values(Point{"sin(x)", -0.0, -0.0}, Point{"sin(x)", kInf, kNotANumber},
                    Point{"cos(x)", 0, 1}, Point{"cos(x)", -kInf, kNotANumber},
                    Point{"tan(x)", -0.0, -0.0}, Point{"tan(x)", kInf, kNotANumber},
                    Point{"asin(x)", -0.0, -0.0}, Point{"asin(x)", 1.5, kNotANumber},
                    Point{"acos(x)", 1, 0}, Point{"acos(x)", -1.5, kNotANumber},
                    Point{"sinh(x)", -kInf, -kInf}, Point{"cosh(x)", -kInf, kInf},
                    Point{"tanh(x)", -0.0, -0.0}, Point{"tanh(x)", kInf, 1},
                    Point{"tanh(x)", -1e30, -1}, Point{"asinh(x)", -kInf, -kInf},
                    Point{"acosh(x)", 1, 0}, Point{"acosh(x)", 0.5, kNotANumber},
                    Point{"atanh(x)", 1, kInf}, Point{"atanh(x)", -1, -kInf},
                    Point{"atanh(x)", 2, kNotANumber}));
INSTANTIATE_TEST_SUITE_P(
    Others, SpecialValues,
    testing::Values(
        Point{"erf(x)", kInf, 1}, Point{"erf(x)", -0.0, -0.0}, Point{"erfc(x)", -kInf, 2},
        Point{"erfc(x)", kInf, 0}, Point{"erfinv(x)", 1, kInf}, Point{"erfinv(x)", -1, -kInf},
        Point{"erfinv(x)", -0.0, -0.0}, Point{"erfinv(x)", 1.5, kNotANumber}, Point{"i0(x)", 0, 1},
        Point{"i0(x)", -kInf, kInf}, Point{"i0(x)", 1e30, kInf}, Point{"i1(x)", -0.0, -0.0},
        Point{"i1(x)", -kInf, -kInf}, Point{"i1(x)", -1e30, -kInf}, Point{"gelu(x)", -kInf, -0.0},
        Point{"gelu(x)", -1e30, -0.0}, Point{"gelu(x)", kInf, kInf},
        Point{"gelu_tanh(x)", -kInf, -0.0}, Point{"silu(x)", -kInf, -0.0},
        Point{"silu(x)", -3e38, -0.0}, Point{"mish(x)", -kInf, -0.0}, Point{"sigmoid(x)", -kInf, 0},
        Point{"sigmoid(x)", kInf, 1}, Point{"softplus(x)", -kInf, 0},
        Point{"softplus(x)", kInf, kInf}, Point{"softsign(x)", -kInf, -1},
        Point{"hardswish(x)", -kInf, -0.0}, Point{"hardsigmoid(x)", -kInf, 0},
        Point{"relu(x)", -kInf, 0}, Point{"elu(x, 2)", -kInf, -2}));
INSTANTIATE_TEST_SUITE_P(
    Selections, SpecialValues,
    testing::Values(Point{"min(x, 0)", -0.0, -0.0}, Point{"max(x, 0)", -0.0, 0.0},
                    Point{"max(0, x)", kNotANumber, kNotANumber}, Point{"sign(x)", -0.0, -0.0},
                    Point{"x < nan", 1, 0}, Point{"x != nan", 1, 1}, Point{"x == 0", -0.0, 1},
                    Point{"nan ? 1 : 2", 0, 2}, Point{"!nan", 0, 1},
                    Point{"int32(x)", kNotANumber, 0}, Point{"int8(x)", -0.5, 0.0},
                    Point{"uint8(x)", -kInf, 0}, Point{"uint8(x)", kInf, 255},
                    Point{"copysign(3, x)", -0.0, -3}, Point{"isinf(x)", -kInf, 1},
                    Point{"isnan(x)", kNotANumber, 1}, Point{"isfinite(x)", kNotANumber, 0},
                    Point{"round(x)", -2.5, -3}, Point{"rint(x)", -2.5, -2},
                    Point{"ceil(x)", -0.5, -0.0}, Point{"heaviside(x, 7)", -0.0, 7},
                    Point{"step(x)", -0.0, 1}));

// torch.lgamma, digamma, polygamma, mvlgamma: poles and infinities as PyTorch documents and
// computes them.
INSTANTIATE_TEST_SUITE_P(
    Gamma, SpecialValues,
    testing::Values(
        Point{"lgamma(x)", 1, 0}, Point{"lgamma(x)", 2, 0}, Point{"lgamma(x)", -0.0, kInf},
        Point{"lgamma(x)", -3, kInf}, Point{"lgamma(x)", -kInf, kInf},
        Point{"lgamma(x)", kInf, kInf}, Point{"lgamma(x)", -3e38, kInf},
        Point{"digamma(x)", 0.0, -kInf}, Point{"digamma(x)", -0.0, kInf},
        Point{"digamma(x)", -5, kNotANumber}, Point{"digamma(x)", kInf, kInf},
        Point{"digamma(x)", -kInf, kNotANumber}, Point{"polygamma(1, x)", 0.0, kInf},
        Point{"polygamma(1, x)", -2, kInf}, Point{"polygamma(2, x)", 0.0, -kInf},
        Point{"polygamma(2, x)", kInf, -0.0}, Point{"polygamma(3, x)", kInf, 0.0},
        Point{"polygamma(1, x)", -kInf, kNotANumber}, Point{"polygamma(1.5, x)", 1, kNotANumber},
        Point{"polygamma(-1, x)", 1, kNotANumber}, Point{"polygamma(101, x)", 1, kNotANumber},
        Point{"multigammaln(x)", 1.5, kInf}, Point{"multigammaln(x)", kInf, kInf},
        Point{"multigammaln(x, 0)", 1, kNotANumber}, Point{"multigammaln(x, 1)", 1, 0}));
INSTANTIATE_TEST_SUITE_P(
    MoreActivations, SpecialValues,
    testing::Values(Point{"celu(x, 2)", -kInf, -2}, Point{"celu(x)", -0.0, -0.0},
                    Point{"selu(x)", kInf, kInf}, Point{"selu(x)", -0.0, -0.0},
                    Point{"log_sigmoid(x)", -kInf, -kInf}, Point{"log_sigmoid(x)", kInf, -0.0},
                    Point{"hardmish(x)", -kInf, -0.0}, Point{"hardmish(x)", kInf, kInf},
                    Point{"hardmish(x)", -1, -0.5}, Point{"hardtanh(x)", -kInf, -1},
                    Point{"tanhshrink(x)", -kInf, -kInf}, Point{"tanhshrink(x)", -0.0, 0.0},
                    Point{"softshrink(x)", -kInf, -kInf}, Point{"softshrink(x)", 0.5, 0.0},
                    Point{"softshrink(x)", -0.25, -0.0}, Point{"hardshrink(x)", 0.5, 0.0},
                    Point{"hardshrink(x)", -kInf, -kInf}, Point{"threshold(x, 1, 7)", 1, 7},
                    Point{"relu6(x)", kInf, 6}, Point{"logit(x)", 0, -kInf},
                    Point{"logit(x)", 1, kInf}, Point{"logit(x)", 0.5, 0},
                    Point{"logit(x)", 2, kNotANumber}, Point{"logit(x, 0)", 2, kInf},
                    Point{"logit(x, 0.25)", -1, -1.0986122886681098}));
INSTANTIATE_TEST_SUITE_P(
    PairsWithOneConstant, SpecialValues,
    testing::Values(
        Point{"atan2(x, 1)", -0.0, -0.0}, Point{"atan2(x, -1)", -0.0, -3.141592653589793},
        Point{"atan2(x, 0)", 0.0, 0.0}, Point{"atan2(x, inf)", kInf, 0.78539816339744831},
        Point{"atan2(x, -0)", 0.0, 3.141592653589793}, Point{"hypot(x, nan)", -kInf, kInf},
        Point{"hypot(x, 4)", 3, 5}, Point{"logaddexp(x, -inf)", -kInf, -kInf},
        Point{"logaddexp(x, inf)", kInf, kInf}, Point{"logaddexp(x, 0)", 0, 0.69314718055994531},
        Point{"logaddexp2(x, 3)", 3, 4}, Point{"xlogy(x, 0)", 0, 0}, Point{"xlogy(x, -1)", 0, 0},
        Point{"xlogy(x, nan)", 0, kNotANumber}, Point{"xlogy(x, 0)", 2, -kInf},
        Point{"remainder(x, 3)", -5, 1}, Point{"remainder(x, -3)", 5, -1},
        Point{"remainder(x, 3)", -6, -0.0}, Point{"remainder(x, inf)", -5, kInf},
        Point{"remainder(x, 0)", 1, kNotANumber}, Point{"floor_div(x, 2)", -5, -3},
        Point{"floor_div(x, 0)", -5, -kInf}, Point{"div_no_nan(x, 0)", kInf, 0},
        Point{"ldexp(x, 3)", 0.75, 6}, Point{"ldexp(x, inf)", 0, kNotANumber},
        Point{"ldexp(x, -1000)", -1, -0.0}, Point{"lerp(x, 8, 0.5)", 4, 6},
        Point{"signbit(x)", -0.0, 1}, Point{"signbit(x)", kInf, 0}, Point{"isneginf(x)", -kInf, 1},
        Point{"isposinf(x)", -kInf, 0}, Point{"logical_xor(x, 1)", -0.0, 1},
        Point{"rad2deg(x)", kInf, kInf}, Point{"deg2rad(x)", -0.0, -0.0}));

TEST(ReferenceValues, NextAfterGoesToTheNextFp32) {
  EXPECT_EQ(number_at("nextafter(x, y)", 1, 2), 0x1.000002p+0);
  EXPECT_EQ(number_at("nextafter(x, y)", 1, -kInf), 0x1.fffffep-1);
  EXPECT_EQ(number_at("nextafter(x, y)", -0.0, 1), 0x1p-149);
  EXPECT_EQ(number_at("nextafter(x, y)", 0x1.fffffep+127, kInf), kInf);
  EXPECT_EQ(number_at("nextafter(x, y)", 3, 3), 3);
  EXPECT_TRUE(std::isnan(number_at("nextafter(x, y)", 3, kNotANumber)));
}

TEST(ReferenceValues, OperandsThatAreLeftOutHaveTheirDefaults) {
  const std::array<std::array<const char*, 2>, 7> same{{{"celu(x)", "celu(x, 1)"},
                                                        {"elu(x)", "elu(x, 1)"},
                                                        {"leaky_relu(x)", "leaky_relu(x, 0.01)"},
                                                        {"softshrink(x)", "softshrink(x, 0.5)"},
                                                        {"hardtanh(x, -2)", "hardtanh(x, -2, 1)"},
                                                        {"multigammaln(x)", "multigammaln(x, 4)"},
                                                        {"hardshrink(x)", "hardshrink(x, 0.5)"}}};
  for (const auto& [shorter, longer] : same) {
    for (const double x : {-3.0, -0.75, 0.25, 0.625, 3.5})
      EXPECT_EQ(value_at(shorter, Format::FP32, x), value_at(longer, Format::FP32, x)) << shorter;
  }
  const auto wrong = parse_reference("celu(x, 1, 2)");
  ASSERT_FALSE(wrong);
  EXPECT_NE(to_string(wrong.error()).find("has 1 to 2 operands, not 3"), std::string::npos);
  EXPECT_NE(to_string(wrong.error()).find("celu(x, y = 1)"), std::string::npos);
}

TEST(ReferenceValues, NanStaysNanInEveryFunctionButSome) {
  for (const char* expression : {"exp(x)",
                                 "log(x)",
                                 "sin(x)",
                                 "tan(x)",
                                 "cosh(x)",
                                 "gelu(x)",
                                 "silu(x)",
                                 "mish(x)",
                                 "softplus(x)",
                                 "hardswish(x)",
                                 "hardsigmoid(x)",
                                 "relu(x)",
                                 "sign(x)",
                                 "step(x)",
                                 "floor(x)",
                                 "abs(x)",
                                 "i0(x)",
                                 "i1(x)",
                                 "erfinv(x)",
                                 "x^2",
                                 "x + 1",
                                 "heaviside(x, 1)",
                                 "elu(x, 1)",
                                 "bf16(x)",
                                 "tf32(x)",
                                 "lgamma(x)",
                                 "digamma(x)",
                                 "polygamma(1, x)",
                                 "polygamma(x, 1)",
                                 "multigammaln(x)",
                                 "celu(x)",
                                 "selu(x)",
                                 "log_sigmoid(x)",
                                 "hardmish(x)",
                                 "hardtanh(x)",
                                 "tanhshrink(x)",
                                 "softshrink(x)",
                                 "hardshrink(x)",
                                 "threshold(x, 1, 2)",
                                 "relu6(x)",
                                 "logit(x)",
                                 "atan2(x, 1)",
                                 "atan2(1, x)",
                                 "hypot(x, 1)",
                                 "logaddexp(x, 1)",
                                 "logaddexp2(1, x)",
                                 "xlogy(x, 1)",
                                 "remainder(x, 1)",
                                 "remainder(1, x)",
                                 "floor_div(x, 1)",
                                 "ldexp(x, 1)",
                                 "nextafter(x, 1)",
                                 "nextafter(1, x)",
                                 "rad2deg(x)",
                                 "lerp(1, x, 1)"}) {
    expect_number(value_at(expression, Format::FP32, kNotANumber), Format::FP32, kNotANumber,
                  expression);
    expect_number(value_at(expression, Format::FP32, -kNotANumber), Format::FP32, kNotANumber,
                  expression);
  }
}

// --- Inputs whose results lie nearest to the middle between two numbers. Inputs of log and exp are
// those that LLVM's libc (libc/src/math/generic/{logf,expf}.cpp) lists as hard to round, those of
// sin those that CORE-MATH (src/binary32/sin/sinf.c) does; the results are theirs, to nearest (that
// of exp with its correction, x * -2^-95, added).

class HardCases : public testing::TestWithParam<Point> {};

TEST_P(HardCases, AreRoundedAsPublished) {
  const auto& [expression, x, wanted] = GetParam();
  expect_number(value_at(expression, Format::FP32, x), Format::FP32, wanted, expression);
}

INSTANTIATE_TEST_SUITE_P(Binary32, HardCases,
                         testing::Values(Point{"exp(x)", -0x1.6d7b18p+5, 0x1.108a5ap-66},
                                         Point{"log(x)", 0x1.fe9adep-1, -0x1.659ec8p-9},
                                         Point{"log(x)", 0x1.2f1fd6p+3, 0x1.1fcbcep+1},
                                         Point{"log(x)", 0x1.108a5ap-66, -0x1.6d7b18p+5},
                                         Point{"log(x)", 0x1.bacb4ap+25, 0x1.1e0696p+4},
                                         Point{"log(x)", 0x1.b121a6p+76, 0x1.a9a3f2p+5},
                                         Point{"log(x)", 0x1.6351d8p+95, 0x1.08b512p+6},
                                         Point{"log(x)", 0x1.2fe614p+117, 0x1.451436p+6},
                                         Point{"log(x)", 0x1.1ff606p+33, 0x1.6fdd34p+4},
                                         Point{"log(x)", 0x1.ad3d1p+58, 0x1.45c146p+5},
                                         Point{"log(x)", 0x1.d1309cp+62, 0x1.5c9442p+5},
                                         Point{"sin(x)", 0x1.33333p+13, -0x1.63f4bap-2},
                                         Point{"sin(x)", 0x1.75b8a2p-1, 0x1.55688ap-1},
                                         Point{"sin(x)", 0x1.4f0654p+0, 0x1.ee836cp-1}));

/// Functions that come closer to the identity than any precision shows stay on their side of a tie.
/// 1 + 2^-8 is in the middle between two BF16, 1 (even) and 1 + 2^-7; 1 + 3 * 2^-8 as well, with
/// the even number above.
TEST(HardCase, NextToATie) {
  const double down = (1 + 0x1p-8) * 0x1p60, up = (1 + 3 * 0x1p-8) * 0x1p60;
  const double above_up = (1 + 0x1p-6) * 0x1p60, below_up = (1 + 0x1p-7) * 0x1p60;
  for (const char* below : {"gelu(x)", "silu(x)", "mish(x)", "gelu_tanh(x)", "x - exp(-x)"}) {
    expect_number(value_at(below, Format::BF16, up), Format::BF16, below_up, below);
  }
  for (const char* above : {"softplus(x)", "x + exp(-x)", "x * cosh(1 / x)"}) {
    expect_number(value_at(above, Format::BF16, down), Format::BF16, below_up, above);
  }
  expect_number(value_at("x", Format::BF16, up), Format::BF16, above_up, "the tie itself");
  expect_number(value_at("sin(x)", Format::BF16, (1 + 3 * 0x1p-8) * 0x1p-100), Format::BF16,
                (1 + 0x1p-7) * 0x1p-100, "sin");
}

// --- Exact results

TEST(ExactResults, SumsOfBf16AreTies) {
  // 1 and 2^-8 (1 + 2 k) add up to a middle for k = 0; to even.
  EXPECT_EQ(number_at("x + y", 1, 0x1p-8, Format::BF16), 1);
  EXPECT_EQ(number_at("x + y", 1 + 0x1p-7, 0x1p-8, Format::BF16), 1 + 0x1p-6);
  EXPECT_EQ(number_at("x - y", 1 + 0x1p-7, 0x1p-8, Format::BF16), 1);
  EXPECT_TRUE(value_at("x + y", Format::BF16, 1, 0x1p-8).decided);
  // A sum of far apart numbers is beside the tie that its larger operand is.
  EXPECT_EQ(number_at("x + y", 1 + 0x1p-8, 0x1p-100, Format::BF16), 1 + 0x1p-7);
  EXPECT_EQ(number_at("x + y", 1 + 3 * 0x1p-8, -0x1p-100, Format::BF16), 1 + 0x1p-7);
}

TEST(ExactResults, RootsAndPowers) {
  for (int i = 1; i < 1000; ++i) {
    const double n = i;
    EXPECT_EQ(value_at("sqrt(x)", Format::FP32, n * n).exact, n);
    EXPECT_EQ(value_at("x^2", Format::FP32, n).exact, n * n);
    EXPECT_EQ(number_at("x^3", n), static_cast<double>(static_cast<float>(n * n * n)));
  }
  for (int i = -149; i < 128; ++i) {
    EXPECT_EQ(number_at("exp2(x)", i), std::ldexp(1.0, i));
    EXPECT_EQ(number_at("int32(log2(x))", std::ldexp(1.0, i)), i);
    EXPECT_EQ(number_at("2^x", i), std::ldexp(1.0, i));
  }
  // 2^-150 is in the middle between 0 and the smallest denormal.
  EXPECT_EQ(value_at("exp2(x)", Format::FP32, -150).bits, 0u);
  EXPECT_EQ(value_at("exp2(x)", Format::FP32, std::nextafter(-150.0, 0.0)).bits, 1u);
}

TEST(ExactResults, IntegerFormatsRoundTiesToEven) {
  EXPECT_EQ(number_at("x / 2", 5, 0, Format::INT32), 2);
  EXPECT_EQ(number_at("x / 2", 7, 0, Format::INT16), 4);
  EXPECT_EQ(number_at("exp(x)", 100, 0, Format::UINT16), 65535);
  EXPECT_EQ(number_at("-exp(x)", 100, 0, Format::INT8), -1023);
  EXPECT_EQ(number_at("int32(x)", 3e9, 0, Format::INT32), 2147483647);
  EXPECT_EQ(number_at("uint32(x)", 3e9, 0, Format::UINT32), 3e9);
}

TEST(Undecided, AMiddleThatNoPrecisionReaches) {
  // sqrt(x)^2 is x, but for every precision there is an interval around it.
  const ReferenceValue middle = value_at("sqrt(x)^2", Format::BF16, 3 + 0x1p-7);
  EXPECT_FALSE(middle.decided);
  EXPECT_EQ(middle.exact, 3 + 0x1p-7);
  EXPECT_EQ(middle.bits, formats::round_to_bits(Format::BF16, 3 + 0x1p-7));
  EXPECT_TRUE(value_at("sqrt(x)^2", Format::BF16, 3 + 0x1p-8).decided) << "no middle";
}

/// 0.01 is an interval at every precision. A hundredth of 25 * 257 * 4 is 257, between 256 and 258.
TEST(Undecided, ATieThroughADecimal) {
  const ReferenceValue tie = value_at("0.01 * x", Format::BF16, 25'700);
  EXPECT_FALSE(tie.decided);
  EXPECT_EQ(formats::value_of_bits(Format::BF16, tie.bits), 256);
}

TEST(Undecided, WhatLeavesMpfrsRange) {
  EXPECT_FALSE(value_at("log(exp(x))", Format::FP32, 1e30).decided);
  EXPECT_FALSE(value_at("sin(exp(x))", Format::FP32, 1e6).decided);
  EXPECT_FALSE(value_at("log(i0(x))", Format::FP32, 1e5).decided);
  EXPECT_TRUE(value_at("log(i0(x))", Format::FP32, 9e3).decided);
}

TEST(ExactNumbers, AreNearTheResult) {
  for (const char* expression :
       {"exp(x)", "gelu(x)", "sin(x)", "x / 3", "exp(x) - 1", "erfc(x)", "tanh(x) - x"}) {
    for (double x = -5; x < 5; x += 0.37) {
      const double exact = value_at(expression, Format::FP32, x).exact;
      const double again = value_at("0 + " + std::string(expression), Format::BF16, x).exact;
      EXPECT_NEAR(exact, again, std::ldexp(std::fabs(exact), -39)) << expression << " at " << x;
    }
  }
}

// --- Rounding without branches is round_to_bits()

template <Format format>
void expect_same_rounding(double value) {
  ASSERT_EQ(round_number<format>(value), formats::round_to_bits(format, value))
      << formats::format_name(format) << fmt::format(" {:a}", value);
}

void expect_same_roundings(double value) {
  expect_same_rounding<Format::FP32>(value);
  expect_same_rounding<Format::BF16>(value);
  expect_same_rounding<Format::FP16>(value);
}

TEST(FastRounding, IsThatOfTheFormats) {
  tensors::SplitMix64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const double any = std::bit_cast<double>(random());
    if (any == any) expect_same_roundings(any);
    // Near the range of the formats, with few bits, so that ties are among them.
    const double mantissa = static_cast<double>(random() % (1u << 12)) * 0x1p-11;
    const double sign = (random() & 1) != 0 ? -1 : 1;
    expect_same_roundings(sign * std::ldexp(mantissa, static_cast<int>(random() % 310) - 160));
  }
  for (const Format format : {Format::FP32, Format::BF16, Format::FP16}) {
    for (std::uint32_t bits = 0; bits < 0x7F80; ++bits) {
      const double low = formats::value_of_bits(format, bits),
                   high = formats::value_of_bits(format, bits + 1);
      const double middle = (low + high) / 2;
      for (const double value :
           {low, middle, std::nextafter(middle, 0), std::nextafter(middle, kInf)}) {
        expect_same_roundings(value);
        expect_same_roundings(-value);
      }
    }
  }
  for (const double value : {0.0, -0.0, kInf, -kInf, 0x1p-149, 0x1p-150, 0x1.8p-150}) {
    expect_same_roundings(value);
  }
}

// Doubles decide nearly all results, so that a wrong enclosure shows here alone.
TEST(ReferenceEnclosures, OfBesselFunctionsHoldTheirKnownValues) {
  // I0(1) and I1(1): OEIS A197036 and A096789.
  for (const auto& [text, known] :
       {std::pair{"i0(x)", 1.26606587775200833559824462521471753761},
        std::pair{"i1(x)", 0.565159103992485027207696027609863307328}}) {
    const auto expression = parse_expression(text);
    ASSERT_TRUE(expression.has_value());
    const Enclosure found = evaluate_between(*expression, 1, 1);
    EXPECT_FALSE(found.is_nan || found.maybe_nan);
    EXPECT_DOUBLE_EQ(middle(found), known) << text;
  }
}

} // namespace
} // namespace lanewise::references
