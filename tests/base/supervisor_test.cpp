// The time of processes that wait for this program, and Ctrl-C that came before they were there.
#include "base/supervisor.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
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
  const auto end = run_supervised(kShort, {}, sleep_and_end, {.held = &held});
  ASSERT_TRUE(end.has_value());
  EXPECT_FALSE(end->was_late);
  EXPECT_EQ(WEXITSTATUS(end->status), 7);
}

TEST(HeldTime, NotAfterwards) {
  HeldTime held;
  held.hold(true);
  held.hold(false);
  const auto end = run_supervised(kShort, {}, sleep_and_end, {.held = &held});
  ASSERT_TRUE(end.has_value());
  EXPECT_TRUE(end->was_late);
}

[[noreturn]] int sleep_for_long() {
  constexpr unsigned kSeconds = 60;
  ::sleep(kSeconds);
  ::_exit(7);
}

constexpr ProcessLimits kLong{.time = std::chrono::seconds(100), .memory = std::uint64_t{1} << 40};

/// As of a Ctrl-C that only this process has seen.
const std::function<bool()> kHasCome = [] { return true; };

TEST(Supervision, WhatIsToStopEndsByCtrlC) {
  const auto end = run_supervised(kLong, {}, sleep_for_long, {.stop = kHasCome});
  ASSERT_TRUE(end.has_value());
  EXPECT_FALSE(end->was_late);
  ASSERT_TRUE(WIFSIGNALED(end->status));
  EXPECT_EQ(WTERMSIG(end->status), SIGINT);
}

TEST(Supervision, WhatNobodyStopsGoesOn) {
  unsigned asked = 0;
  const auto end = run_supervised(kLong, {}, sleep_and_end, {.stop = [&asked] {
                                    ++asked;
                                    return false;
                                  }});
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(WEXITSTATUS(end->status), 7);
  EXPECT_GT(asked, 1U);
}

/// Both where the caller waits with them, and where only run_supervised_group() does.
TEST(Supervision, GroupsThatAreToStopEndByCtrlC) {
  for (const bool waits : {false, true}) {
    GroupEnds ends(2);
    const ProcessGroup group{.count = 2,
                             .how = [](std::size_t) { return Confinement{}; },
                             .body = [](std::size_t) { return sleep_for_long(); }};
    const auto done = run_supervised_group(
        kLong, group, ends,
        [waits](const std::function<bool()>& is_watched) {
          while (waits && is_watched()) ::usleep(1000);
        },
        kHasCome);
    ASSERT_TRUE(done.has_value());
    for (std::size_t i = 0; i < 2; ++i) {
      ASSERT_TRUE(WIFSIGNALED(ends.end_of(i).status));
      EXPECT_EQ(WTERMSIG(ends.end_of(i).status), SIGINT);
    }
  }
}

} // namespace
} // namespace lanewise
