// What becomes of a program on many cores.
#include "run/grid/outcomes.h"

#include <gtest/gtest.h>

#include <vector>

namespace lanewise::grid {
namespace {

Fault fault(const char* message) {
  return {.kind = FaultKind::UndefinedBehavior, .message = message, .remedy = "mend it", .line = 7};
}

TEST(Outcomes, AFaultOfManyCoresIsToldOnceWithThem) {
  std::vector<CoreOutcome> cores;
  for (unsigned x = 0; x < 6; ++x) {
    CoreOutcome& each = cores.emplace_back();
    each.core = {x, 1};
    each.outcome.faults.push_back(fault("brisc: the same"));
    each.outcome.transactions = x;
    each.outcome.executed[1] = 10;
  }
  cores[2].outcome.faults.push_back(fault("brisc: another"));
  cores[3].outcome.faults.push_back(fault("brisc: a third"));
  cores[5].outcome.faults.push_back(fault("brisc: a third"));
  cores[4].outcome.prints = {"brisc: hello"};
  cores[4].outcome.blocked = {"the core brisc waits for nothing"};
  const launch::LaunchOutcome all = merge_outcomes(cores);
  ASSERT_EQ(all.faults.size(), 3U);
  EXPECT_EQ(all.faults[0].message, "6 cores (0, 1), (1, 1), (2, 1), (3, 1), ...: brisc: the same");
  EXPECT_EQ(all.faults[1].message, "core (2, 1): brisc: another");
  EXPECT_EQ(all.faults[2].message, "2 cores (3, 1), (5, 1): brisc: a third");
  EXPECT_EQ(all.faults[0].line, 7U);
  EXPECT_EQ(all.transactions, 15U);
  EXPECT_EQ(all.executed[1], 60U);
  EXPECT_EQ(all.prints, std::vector<std::string>{"(4, 1) brisc: hello"});
  EXPECT_EQ(all.blocked, std::vector<std::string>{"core (4, 1): the core brisc waits for nothing"});
  EXPECT_FALSE(all.is_done());
}

TEST(Outcomes, OneCoreThatFailsOrRunsOutIsEnough) {
  std::vector<CoreOutcome> cores(3);
  cores[1].core = {1, 0};
  cores[1].outcome.failure = fault("it crashed");
  cores[2].outcome.failure = fault("it crashed, too");
  EXPECT_EQ(merge_outcomes(cores).failure->message, "core (1, 0): it crashed");
  std::vector<CoreOutcome> late(2);
  late[1].outcome.ran_out = true;
  EXPECT_TRUE(merge_outcomes(late).ran_out);
  EXPECT_FALSE(merge_outcomes(late).was_stopped);
}

} // namespace
} // namespace lanewise::grid
