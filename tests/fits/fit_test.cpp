// Polynomials and tables against what is known of best approximations, and their kernels against
// themselves in exact arithmetic.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>

#include "base/private_folder.h"
#include "number/fits/approximation.h"
#include "number/fits/kernel_text.h"
#include "number/fits/poles.h"
#include "number/fits/sollya_text.h"
#include "run/execution/load_program.h"
#include "study/sweep/sweep.h"

namespace lanewise::fits {
namespace {

using formats::Format;

FitRequest request_of(const std::string& function, double low, double high,
                      ErrorKind error = ErrorKind::Relative) {
  auto parsed = references::parse_expression(function);
  EXPECT_TRUE(parsed) << function;
  return {
      .text = function, .function = std::move(*parsed), .low = low, .high = high, .error = error};
}

Polynomial polynomial_of(const FitRequest& request, unsigned degree, Powers powers = Powers::All,
                         Format format = Format::FP32) {
  auto polynomial = fit_polynomial(request, degree, powers, format);
  EXPECT_TRUE(polynomial) << to_string(polynomial.error());
  return polynomial ? std::move(*polynomial) : Polynomial{};
}

double value_of(const Polynomial& polynomial, double x) {
  double sum = 0;
  for (std::size_t i = 0; i < polynomial.powers.size(); ++i)
    sum += polynomial.coefficients[i] * std::pow(x, polynomial.powers[i]);
  return sum;
}

/// The function in points of the range, as the references have it: within 2^-40.
std::vector<double> reference_values(const FitRequest& request, const std::vector<double>& x) {
  const auto reference = references::parse_reference(request.text);
  std::vector<references::ReferenceValue> values(x.size());
  EXPECT_TRUE((*reference)->evaluate(Format::FP32, x, {}, values));
  std::vector<double> exact;
  for (const references::ReferenceValue& each : values) exact.push_back(each.exact);
  return exact;
}

std::vector<double> points_between(double low, double high) {
  constexpr int kPoints = 100'000;
  std::vector<double> points;
  for (int i = 0; i <= kPoints; ++i) points.push_back(low + (high - low) * i / kPoints);
  return points;
}

double error_at(const FitRequest& request, double found, double wanted) {
  const double difference = std::fabs(found - wanted);
  return request.error == ErrorKind::Absolute ? difference : difference / std::fabs(wanted);
}

/// The largest error in 100,000 points.
template <class Approximation>
double largest_error(const FitRequest& request, Approximation approximation) {
  const std::vector<double> x = points_between(request.low, request.high);
  const std::vector<double> wanted = reference_values(request, x);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (wanted[i] != 0)
      largest = std::max(largest, error_at(request, approximation(x[i]), wanted[i]));
  }
  return largest;
}

// The best line for e^x on [0, 1] has the slope of the chord, m = e - 1; its error alternates
// between 0, log(m) and 1: (1 - m + m log(m)) / 2.
TEST(FitPolynomial, TheBestLineForExpIsKnown) {
  const double slope = std::exp(1.0) - 1;
  const double error = (1 - slope + slope * std::log(slope)) / 2;
  const Polynomial line = polynomial_of(request_of("exp(x)", 0, 1, ErrorKind::Absolute), 1);
  EXPECT_NEAR(line.best, error, 1e-9);
  EXPECT_NEAR(line.bound, error, 1e-6);
  EXPECT_GE(line.bound, error);
  EXPECT_TRUE(line.is_proved);
  EXPECT_NEAR(line.coefficients[1], slope, 1e-6);
}

// Chebyshev: of all x^3 + ... on [-1, 1], none is smaller than T3 / 4, whose largest value is 1/4.
TEST(FitPolynomial, LeavesOfACubeWhatChebyshevSays) {
  const Polynomial parabola = polynomial_of(request_of("x^3", -1, 1, ErrorKind::Absolute), 2);
  EXPECT_NEAR(parabola.best, 0.25, 1e-9);
  EXPECT_NEAR(parabola.coefficients[1], 0.75, 1e-6);
}

struct Case {
  const char* function;
  double low, high;
  unsigned degree;
  Powers powers;
  ErrorKind error;
};

class FitBounds : public testing::TestWithParam<Case> {};

TEST_P(FitBounds, HoldInAHundredThousandPointsAndAreReached) {
  const Case& at = GetParam();
  const FitRequest request = request_of(at.function, at.low, at.high, at.error);
  for (const Format format : {Format::FP32, Format::BF16, Format::FP16}) {
    const Polynomial polynomial = polynomial_of(request, at.degree, at.powers, format);
    const double largest =
        largest_error(request, [&](double x) { return value_of(polynomial, x); });
    EXPECT_LE(largest, polynomial.bound + 1e-11) << formats::format_name(format);
    EXPECT_GE(largest, polynomial.bound * 0.99) << formats::format_name(format);
    EXPECT_GE(polynomial.bound, polynomial.best * 0.999999) << formats::format_name(format);
    for (const double coefficient : polynomial.coefficients)
      EXPECT_EQ(formats::value_of_bits(format, formats::round_to_bits(format, coefficient)),
                coefficient);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Functions, FitBounds,
    testing::Values(Case{"exp(x)", 0, 1, 3, Powers::All, ErrorKind::Relative},
                    Case{"sin(x)", -1.5, 1.5, 5, Powers::Odd, ErrorKind::Relative},
                    Case{"cos(x)", -1, 1, 4, Powers::Even, ErrorKind::Absolute},
                    Case{"log2(x)", 1, 2, 4, Powers::All, ErrorKind::Absolute},
                    Case{"gelu(x)", 0.25, 3, 6, Powers::All, ErrorKind::Relative},
                    Case{"1 / x", 1, 2, 2, Powers::All, ErrorKind::Relative},
                    Case{"fp32(0.1) * sqrt(x) + 0x1.8p-3", 1, 4, 2, Powers::All,
                         ErrorKind::Absolute}));

// One SFPLOADI holds the upper half of an FP32.
TEST(FitPolynomial, Bf16CoefficientsHaveNoLowHalf) {
  const Polynomial polynomial =
      polynomial_of(request_of("exp(x)", -1, 1), 5, Powers::All, Format::BF16);
  for (const double coefficient : polynomial.coefficients)
    EXPECT_EQ(std::bit_cast<std::uint32_t>(static_cast<float>(coefficient)) & 0xFFFF, 0);
}

TEST(FitPolynomial, OddPowersHaveNoOthers) {
  const Polynomial polynomial = polynomial_of(request_of("tanh(x)", -1, 1), 6, Powers::Odd);
  EXPECT_EQ(polynomial.powers, (std::vector<unsigned>{1, 3, 5}));
}

TEST(FitPolynomial, SaysWhatCannotBe) {
  const auto message = [](const char* function, double low, double high, unsigned degree,
                          Powers powers) {
    const auto fitted =
        fit_polynomial(request_of(function, low, high), degree, powers, Format::FP16);
    return fitted ? std::string() : to_string(fitted.error());
  };
  EXPECT_NE(message("log(x)", -1, 1, 2, Powers::All).find("from -1 to 1"), std::string::npos);
  EXPECT_NE(message("floor(x)", 0, 2, 2, Powers::All).find("'floor'"), std::string::npos);
  EXPECT_NE(message("relu(exp(x))", 0, 2, 2, Powers::All).find("'relu'"), std::string::npos);
  EXPECT_NE(message("x * y", 0, 2, 2, Powers::All).find("of y"), std::string::npos);
  EXPECT_NE(message("x + inf", 0, 2, 2, Powers::All).find("never infinite"), std::string::npos);
  EXPECT_NE(message("sin(x)", 0, 2, 0, Powers::Odd).find("--degree 1"), std::string::npos);
  EXPECT_NE(message("exp(x)", -1, 1, 3, Powers::Odd).find("not odd"), std::string::npos);
  EXPECT_NE(message("exp(x + 100)", 0, 1, 1, Powers::All).find("fp16 does not have"),
            std::string::npos);
}

// The places are where the denominators are 0 and the arguments leave the domains.
TEST(Poles, AreFoundWhereTheyAre) {
  const auto fault = [](const char* function, double low, double high) {
    const auto bounded = check_is_bounded(request_of(function, low, high));
    return bounded ? std::string() : bounded.error().message;
  };
  EXPECT_NE(fault("1/x", -1, 1).find("infinite at x = 0,"), std::string::npos);
  EXPECT_NE(fault("1/x", -1, 2).find("pole at or near x ="), std::string::npos);
  EXPECT_NE(fault("1/(x - 0.3)", 0, 1).find("pole at or near x = 0.3,"), std::string::npos);
  EXPECT_NE(fault("exp(x)/(x*x - 2)^2", 0, 3).find("pole at or near x = 1.41421,"),
            std::string::npos);
  EXPECT_NE(fault("tan(x)", 0, 3).find("pole at or near x = 1.5708,"), std::string::npos);
  EXPECT_NE(fault("sqrt(x)", -1, 1).find("undefined at x = -1,"), std::string::npos);
  EXPECT_NE(fault("log(x)", 0, 1).find("infinite at x = 0,"), std::string::npos);
}

TEST(Poles, AreNotSeenWhereThereIsNone) {
  const auto is_bounded = [](const char* function, double low, double high) {
    return check_is_bounded(request_of(function, low, high)).has_value();
  };
  EXPECT_TRUE(is_bounded("1/x", 0x1p-20, 1));
  EXPECT_TRUE(is_bounded("1/(x - 0.3)", 0.3000001, 1));
  EXPECT_TRUE(is_bounded("1/(x*x + 0.0001)", -1, 1));
  EXPECT_TRUE(is_bounded("x^2 + x^3", -4, 4)); // intervals know no power of a negative number
  EXPECT_TRUE(is_bounded("tan(x)", -1.57, 1.57));
  EXPECT_TRUE(is_bounded("sin(x)/(x + 2)", -1, 1));
  EXPECT_TRUE(is_bounded("exp(x)", -80, 80));
  EXPECT_TRUE(is_bounded("log(x)", 1e-30, 1e30));
}

TEST(FitPolynomial, LeavesSignalsAsTheyAre) {
  struct sigaction before {
  }, after{};
  ASSERT_EQ(sigaction(SIGINT, nullptr, &before), 0);
  polynomial_of(request_of("exp(x)", 0, 1), 2);
  ASSERT_EQ(sigaction(SIGINT, nullptr, &after), 0);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

// ISA, SFPLUTFP32: exponents of 16-bit entries begin at 2^-15, and their highest field is 0.
TEST(FitTable, EntriesAreThoseOfTheHardware) {
  EXPECT_EQ(entry_value(0x0000), 0x1p-15);
  EXPECT_EQ(entry_value(0x3C00), 1);
  EXPECT_EQ(entry_value(0xC200), -3);
  EXPECT_EQ(entry_value(0x7BFF), 0x1.ffcp15);
  EXPECT_EQ(entry_value(0x7C00), 0);
  EXPECT_EQ(entry_value(nearest_entry(0)), 0);
  EXPECT_EQ(entry_value(nearest_entry(1e-9)), 0);
  EXPECT_EQ(entry_value(nearest_entry(1e9)), 0x1.ffcp15);
  for (std::uint32_t entry = 0; entry <= 0xFFFF; ++entry) {
    const auto bits = static_cast<std::uint16_t>(entry);
    if (entry_value(bits) == 0) continue;
    ASSERT_EQ(nearest_entry(entry_value(bits)), bits) << entry;
  }
}

const TableLine& line_at(const LineTable& table, double x) {
  for (const TableLine& line : table.lines) {
    if (std::fabs(x) < line.high) return line;
  }
  return table.lines.back();
}

double value_of(const LineTable& table, double x) {
  const TableLine& line = line_at(table, x);
  const double value = line.slope * std::fabs(x) + line.intercept;
  return table.copies_sign ? std::copysign(value, x) : value;
}

TEST(FitTable, BoundsHoldInAHundredThousandPoints) {
  for (const char* function : {"tanh(x)", "cos(x)", "x * erf(x)"}) {
    const FitRequest request = request_of(function, -3.5, 3.5, ErrorKind::Absolute);
    for (const TableKind kind :
         {TableKind::Fp32Three, TableKind::Fp16SixTo3, TableKind::Fp16SixTo4}) {
      const auto table = fit_table(request, kind);
      ASSERT_TRUE(table) << to_string(table.error());
      EXPECT_EQ(table->copies_sign, std::string(function) == "tanh(x)");
      const double largest = largest_error(request, [&](double x) { return value_of(*table, x); });
      EXPECT_LE(largest, table->bound + 1e-11) << function;
      EXPECT_GE(largest, table->bound * 0.99) << function;
    }
  }
}

// 0.6 to 1.4 lies in the pieces from 0.5 and from 1 on.
TEST(FitTable, PiecesWithoutInputsGoOnAsTheNearestOne) {
  const auto table = fit_table(request_of("exp(x)", 0.6, 1.4), TableKind::Fp16SixTo3);
  ASSERT_TRUE(table) << to_string(table.error());
  const std::vector<TableLine>& lines = table->lines;
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_NE(lines[1].slope_bits, lines[2].slope_bits);
  EXPECT_EQ(lines[0].slope_bits, lines[1].slope_bits);
  EXPECT_EQ(lines[0].intercept_bits, lines[1].intercept_bits);
  for (std::size_t i = 3; i < lines.size(); ++i) {
    EXPECT_FALSE(lines[i].is_used);
    EXPECT_EQ(lines[i].slope_bits, lines[2].slope_bits) << i;
    EXPECT_EQ(lines[i].intercept_bits, lines[2].intercept_bits) << i;
  }
}

// The piece behind a step has no inputs where the range ends at the step.
TEST(FitTable, ARangeMayEndAtAStep) {
  const auto table = fit_table(request_of("exp(x)", 1, 2), TableKind::Fp32Three);
  ASSERT_TRUE(table) << to_string(table.error());
  ASSERT_EQ(table->lines.size(), 3U);
  EXPECT_FALSE(table->lines[0].is_used);
  EXPECT_TRUE(table->lines[1].is_used);
  EXPECT_FALSE(table->lines[2].is_used);
}

TEST(FitTable, NeedsAParityOnBothSides) {
  const auto table = fit_table(request_of("exp(x)", -1, 1), TableKind::Fp32Three);
  ASSERT_FALSE(table);
  EXPECT_NE(to_string(table.error()).find("neither even nor odd"), std::string::npos);
  EXPECT_TRUE(fit_table(request_of("exp(x)", 0, 1), TableKind::Fp32Three));
}

// A relative error is finite at a zero of the function only if the line goes through it.
TEST(FitTable, GoesThroughZeroWhereTheErrorIsRelative) {
  const auto table = fit_table(request_of("sinh(x)", -2, 2), TableKind::Fp16SixTo3);
  ASSERT_TRUE(table) << to_string(table.error());
  EXPECT_EQ(table->lines.front().intercept, 0);
  EXPECT_EQ(table->lines.front().intercept_bits, 0x7C00);
  EXPECT_LT(table->bound, 0.1);
}

// --- Kernels

/// The largest error in ULP of a kernel in FP32 against an expression.
double kernel_error(const std::string& text, const std::string& expression, double low,
                    double high) {
  const PrivateFolder folder("fit-test");
  const std::string file = (folder.path() / "kernel.cpp").string();
  std::ofstream(file) << text;
  execution::ProgramFile source{.name = file};
  const std::array chips{Arch::Blackhole, Arch::Wormhole};
  const auto programs = execution::load_program(source, text, chips);
  EXPECT_TRUE(programs) << to_string(programs.error()) << text;
  if (!programs) return INFINITY;
  std::vector<sweep::SweepProgram> swept;
  for (const auto& each : *programs) swept.push_back({each.arch, each.program, true, true});
  const auto reference = references::parse_reference(expression);
  EXPECT_TRUE(reference) << expression;
  const auto result = sweep::sweep(swept, **reference,
                                   {.format = Format::FP32,
                                    .space = {.range = sweep::SweepRange{low, high},
                                              .sample = sweep::SweepSample{.count = 100'000}}});
  EXPECT_TRUE(result) << to_string(result.error());
  return std::max(result->chips[0].error.largest, result->chips[1].error.largest);
}

std::string expression_of(const Polynomial& polynomial) {
  std::string sum = "0";
  for (std::size_t i = 0; i < polynomial.powers.size(); ++i)
    sum += fmt::format(" + ({:a}) * x^{}", polynomial.coefficients[i], polynomial.powers[i]);
  return sum;
}

// Horner's scheme in FP32 with positive terms: each of a few operations adds at most an ULP or two.
TEST(FitKernel, IsThePolynomial) {
  const FitRequest exponential = request_of("exp(x)", 0.25, 1);
  const Polynomial all = polynomial_of(exponential, 4);
  EXPECT_LE(kernel_error(polynomial_kernel(exponential, all, Format::FP32, "test"),
                         expression_of(all), 0.25, 1),
            4);
  const FitRequest sine = request_of("sinh(x)", -2, 2);
  const Polynomial odd = polynomial_of(sine, 5, Powers::Odd);
  EXPECT_LE(
      kernel_error(polynomial_kernel(sine, odd, Format::FP32, "test"), expression_of(odd), 0.25, 2),
      6);
  const Polynomial proportion = polynomial_of(sine, 1, Powers::Odd); // x is its only power
  EXPECT_LE(kernel_error(polynomial_kernel(sine, proportion, Format::FP32, "test"),
                         expression_of(proportion), 0.25, 2),
            1);
  const Polynomial even = polynomial_of(request_of("cosh(x)", -2, 2), 4, Powers::Even);
  EXPECT_LE(
      kernel_error(polynomial_kernel(sine, even, Format::FP32, "test"), expression_of(even), -2, 2),
      6);
}

std::string expression_of(const LineTable& table) {
  std::string text;
  for (const TableLine& line : table.lines) {
    const std::string value = fmt::format("({:a}) * abs(x) + ({:a})", line.slope, line.intercept);
    text += std::isfinite(line.high) ? fmt::format("abs(x) < {} ? {} : ", line.high, value) : value;
  }
  return table.copies_sign ? "copysign(" + text + ", x)" : text;
}

// The pieces, their order and the halves of registers. SFPLUTFP32 is one multiply-add, of which
// Wormhole rounds the product: that may be a few times as large as the sum here.
TEST(FitKernel, IsTheTable) {
  for (const char* function : {"tanh(x)", "cos(x / 4)"}) {
    const FitRequest request = request_of(function, -5, 5, ErrorKind::Absolute);
    for (const TableKind kind :
         {TableKind::Fp32Three, TableKind::Fp16SixTo3, TableKind::Fp16SixTo4}) {
      const auto table = fit_table(request, kind);
      ASSERT_TRUE(table) << to_string(table.error());
      const std::string kernel = table_kernel(request, *table, Format::FP32, "test");
      EXPECT_LE(kernel_error(kernel, expression_of(*table), 0.01, 5), 8) << kernel;
      EXPECT_LE(kernel_error(kernel, expression_of(*table), -5, -0.01), 8) << kernel;
    }
  }
}

} // namespace
} // namespace lanewise::fits
