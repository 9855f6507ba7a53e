// Programs within an error: what is printed is what was measured, nothing exceeds the budget, and
// nothing of the front is dominated.
#include "study/tune/front.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "study/sweep/diff.h"
#include "study/sweep/gates.h"
#include "tune/row_doubles.h"

namespace lanewise::tune {
namespace {

class FrontOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, FrontOnBothChips, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

constexpr std::uint64_t kFewSteps = 2000;

Front front_of_cubic(Arch arch, double max_ulp, const references::Reference* reference,
                     Form form = Form::Words) {
  auto front = tune_within(
      cubic_rows(arch), {.tune = {.macros = false, .steps_per_interval = kFewSteps, .form = form},
                         .max_ulp = max_ulp,
                         .reference = reference});
  EXPECT_TRUE(front) << (front ? "" : to_string(front.error()));
  return front ? std::move(*front) : Front{};
}

std::unique_ptr<references::Reference> clamped_exponential() {
  auto reference = references::parse_reference("exp(min(max(x, 0), 1))");
  EXPECT_TRUE(reference) << (reference ? "" : to_string(reference.error()));
  return std::move(*reference);
}

/// By the sweep engine, of the text.
sweep::UlpStatistics error_of_text(const Plain& plain, const FrontPoint& point, Form form,
                                   const references::Reference* reference) {
  const auto printed = read_printed(plain.arch, form, point.text, "tuned");
  EXPECT_TRUE(printed) << (printed ? "" : to_string(printed.error()));
  const sweep::SweepProgram first{plain.arch, plain.program, plain.as_kernel};
  const sweep::SweepProgram second{printed->arch, printed->program, printed->as_kernel,
                                   first.is_tile};
  if (reference == nullptr)
    return sweep::diff_programs(std::span(&first, 1), std::span(&second, 1), 1, nullptr, {})
        ->chips[0]
        .distance;
  return sweep::sweep(std::span(&second, 1), *reference, {})->chips[0].error;
}

void expect_no_dominated_point(const std::vector<FrontPoint>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < points.size(); ++k) {
      const bool no_worse = points[k].cycles <= points[i].cycles &&
                            points[k].error.largest <= points[i].error.largest;
      EXPECT_TRUE(i == k || !no_worse) << i << " " << k;
    }
  }
}

/// What holds of every front, whatever was found.
void expect_front(const Front& front, Arch arch, Form form,
                  const references::Reference* reference) {
  ASSERT_GE(front.points.size(), 2U);
  for (const FrontPoint& point : front.points) {
    EXPECT_EQ(error_of_text(cubic_rows(arch), point, form, reference), point.error);
    EXPECT_LE(point.error.largest, 8);
    EXPECT_EQ(point.error.lost, 0U);
    EXPECT_LT(static_cast<double>(point.cycles), front.equal.plain_cycles);
  }
  expect_no_dominated_point(front.points);
  EXPECT_FALSE(front.points.back().changes.empty());
  EXPECT_LT(front.points.back().cycles, front.equal.proof.cycles);
  EXPECT_GT(front.within, 0U);
  EXPECT_GE(front.rows, front.within);
}

TEST_P(FrontOnBothChips, FiguresAreThoseOfThePrintedText) {
  const auto function = clamped_exponential();
  const Front front = front_of_cubic(GetParam(), 8, function.get(), Form::Words);
  expect_front(front, GetParam(), Form::Words, function.get());
}

// More error buys fewer cycles, from what is equal on.
TEST_P(FrontOnBothChips, FiguresAreThoseOfThePrintedTextWithoutAReference) {
  const Front front = front_of_cubic(GetParam(), 8, nullptr, Form::Assembly);
  expect_front(front, GetParam(), Form::Assembly, nullptr);
  EXPECT_NE(front.points.back().text.find("SFPMAD"), std::string::npos);
  ASSERT_TRUE(front.equal.tuned);
  EXPECT_TRUE(front.points.front().changes.empty());
  EXPECT_EQ(front.points.front().error.largest, 0);
}

// The reference is the plain kernel: nothing but what is equal is within 0 ULP.
TEST_P(FrontOnBothChips, NoErrorIsNoChangeOfResults) {
  const Plain plain = cubic_rows(GetParam());
  for (const FrontPoint& point : front_of_cubic(GetParam(), 0, nullptr).points)
    EXPECT_EQ(error_of_text(plain, point, Form::Words, nullptr).largest, 0);
}

// A plain kernel that is farther from the reference than the budget is not in the front itself.
TEST_P(FrontOnBothChips, WhatIsTooFarIsNoPoint) {
  const auto far = references::parse_reference("exp(x)");
  ASSERT_TRUE(far);
  const Front front = front_of_cubic(GetParam(), 2, far->get());
  EXPECT_GT(front.plain_error.error.largest, 2);
  EXPECT_TRUE(front.points.empty());
}

