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

/// A race between a store of T0's core and an instruction of T1, where round robin's core of T0 has
/// stored once.
class RaceOnCores : public RaceInTime {
 protected:
  RaceOnCores() {
    program_.script[0] = tile::CoreScript({.actions = {kStore}, .ended = true});
    reference_.done[0] = {program_.script[0].start()};
    race_.first = {.agent = {.thread = 0, .is_core = true}, .word = {}, .writes = true};
    race_.second = {.agent = {.thread = 1}, .ordinal = 3, .word = {}};
  }

  static constexpr tile::CoreAction kStore{
      .kind = tile::CoreAction::Kind::Store, .address = 0x30000, .value = 1};

  tile::RaceProgram program_{.start = tile::TileState(GetParam()), .script = {}};
  tile::RaceReference reference_;
  tile::Race race_;
};
INSTANTIATE_TEST_SUITE_P(BothChips, RaceOnCores, testing::ValuesIn(kArchs), [](const auto& each) {
  return std::string(arch_params(each.param).names.id);
});

TEST_P(RaceOnCores, ACoreGoesWhenItIsHeardAndAThreadWhenItIssues) {
  auto race = clock::RaceOnCores::open(program_, race_, reference_);
  ASSERT_TRUE(race.has_value());
  const clock::TimedResult result = watch(race->deeds());
  race->hear(0, {.kind = tile::CoreAction::Kind::Store, .address = 0x30004, .value = 1}, 17);
  race->hear(1, kStore, 18);
  race->hear(0, kStore, 19);
  const auto times = race->times(result);
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->first, 19U);
  EXPECT_EQ(times->second, result.timeline[3].cycle);
}

TEST_P(RaceOnCores, ACoreThatDoesItOftenerOrNeverIsNotKnown) {
  for (const unsigned times : {0U, 2U}) {
    auto race = clock::RaceOnCores::open(program_, race_, reference_);
    ASSERT_TRUE(race.has_value());
    const clock::TimedResult result = watch(race->deeds());
    for (unsigned i = 0; i < times; ++i) race->hear(0, kStore, i);
    const auto found = race->times(result);
    ASSERT_FALSE(found.has_value()) << times;
    EXPECT_EQ(found.error().kind, FaultKind::Unsupported);
  }
}

TEST_P(RaceOnCores, ARunThatIsStuckBeforeHasNoCycle) {
  const auto race = clock::RaceOnCores::open(program_, race_, reference_);
  ASSERT_TRUE(race.has_value());
  clock::TimedResult result = watch(race->deeds());
  result.run.blocked.push_back({});
  const auto times = race->times(result);
  ASSERT_TRUE(times.has_value());
  EXPECT_FALSE(times->first.has_value());
}

TEST_P(RaceOnCores, ATouchThatNoAccessExplainsIsNotKnown) {
  race_.first.writes = false; // the core has stored
  EXPECT_FALSE(clock::RaceOnCores::open(program_, race_, reference_).has_value());
}

} // namespace
} // namespace lanewise::test
