#include "study/sweep/exact_sum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace lanewise::sweep {
namespace {

ExactSum sum_of(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double number : numbers) sum += number;
  return sum;
}

TEST(ExactSum, KeepsWhatRoundingWouldLose) {
  EXPECT_EQ(ExactSum().value(), 0);
  EXPECT_EQ(ExactSum(0.0), ExactSum());
  EXPECT_EQ(sum_of({0x1p53, 1, 1}).value(), 0x1p53 + 2);
  EXPECT_EQ(sum_of({1, 0x1p-60, 0x1p-60}).digits(), sum_of({0x1p-59, 1}).digits());
  EXPECT_EQ(sum_of({0x1p277, 0x1p-149, 0x1p277}).value(), 0x1p278);
}

TEST(ExactSum, RoundsToNearestEven) {
  EXPECT_EQ(sum_of({0x1p53, 1}).value(), 0x1p53) << "a tie goes to even";
  EXPECT_EQ(sum_of({0x1p53 + 2, 1}).value(), 0x1p53 + 4);
  EXPECT_EQ(sum_of({0x1p53, 1, 0x1p-900}).value(), 0x1p53 + 2) << "above the tie, far below";
  EXPECT_EQ(sum_of({0x1p53, 0x1.fffffffffffffp-1}).value(), 0x1p53);
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({most, most}).value(), std::numeric_limits<double>::infinity());
}

/// Numbers of all sizes that errors have.
rc::Gen<std::vector<double>> sizes() {
  return rc::gen::container<std::vector<double>>(
      rc::gen::apply([](std::uint64_t bits,
                        int scale) { return std::ldexp(static_cast<double>(bits >> 11), scale); },
                     rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(-400, 400)));
}

RC_GTEST_PROP(ExactSum, NeitherOrderNorGroupingCounts, ()) {
  std::vector<double> numbers = *sizes();
  const ExactSum all = sum_of(numbers);
  const auto cut =
      static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, numbers.size() + 1));
  ExactSum right = sum_of({numbers.begin() + cut, numbers.end()});
  right += sum_of({numbers.begin(), numbers.begin() + cut});
  RC_ASSERT(right == all);
  RC_ASSERT(right.value() == all.value());
  RC_ASSERT(ExactSum(all.digits()) == all);
}

/// Whole numbers below 2^62, whose sums 128 bits hold.
RC_GTEST_PROP(ExactSum, IsTheSumOfWholeNumbers, ()) {
  const auto numbers =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>());
  ExactSum sum;
  std::uint64_t exact = 0;
  for (const std::uint32_t number : numbers) {
    sum += std::ldexp(static_cast<double>(number), -7);
    exact += number;
  }
  RC_ASSERT(sum.value() == std::ldexp(static_cast<double>(exact), -7));
}

TEST(ExactSum, AddsItselfToItself) {
  ExactSum sum(3.25);
  sum += sum;
  EXPECT_EQ(sum.value(), 6.5);
}

} // namespace
} // namespace lanewise::sweep