TEST(FrontPoints, DominatedOnesAreLeftOut) {
  const auto point = [](std::uint64_t cycles, double largest, double mean) {
    FrontPoint made;
    made.cycles = cycles;
    made.error.largest = largest;
    made.error.rows[0] = 1;
    made.error.sum = mean;
    return made;
  };
  // All figures out of a few, so that equal ones are among them.
  std::vector<FrontPoint> all;
  for (unsigned i = 0; i < 200; ++i)
    all.push_back(point(10 + i * 7 % 13, i * 5 % 11, 0.125 * (i % 3)));
  const std::vector<FrontPoint> front = front_of(all);
  ASSERT_FALSE(front.empty());
  expect_no_dominated_point(front);
  for (const FrontPoint& each : all) {
    const bool is_covered = std::ranges::any_of(front, [&](const FrontPoint& kept) {
      return kept.cycles <= each.cycles && kept.error.largest <= each.error.largest;
    });
    EXPECT_TRUE(is_covered);
  }
  for (std::size_t i = 1; i < front.size(); ++i) EXPECT_LT(front[i].cycles, front[i - 1].cycles);
  // Of equal ones the smaller mean stays.
  const auto two = front_of({point(5, 1, 0.5), point(5, 1, 0.25)});
  ASSERT_EQ(two.size(), 1U);
  EXPECT_EQ(two[0].error.mean(), 0.25);
}

// ------------------------------------------------------------------ errors
class AccuracyTest : public testing::Test {
 protected:
  AccuracyTest()
      : plain_(plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1")), evaluator_(evaluator_of(plain_)) {
    results_ = values_of(evaluator_, graph_of_rows(plain_)).results;
  }

  Accuracy accuracy_against(const references::Reference* reference) {
    auto accuracy = Accuracy::make(plain_, {}, reference, evaluator_.inputs());
    EXPECT_TRUE(accuracy) << (accuracy ? "" : to_string(accuracy.error()));
    return std::move(*accuracy);
  }

  /// The errors with another result for one input.
  ResultErrors with_result(const Accuracy& accuracy, std::uint32_t input, std::uint32_t result) {
    LaneBits results = results_;
    const auto at = std::ranges::find(evaluator_.inputs(), input);
    results[static_cast<std::size_t>(at - evaluator_.inputs().begin())] = result;
    return accuracy.errors_of(results);
  }

  static constexpr std::uint32_t kOne = 0x3F80, kInfinity = 0x7F80, kNaN = 0x7FC0, kDenormal = 1;
  Plain plain_;
  RowEvaluator evaluator_;
  LaneBits results_;
};

TEST_F(AccuracyTest, CountsAsSweepsDo) {
  const auto reference = references::parse_reference("abs(x)");
  for (const references::Reference* each : {reference->get(), (references::Reference*)nullptr}) {
    const Accuracy accuracy = accuracy_against(each);
    EXPECT_EQ(accuracy.errors_of(results_).largest, 0);
    EXPECT_EQ(with_result(accuracy, kOne, kOne + 3).largest, 3);
    EXPECT_EQ(with_result(accuracy, kOne, kNaN).largest, std::numeric_limits<double>::infinity());
    EXPECT_FALSE(with_result(accuracy, kOne, kNaN).is_within(1e300));
    EXPECT_TRUE(with_result(accuracy, kOne, kOne + 3).is_within(3));
    EXPECT_FALSE(with_result(accuracy, kOne, kOne + 3).is_within(2.5));
  }
}

// What a sweep has apart must not become worse, or must be within the budget.
TEST_F(AccuracyTest, InputsThatSweepsHaveApart) {
  const auto reference = references::parse_reference("abs(x)");
  const Accuracy accuracy = accuracy_against(reference->get());
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(accuracy.errors_of(results_).apart, 0);
  EXPECT_EQ(with_result(accuracy, kInfinity, kInfinity - 1).apart, 1);
  EXPECT_EQ(with_result(accuracy, kInfinity, kNaN).apart, infinity);
  EXPECT_EQ(with_result(accuracy, kNaN, kOne).apart, infinity);
  EXPECT_GT(with_result(accuracy, kDenormal, kOne).apart, 1000);
  EXPECT_EQ(with_result(accuracy, kInfinity, kNaN).largest, 0);
  EXPECT_FALSE(with_result(accuracy, kInfinity, kNaN).is_within(1e300));
}

// The plain kernel is wrong there, too: no farther is no error.
TEST_F(AccuracyTest, WhatThePlainKernelHasWrongMayStay) {
  const auto reference = references::parse_reference("sqrt(x)"); // NaN below 0
  const Accuracy accuracy = accuracy_against(reference->get());
  EXPECT_EQ(accuracy.errors_of(results_).apart, 0);
}

// Without a reference every input counts for which the plain kernel gives a number.
TEST_F(AccuracyTest, WithoutAReferenceAllNumbersCount) {
  const Accuracy accuracy = accuracy_against(nullptr);
  EXPECT_EQ(with_result(accuracy, kInfinity, kInfinity - 1).largest, 1);
  EXPECT_EQ(with_result(accuracy, kNaN, kOne).apart, std::numeric_limits<double>::infinity());
  EXPECT_EQ(with_result(accuracy, kNaN, kNaN + 1).apart, 0);
}

TEST_F(AccuracyTest, OfProgramsIsTheSweeps) {
  const auto reference = references::parse_reference("abs(x)");
  const Plain other =
      plain_rows(Arch::Blackhole, "SFPADDI 0x3c00, L0, 0\nSFPNOP\nSFPABS L0, L0, 1");
  for (const references::Reference* each : {reference->get(), (references::Reference*)nullptr}) {
    const Accuracy accuracy = accuracy_against(each);
    const auto quick = accuracy.errors_of(other);
    const auto measured = accuracy.measure(other);
    ASSERT_TRUE(quick && measured);
    EXPECT_EQ(quick->largest, measured->error.largest);
    EXPECT_DOUBLE_EQ(quick->mean, measured->error.mean());
    EXPECT_GT(quick->largest, 100);
  }
}

} // namespace
} // namespace lanewise::tune
