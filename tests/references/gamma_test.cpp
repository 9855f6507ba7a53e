// The gamma function's family against identities and constants of the tables.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "references/reference_fixture.h"

namespace lanewise::references {
namespace {

/// Two expressions, rounded to FP32, at the same point.
void expect_same(const std::string& first, const std::string& second, double x) {
  const ReferenceValue a = value_at(first, formats::Format::FP32, x),
                       b = value_at(second, formats::Format::FP32, x);
  EXPECT_TRUE(a.decided && b.decided) << first;
  EXPECT_EQ(a.bits, b.bits) << fmt::format("{} and {} at {}", first, second, x);
}

TEST(Gamma, OfWholeNumbersIsTheFactorial) {
  double factorial = 1;
  for (int n = 1; n <= 18; ++n) { // a double has 18! exactly
    factorial *= n;
    expect_same("lgamma(x + 1)", fmt::format("log({:.0f})", factorial), n);
  }
}

// DLMF 5.4: Gamma(1/2) = sqrt(pi), Gamma(-1/2) = -2 sqrt(pi).
TEST(Gamma, OfHalves) {
  expect_same("lgamma(x)", "log(pi) / 2", 0.5);
  expect_same("lgamma(x)", "log(2) + log(pi) / 2", -0.5);
}

// Euler's constant and harmonic numbers, DLMF 5.4.14; Gauss's psi(1/2) = -gamma - 2 log(2), 5.4.13.
TEST(Gamma, DigammaOfWholeNumbers) {
  const std::string euler = "0.57721566490153286060651209008240243104215933593992359880576723";
  std::string harmonic = "0";
  for (int n = 0; n < 12; ++n) {
    if (n > 0) harmonic += fmt::format(" + 1 / {}", n);
    expect_same("digamma(x)", fmt::format("{} - {}", harmonic, euler), n + 1);
  }
  expect_same("digamma(x)", fmt::format("-{} - 2 * log(2)", euler), 0.5);
}

// psi1(1) = pi^2 / 6, psi2(1) = -2 zeta(3), psi3(1) = pi^4 / 15; psi1(1/2) = pi^2 / 2 (DLMF 5.15).
TEST(Gamma, PolygammaAtOne) {
  expect_same("polygamma(1, x)", "pi^2 / 6", 1);
  expect_same("polygamma(2, x)", "-2 * 1.2020569031595942853997381615114499907649862923404988", 1);
  expect_same("polygamma(3, x)", "pi^4 / 15", 1);
  expect_same("polygamma(1, x)", "pi^2 / 2", 0.5);
  expect_same("polygamma(0, x)", "digamma(x)", 2.5);
}

// The reflection formulas DLMF 5.5.3, 5.5.4 and the derivative of the latter, far and near.
TEST(Gamma, Reflections) {
  for (const double x : {0.25, 0.75, -0.375, -1.4375, -7.125, -33.0625, -1000.4375, 0x1p-20}) {
    expect_same("lgamma(x)", "log(pi / abs(sin(pi * x))) - lgamma(1 - x)", x);
    expect_same("digamma(x)", "digamma(1 - x) - pi / tan(pi * x)", x);
    expect_same("polygamma(1, x)", "(pi / sin(pi * x))^2 - polygamma(1, 1 - x)", x);
  }
}

// DLMF 5.5.1: Gamma(x + 1) = x Gamma(x), and its derivatives.
TEST(Gamma, Recurrences) {
  for (const double x : {0.125, 1.4375, 1.46875, 2.25, 17.5, -2.75, -0.01171875, 1e6}) {
    expect_same("lgamma(x + 1)", "lgamma(x) + log(abs(x))", x);
    expect_same("digamma(x + 1)", "digamma(x) + 1 / x", x);
    expect_same("polygamma(4, x + 1)", "polygamma(4, x) + 24 / x^5", x);
  }
}

// Legendre's duplication, DLMF 5.5.5, as what the gamma function of two dimensions is.
TEST(Gamma, OfTwoDimensionsIsDuplication) {
  for (const double x : {1.0, 1.75, 3.5, 20.25}) {
    expect_same("multigammaln(x, 2)", "log(pi) + lgamma(2 * x - 1) - (2 * x - 2) * log(2)", x);
  }
}

// log Gamma(x) is -log(x) - gamma x, digamma(x) is -1/x - gamma: what follows is too small for
// FP32.
TEST(Gamma, LargeAndTinyArguments) {
  expect_same("lgamma(x)", "-log(x)", 0x1p-120);
  expect_same("digamma(x)", "-1 / x", 0x1p-100);
  EXPECT_EQ(number_at("digamma(x)", 0x1p-149), -kInf);
  EXPECT_EQ(number_at("lgamma(x)", 3e38), kInf);
  EXPECT_EQ(number_at("polygamma(1, x)", 0x1p-70), kInf);
  EXPECT_EQ(number_at("polygamma(100, x)", 1e30), -0.0);
}

} // namespace
} // namespace lanewise::references
