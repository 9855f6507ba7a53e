// The time of processes that wait for this program.
#include "base/supervisor.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace lanewise {
namespace {

constexpr ProcessLimits kShort{.time = std::chrono::milliseconds(200),
                               .memory = std::uint64_t{1} << 40};

int sleep_and_end() {
  constexpr unsigned kMicroseconds = 600'000;
  ::usleep(kMicroseconds);
  ::_exit(7);
}

TEST(HeldTime, AProcessMaySleepForAsLongAsItIsHeld) {
  HeldTime held;
  ASSERT_TRUE(held.is_made());
  held.hold(true);
  const auto end = run_supervised(kShort, {}, sleep_and_end, &held);
  ASSERT_TRUE(end.has_value());
  EXPECT_FALSE(end->was_late);
  EXPECT_EQ(WEXITSTATUS(end->status), 7);
}

TEST(HeldTime, NotAfterwards) {
  HeldTime held;
  held.hold(true);
  held.hold(false);
  const auto end = run_supervised(kShort, {}, sleep_and_end, &held);
  ASSERT_TRUE(end.has_value());
  EXPECT_TRUE(end->was_late);
}

} // namespace
} // namespace lanewise
