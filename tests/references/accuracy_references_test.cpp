// The expressions of the accuracy corpus are the functions that the specifications of tt-llk name.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "number/references/reference.h"
#include "study/corpus/accuracy/corpus.h"
#include "study/corpus/llk/corpus.h"

namespace lanewise::references {
namespace {

// Ordinary numbers, and the ends of domains.
const std::vector<double> kNumbers{-1e30, -128, -88,  -84,  -3.5, -3,  -1.5, -1,     -0.5,
                                   -1e-3, 0,    1e-3, 0.25, 0.5,  1,   1.25, 3,      3.5,
                                   4,     8,    44,   88,   89,   100, 128,  0x1p63, 1e30};

struct Points {
  std::vector<double> x, y;
};

/// Every number, or every pair of them.
Points points_of(unsigned operands) {
  if (operands == 1) return {kNumbers, {}};
  Points points;
  for (const double x : kNumbers) {
    for (const double y : kNumbers) {
      points.x.push_back(x);
      points.y.push_back(y);
    }
  }
  return points;
}

std::vector<double> evaluated(const std::string& expression, const Points& points) {
  const auto reference = parse_reference(expression);
  if (!reference) {
    ADD_FAILURE() << expression << ": " << to_string(reference.error());
    return std::vector<double>(points.x.size());
  }
  std::vector<ReferenceValue> values(points.x.size());
  const bool takes_y = (*reference)->operands() == 2;
  const auto done =
      (*reference)
          ->evaluate(corpus::kAccuracyFormat, points.x,
                     takes_y ? std::span<const double>(points.y) : std::span<const double>(),
                     values);
  EXPECT_TRUE(done) << expression;
  std::vector<double> exact;
  exact.reserve(values.size());
  for (const ReferenceValue& value : values) exact.push_back(value.exact);
  return exact;
}

std::uint32_t fp32_bits(double number) {
  return formats::round_to_bits(formats::Format::FP32, number);
}

/// What the specification says of a point.
double specified(const corpus::LlkKernel& kernel, double x, double y) {
  const corpus::LlkReference& f = kernel.reference;
  if (const auto* one = std::get_if<corpus::NumberOfOne>(&f)) return (*one)(x);
  if (const auto* two = std::get_if<corpus::NumberOfTwo>(&f)) return (*two)(x, y);
  return formats::value_of_bits(formats::Format::FP32,
                                std::get<corpus::BitsOfOne>(f)(fp32_bits(x)));
}

void expect_same_function(const corpus::AccuracyKernel& kernel,
                          const corpus::LlkKernel& specification) {
  const Points points = points_of(kernel.operands);
  const std::vector<double> exact = evaluated(kernel.reference, points);
  const std::string domain = corpus::domain_expression(kernel);
  const std::vector<double> inside =
      domain.empty() ? std::vector<double>(points.x.size(), 1.0) : evaluated(domain, points);
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    const double x = points.x[i], y = points.y.empty() ? 0 : points.y[i];
    const auto holds = specification.domain.holds;
    ASSERT_EQ(inside[i] != 0, holds == nullptr || holds(x, y))
        << kernel.name << " of " << x << ", " << y;
    if (inside[i] == 0) continue;
    const double wanted = specified(specification, x, y);
    // What a kernel gives where the function has no number is its own.
    if (std::isnan(exact[i]) || exact[i] == wanted) continue;
    // Constants of specifications are those of the kernels, rounded to fp32; next to 0 they lose
    // more.
    ASSERT_NEAR(exact[i], wanted, std::max(std::abs(wanted) * 0x1p-23, 0x1p-100))
        << kernel.name << " of " << x << ", " << y;
  }
}

/// A row of `llk` that holds a coarse kernel against the formula of its header; accuracy is that
/// against the function.
bool is_held_against_own_formula(const std::string& name) {
  return name.ends_with("_table") || name.ends_with("_series") || name.ends_with("_formula");
}

TEST(AccuracyReferences, AreThoseOfTheSpecifications) {
  for (const corpus::AccuracyKernel& kernel : corpus::accuracy_llk_kernels()) {
    if (is_held_against_own_formula(kernel.name)) continue;
    for (const corpus::LlkKernel& specification : corpus::llk_corpus()) {
      if (specification.name == kernel.name) expect_same_function(kernel, specification);
    }
  }
}

TEST(AccuracyReferences, OperandsAreThoseOfTheExpressions) {
  for (const corpus::AccuracyKernel& kernel : corpus::accuracy_corpus()) {
    const auto reference = parse_reference(kernel.reference);
    ASSERT_TRUE(reference) << kernel.name;
    EXPECT_EQ((*reference)->operands(), kernel.operands) << kernel.name;
  }
}

// examples/pieces.cpp: halved until it is below 1, at most three times; and the pieces around it.
TEST(AccuracyReferences, PiecesAreTheLoop) {
  const auto& corpus = corpus::accuracy_corpus();
  const auto pieces = std::ranges::find(corpus, "pieces.cpp", &corpus::AccuracyKernel::name);
  ASSERT_NE(pieces, corpus.end());
  const Points points = points_of(1);
  const std::vector<double> exact = evaluated(pieces->reference, points);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    double expected = points.x[i];
    if (expected < 0) {
      if (expected > -4 && expected < -2) expected = -1;
    } else if (expected > 6) {
      expected = 0;
    } else {
      for (int step = 0; step < 3 && expected >= 1; ++step) expected /= 2;
    }
    EXPECT_EQ(exact[i], expected) << points.x[i];
  }
}

} // namespace
} // namespace lanewise::references
