// Changes of rows, each on a row by hand: what is left, in doubles, and on the machine.
#include "study/tune/approximate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "study/tune/modes.h"
#include "tune/row_doubles.h"

namespace lanewise::tune {
namespace {

using isa::Op;

constexpr Arch kChip = Arch::Blackhole;

/// c0 + c1 x + ... in doubles.
double polynomial(const std::vector<double>& coefficients, double x) {
  double sum = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

std::vector<double> numbers(const std::vector<std::uint32_t>& bits) {
  std::vector<double> all;
  for (const std::uint32_t each : bits) all.push_back(number_of_bits(each));
  return all;
}

/// Horner's scheme on node `x`; the last node is its result.
void add_polynomial(RowGraph& row, NodeId x, const std::vector<double>& coefficients) {
  NodeId value = constant_in(row, bits_of(coefficients.back()));
  for (std::size_t i = coefficients.size() - 1; i-- > 0;)
    value = multiply_add_in(row, value, x, constant_in(row, bits_of(coefficients[i])));
}

const std::vector<double> kCubic{0.75, 1.25, -0.5, 0.125};

RowGraph cubic_row() {
  RowGraph row = loaded_row(kChip);
  add_polynomial(row, 0, kCubic);
  return row;
}

RowEvaluator any_evaluator() {
  return evaluator_of(plain_rows(kChip, "SFPABS L0, L0, 1"));
}

/// Whether the last node has the values of a function, for inputs of a size at which nothing
/// cancels.
void expect_values(const RowGraph& row, const std::function<double(double)>& function,
                   double tolerance = 1e-5) {
  RowEvaluator evaluator = any_evaluator();
  const RowValues values = values_of(evaluator, row);
  std::size_t looked_at = 0;
  for (std::size_t i = 0; i < evaluator.inputs().size(); ++i) {
    const double x = number_of_bits(evaluator.inputs()[i] << 16);
    if (!(std::fabs(x) > 0.01 && std::fabs(x) < 4)) continue;
    ++looked_at;
    ASSERT_NEAR(number_of_bits(values.nodes.back()[i]), function(x),
                tolerance * (1 + std::fabs(function(x))))
        << x << "\n"
        << to_text(row);
  }
  EXPECT_GT(looked_at, 1000U);
}

std::size_t multiply_adds(const RowGraph& row) {
  return static_cast<std::size_t>(std::ranges::count(row.nodes, Op::SFPMAD, &Node::op));
}

// ------------------------------------------------------------------ polynomials
TEST(ApproximatePolynomials, AreFoundWithTheirCoefficients) {
  const auto chains = polynomial_chains(cubic_row());
  ASSERT_EQ(chains.size(), 1U);
  EXPECT_EQ(chains[0].argument, 0U);
  EXPECT_EQ(numbers(chains[0].coefficients), kCubic);
  EXPECT_EQ(chains[0].degree(), 3U);
}

TEST(ApproximatePolynomials, FactorsMayStandEitherWay) {
  RowGraph row = cubic_row();
  for (Node& node : row.nodes) {
    if (node.op == Op::SFPMAD) std::swap(node.operands[0], node.operands[1]);
  }
  ASSERT_EQ(polynomial_chains(row).size(), 1U);
  EXPECT_EQ(numbers(polynomial_chains(row)[0].coefficients), kCubic);
}

TEST(ApproximatePolynomials, StepsThatOthersUseAreNone) {
  RowGraph row = cubic_row();
  const NodeId result = static_cast<NodeId>(row.nodes.size() - 1);
  const NodeId step = row.nodes[result].operands[0];
  row.nodes.push_back(operation(Op::SFPMAD, {result, step, constant_in(row, kZeroBits)}));
  for (const PolynomialChain& chain : polynomial_chains(row)) EXPECT_LT(chain.degree(), 3U);
}

TEST(ApproximatePolynomials, ByEstrinAreTheSameInDoubles) {
  for (std::size_t degree = 2; degree < 9; ++degree) {
    std::vector<double> coefficients;
    for (std::size_t i = 0; i <= degree; ++i)
      coefficients.push_back(1.0 / static_cast<double>(1 + i * i));
    RowGraph row = loaded_row(kChip);
    add_polynomial(row, 0, coefficients);
    const RowGraph other = with_estrin(row, polynomial_chains(row).at(0));
    EXPECT_NE(other, row);
    expect_values(other, [&](double x) { return polynomial(coefficients, x); });
  }
}

TEST(ApproximatePolynomials, OthersReplaceThem) {
  const RowGraph row = with_polynomial(cubic_row(), polynomial_chains(cubic_row()).at(0),
                                       {bits_of(0.5), bits_of(-1), bits_of(2)});
  EXPECT_EQ(multiply_adds(row), 2U);
  expect_values(row, [](double x) { return 0.5 - x + 2 * x * x; });
}

/// The largest error of a refitted polynomial against the old one, at many points.
double refit_error(const std::vector<std::uint32_t>& found, const std::vector<double>& old,
                   ArgumentRange range, bool relative) {
  constexpr int kPoints = 1000;
  double largest = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const double x = range.low + (range.high - range.low) * i / kPoints;
    const double wanted = polynomial(old, x);
    const double error = std::fabs(polynomial(numbers(found), x) - wanted);
    largest = std::max(largest, relative ? error / std::fabs(wanted) : error);
  }
  return largest;
}

// A cubic on [-1, 1] with the leading coefficient c has the best quadratic at c / 4 (Chebyshev).
TEST(ApproximatePolynomials, FittedAgainAreMinimax) {
  const PolynomialChain chain = polynomial_chains(cubic_row()).at(0);
  const ArgumentRange range{-1, 1};
  const auto found = refit(chain, range, {.degree = 2, .error = fits::ErrorKind::Absolute});
  ASSERT_TRUE(found) << to_string(found.error());
  ASSERT_EQ(found->size(), 3U);
  EXPECT_NEAR(refit_error(*found, kCubic, range, false), 0.125 / 4, 1e-5);
}

TEST(ApproximatePolynomials, FittedAgainWithARelativeError) {
  const PolynomialChain chain = polynomial_chains(cubic_row()).at(0);
  const ArgumentRange range{0.25, 1};
  const auto found = refit(chain, range, {.degree = 2, .error = fits::ErrorKind::Relative});
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_LT(refit_error(*found, kCubic, range, true), 2e-3);
  // The absolute fit is not as good in this measure.
  const auto other = refit(chain, range, {.degree = 2, .error = fits::ErrorKind::Absolute});
  ASSERT_TRUE(other);
  EXPECT_GT(refit_error(*other, kCubic, range, true), refit_error(*found, kCubic, range, true));
}

TEST(ApproximatePolynomials, KeepAFirstCoefficientOfZero) {
  RowGraph row = loaded_row(kChip);
  const std::vector<double> old{0, 1, -0.25, 0.125};
  add_polynomial(row, 0, old);
  const ArgumentRange range{0.125, 1};
  for (const auto error : {fits::ErrorKind::Relative, fits::ErrorKind::Absolute}) {
    const auto found = refit(polynomial_chains(row).at(0), range, {.degree = 2, .error = error});
    ASSERT_TRUE(found) << to_string(found.error());
    ASSERT_EQ(found->size(), 3U);
    EXPECT_EQ((*found)[0], 0U);
    EXPECT_LT(refit_error(*found, old, range, false), 0.02);
  }
}

TEST(ApproximatePolynomials, MayBeginWithAGivenNumber) {
  RowGraph row = loaded_row(kChip);
  const std::vector<double> old{0.995, 1, 0.5, 0.25};
  add_polynomial(row, 0, old);
  const ArgumentRange range{0, 1};
  const auto found = refit(polynomial_chains(row).at(0), range,
                           {.degree = 3, .first = kOneBits, .error = fits::ErrorKind::Absolute});
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ((*found)[0], kOneBits);
  EXPECT_LT(refit_error(*found, old, range, false), 0.0051);
}

// A clamp of the argument to [0, 1] and the sign of nothing: only there the polynomial counts.
TEST(ApproximatePolynomials, CountWhereResultsDependOnThem) {
  const Plain plain = cubic_rows(kChip);
  const RowGraph row = graph_of_rows(plain);
  RowEvaluator evaluator = evaluator_of(plain);
  Approximator approximator(evaluator);
  const auto range =
      approximator.range_of(row, values_of(evaluator, row), polynomial_chains(row).at(0));
  ASSERT_TRUE(range && *range);
  EXPECT_EQ((*range)->low, 0);
  EXPECT_EQ((*range)->high, 1);
}

// min(p(x), 1): where p is above 1 by more than what it is disturbed by, nothing depends on it.
TEST(ApproximatePolynomials, DoNotCountBehindAClamp) {
  RowGraph row = loaded_row(kChip);
  add_polynomial(row, 0, {0, 1, 0.25});
  const NodeId value = static_cast<NodeId>(row.nodes.size() - 1);
  const NodeId limit = constant_in(row, kOneBits);
  row.nodes.push_back(operation(Op::SFPSWAP, {value, limit}));
  RowEvaluator evaluator = any_evaluator();
  Approximator approximator(evaluator);
  const auto range =
      approximator.range_of(row, values_of(evaluator, row), polynomial_chains(row).at(0));
  ASSERT_TRUE(range && *range);
  const double end = (*range)->high;
  EXPECT_GT(polynomial({0, 1, 0.25}, end), 1);
  EXPECT_LT(polynomial({0, 1, 0.25}, end), 1.05);
}

// ------------------------------------------------------------------ operations
TEST(ApproximateOperations, ClampsAndRoundingsAreLeftOut) {
  RowGraph row = loaded_row(kChip);
  const NodeId limit = constant_in(row, bits_of(2));
  Node clamp = operation(Op::SFPSWAP, {0, limit});
  clamp.maximum = true;
  row.nodes.push_back(clamp);
  row.nodes.push_back(
      operation(Op::SFPSTOCHRND, {2}, isa::kMode<Op::SFPSTOCHRND, "FP32_TO_FP16B">));
  const auto changed = without_operations(row);
  ASSERT_EQ(changed.size(), 2U);
  EXPECT_EQ(changed[0].change, "the clamp to at least 2 is left out");
  expect_values(changed[0].row, [](double x) { return x; });
  EXPECT_EQ(changed[1].row.nodes.back().op, Op::SFPSWAP);
  expect_values(changed[1].row, [](double x) { return std::max(x, 2.0); });
}

TEST(ApproximateOperations, RoundingsToIntegersStay) {
  RowGraph row = loaded_row(kChip);
  row.nodes.push_back(
      operation(Op::SFPSTOCHRND, {0}, isa::kMode<Op::SFPSTOCHRND, "FP32_TO_UINT8">));
  EXPECT_TRUE(without_operations(row).empty());
}

TEST(ApproximateOperations, ChoicesAreTakenOrLeft) {
  Plain plain = plain_rows(kChip,
                           "SFPSETCC 0, L0, 0, 0\nSFPMAD L0, L0, L10, L0, 0\nSFPNOP\n"
                           "SFPENCC 3, 0, 10");
  plain.as_kernel = true;
  const auto changed = without_operations(graph_of_rows(plain));
  ASSERT_EQ(changed.size(), 2U);
  expect_values(changed[0].row, [](double x) { return x; });
  expect_values(changed[1].row, [](double x) { return x * x + 1; });
}

/// y' = y (2 - x y) of an estimate y that is 1 / x but for a part in 64.
RowGraph reciprocal_row(bool is_near) {
  RowGraph row = loaded_row(kChip);
  row.nodes.push_back(operation(Op::SFPARECIP, {0}));
  const NodeId zero = constant_in(row, kZeroBits), two = constant_in(row, bits_of(2));
  const NodeId off = constant_in(row, bits_of(is_near ? 63.0 / 64 : 0.5));
  const NodeId estimate = multiply_add_in(row, 1, off, zero);
  Node error = operation(Op::SFPMAD, {0, estimate, two}, mod::kNegateVa);
  row.nodes.push_back(error);
  const auto at = static_cast<NodeId>(row.nodes.size() - 1);
  row.nodes.push_back(operation(Op::SFPMAD, {estimate, at, zero}));
  return row;
}

TEST(ApproximateOperations, ANewtonStepIsLeftOut) {
  const RowGraph row = reciprocal_row(true);
  RowEvaluator evaluator = any_evaluator();
  const auto changed = without_steps(row, values_of(evaluator, row));
  ASSERT_EQ(changed.size(), 2U); // the estimate, and what it is made of
  EXPECT_EQ(changed[1].change, "one Newton step less");
  expect_values(
      changed[1].row, [](double x) { return 63.0 / 64 / x; }, 0.01);
  EXPECT_EQ(multiply_adds(changed[1].row), 1U);
}

TEST(ApproximateOperations, AStepFarAwayStays) {
  const RowGraph row = reciprocal_row(false); // y' is 1.5 times as large as y
  RowEvaluator evaluator = any_evaluator();
  for (const Approximation& each : without_steps(row, values_of(evaluator, row)))
    EXPECT_NE(multiply_adds(each.row), 1U) << to_text(each.row);
}

// ------------------------------------------------------------------ constants
TEST(ApproximateConstants, NearOneAreOne) {
  RowGraph row = loaded_row(kChip);
  add_polynomial(row, 0, {0.995, 0.4, -0.99});
  const auto changed = with_cheaper_constants(row);
  ASSERT_EQ(changed.size(), 2U);
  expect_values(changed[0].row, [](double x) { return 0.995 + 0.4 * x - x * x; });
  expect_values(changed[1].row, [](double x) { return 1 + 0.4 * x - 0.99 * x * x; });
}

TEST(ApproximateConstants, OfSumsAndProductsFitIntoInstructions) {
  for (const bool is_sum : {true, false}) {
    RowGraph row = loaded_row(kChip);
    const NodeId constant = constant_in(row, bits_of(0.3));
    const NodeId one = constant_in(row, kOneBits), zero = constant_in(row, kZeroBits);
    if (is_sum)
      multiply_add_in(row, one, 0, constant);
    else
      multiply_add_in(row, constant, 0, zero);
    const auto changed = with_cheaper_constants(row);
    ASSERT_EQ(changed.size(), 1U);
    const double near = 0.30078125; // the bf16 number next to 0.3
    expect_values(changed[0].row, [&](double x) { return is_sum ? x + near : x * near; });
  }
}

TEST(ApproximateConstants, OfOtherMultiplyAddsDoNot) {
  RowGraph row = loaded_row(kChip);
  const NodeId constant = constant_in(row, bits_of(0.3));
  multiply_add_in(row, 0, 0, constant);
  EXPECT_TRUE(with_cheaper_constants(row).empty());
}

// ------------------------------------------------------------------ joined operations
TEST(ApproximateJoins, ConstantsOfTwoSteps) {
  RowGraph row = loaded_row(kChip);
  const NodeId inner =
      multiply_add_in(row, 0, constant_in(row, bits_of(3)), constant_in(row, bits_of(0.5)));
  multiply_add_in(row, constant_in(row, bits_of(-2)), inner, constant_in(row, bits_of(7)));
  const auto changed = with_joined_operations(row);
  ASSERT_EQ(changed.size(), 1U);
  EXPECT_EQ(multiply_adds(changed[0].row), 1U);
  expect_values(changed[0].row, [](double x) { return (x * 3 + 0.5) * -2 + 7; });
}

TEST(ApproximateJoins, AProductWithTheSumThatTakesIt) {
  for (const bool is_first : {true, false}) {
    RowGraph row = loaded_row(kChip);
    const NodeId zero = constant_in(row, kZeroBits), one = constant_in(row, kOneBits);
    const NodeId other = multiply_add_in(row, 0, one, constant_in(row, bits_of(5)));
    const NodeId product = multiply_add_in(row, 0, 0, zero);
    if (is_first)
      multiply_add_in(row, one, product, other);
    else
      multiply_add_in(row, one, other, product);
    const auto changed = with_joined_operations(row);
    ASSERT_EQ(changed.size(), 1U);
    EXPECT_EQ(multiply_adds(changed[0].row), 2U);
    expect_values(changed[0].row, [](double x) { return x * x + x + 5; });
  }
}

TEST(ApproximateJoins, NotWhatOthersUse) {
  RowGraph row = loaded_row(kChip);
  const NodeId zero = constant_in(row, kZeroBits), one = constant_in(row, kOneBits);
  const NodeId product = multiply_add_in(row, 0, 0, zero);
  multiply_add_in(row, one, product, product);
  EXPECT_TRUE(with_joined_operations(row).empty());
}

} // namespace
} // namespace lanewise::tune
