// In which cycles the two touches of a race go, by their numbers.
#include "chip/clock/race_time.h"

#include <gtest/gtest.h>

#include "clock/timed_rig.h"

namespace lanewise::test {
namespace {

constexpr unsigned kNops = 11;

class RaceInTime : public testing::TestWithParam<Arch> {
 protected:
  /// A list of NOPs of T1, pushed one in three cycles.
  clock::TimedResult watch(const std::vector<clock::Deed>& deeds) const {
    TimedRig rig(GetParam());
    const Program program = rig.assemble(repeat("NOP", kNops));
    clock::ProgramCore core(program, 1, 3);
    auto result = clock::run_in_time(rig.tile, {nullptr, &core, nullptr},
                                     {.keeps_timeline = true, .watched = deeds, .limits = {}});
    EXPECT_TRUE(result && result->timeline.size() == kNops);
    return result ? *result : clock::TimedResult();
  }
};
INSTANTIATE_TEST_SUITE_P(BothChips, RaceInTime, testing::ValuesIn(kArchs), [](const auto& each) {
  return std::string(arch_params(each.param).names.id);
});

TEST_P(RaceInTime, AnInstructionGoesWhenItIssues) {
  std::vector<clock::Deed> all;
  for (unsigned i = 0; i < kNops; ++i) all.push_back({{.thread = 1}, i});
  const clock::TimedResult result = watch(all);
  ASSERT_EQ(result.watched.size(), kNops);
  for (unsigned i = 0; i < kNops; ++i) EXPECT_EQ(result.watched[i], result.timeline[i].cycle) << i;
}

TEST_P(RaceInTime, ACoreActsWhenItPushes) { // the first in cycle 0, and then one in three
  const clock::TimedResult result = watch({{{.thread = 1, .is_core = true}, 0},
                                           {{.thread = 1, .is_core = true}, 4},
                                           {{.thread = 1}, 4}});
  EXPECT_EQ(result.watched[0], 0U);
  EXPECT_EQ(result.watched[1], 12U);
  EXPECT_GT(result.watched[2], result.watched[1]);
}

TEST_P(RaceInTime, WhatTheRunDoesNotComeToHasNoCycle) {
  const clock::TimedResult result =
      watch({{{.thread = 1}, kNops}, {{.thread = 0}, 0}, {{.thread = 1, .is_core = true}, kNops}});
  for (const auto& cycle : result.watched) EXPECT_FALSE(cycle.has_value());
}

TEST_P(RaceInTime, TheFirstOfARaceIsTheFirst) {
  const tile::Race race{
      .place = {},
      .first = {.agent = {.thread = 1}, .ordinal = 7, .word = {}},
      .second = {.agent = {.thread = 1, .is_core = true}, .ordinal = 2, .word = {}}};
  const clock::TimedResult result = watch(clock::deeds_of(race));
  const tile::RaceInTime times = clock::race_in_time("how", result);
  EXPECT_EQ(times.cores, "how");
  EXPECT_EQ(times.first, result.timeline[7].cycle);
  EXPECT_EQ(times.second, 6U);
}

} // namespace
} // namespace lanewise::test
