// Gates are decided by the figures of a sweep alone.
#include "study/sweep/gates.h"

#include <gtest/gtest.h>

#include <limits>

#include "study/sweep/diff.h"

namespace lanewise::sweep {
namespace {

using Kind = GateMiss::Kind;

/// One chip with ten results, the worst 2 ULP from the rounded reference and 2.5 from the exact
/// one.
SweepResult result() {
  SweepStatistics chip;
  chip.error.rows = {8, 1, 1, 0, 0, 0};
  chip.error.largest = 2;
  chip.error.largest_exact = 2.5;
  return {.space = {}, .total = 10, .done = 10, .chips = {chip}};
}

SweepGates at_most(double ulp) {
  SweepGates gates;
  gates.max_ulp = ulp;
  return gates;
}

std::vector<Kind> kinds(const GateVerdict& verdict) {
  std::vector<Kind> all;
  for (const GateMiss& miss : verdict.misses) all.push_back(miss.kind);
  return all;
}

/// What stands in the way of the only gate.
std::vector<Kind> misses(const SweepResult& result, const SweepGates& gates) {
  return kinds(gate_verdicts(result, gates).at(0));
}

TEST(Gates, ABoundHoldsUpToItself) {
  EXPECT_TRUE(sweep_holds(result(), {.max_ulp = 2, .max_exact_ulp = 2.5, .specials = true}));
  EXPECT_EQ(misses(result(), at_most(1.9)), std::vector{Kind::TooFar});
  EXPECT_EQ(misses(result(), {.max_ulp = {}, .max_exact_ulp = 2.4, .specials = false}),
            std::vector{Kind::TooFar});
  EXPECT_FALSE(sweep_holds(result(), at_most(1.9)));
}

TEST(Gates, ANaNAndALostResultHoldNoBound) {
  SweepResult swept = result();
  swept.chips[0].error.largest = std::numeric_limits<double>::quiet_NaN();
  swept.chips[0].error.lost = 1;
  EXPECT_EQ(misses(swept, at_most(1e9)), (std::vector{Kind::TooFar, Kind::Lost}));
}

// A bound that nothing was held against does not hold.
TEST(Gates, WhereNothingWasComparedNoneHolds) {
  SweepResult swept = result();
  swept.chips[0].error.rows = {};
  EXPECT_EQ(misses(swept, at_most(1e9)), std::vector{Kind::NothingCompared});
}

TEST(Gates, EachIsDecidedByItself) {
  SweepResult swept = result();
  swept.chips[0].infinite.differ = 3;
  swept.chips[0].zero_signs = 1;
  const auto verdicts = gate_verdicts(swept, {.max_ulp = 2, .max_exact_ulp = 2, .specials = true});
  ASSERT_EQ(verdicts.size(), 3U);
  EXPECT_TRUE(verdicts[0].holds());
  EXPECT_EQ(kinds(verdicts[1]), std::vector{Kind::TooFar});
  EXPECT_EQ(kinds(verdicts[2]), (std::vector{Kind::Class, Kind::ZeroSigns}));
  EXPECT_EQ(verdicts[2].misses[0].inputs, &SweepStatistics::infinite);
}

TEST(Gates, WithoutAGateASweepHoldsThatIsCompleteAndValid) {
  SweepResult swept = result();
  EXPECT_TRUE(sweep_holds(swept, {}));
  swept.chips[0].faults = {{.kind = FaultKind::Hazard, .message = "too early"}};
  EXPECT_TRUE(sweep_holds(swept, {}));
  EXPECT_EQ(misses(swept, at_most(2)), std::vector{Kind::Fault});
  swept.chips[0].faults = {{.kind = FaultKind::UndefinedBehavior, .message = "no meaning"}};
  EXPECT_FALSE(sweep_holds(swept, {}));
  swept = result();
  swept.done = 9;
  EXPECT_FALSE(sweep_holds(swept, {}));
}

TEST(Gates, AComparisonIsTheSameOnlyAtItsEndAndWithoutAChange) {
  DiffResult diff;
  diff.total = diff.done = 5;
  diff.chips.resize(2);
  EXPECT_TRUE(is_same(diff));
  diff.done = 4;
  EXPECT_FALSE(is_same(diff));
  diff.done = 5;
  diff.chips[1].changed = 1;
  EXPECT_FALSE(is_same(diff));
}

} // namespace
} // namespace lanewise::sweep
