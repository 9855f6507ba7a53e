// What is said of a race's order in time follows from its cycles.
#include "report/tile/races.h"

#include <gtest/gtest.h>

namespace lanewise::test {
namespace {

tile::RaceReport found(std::vector<tile::RaceInTime> times) {
  tile::RaceReport races;
  races.schedules = 2;
  races.differs = tile::ScheduleChoice();
  races.differences = {"L1"};
  races.race = tile::Race{};
  races.in_time = std::move(times);
  return races;
}

std::string text_of(const tile::RaceReport& races) {
  return report::race_text(Arch::Blackhole, races);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RacesInTime, BothRunsInRoundRobinsOrderKeepIt) {
  const auto races = found({{"fast", 10, 17}, {"slow", 40, 55}});
  const std::string text = text_of(races);
  EXPECT_TRUE(has(text, "in time (fast), the first goes in cycle 10 and the second in cycle 17\n"));
  EXPECT_TRUE(has(text, "in time (slow), the first goes in cycle 40 and the second in cycle 55\n"));
  // 17 - 10 is the less of both.
  EXPECT_TRUE(has(text, "keeps round robin's order: a delay of more than 7 cycles turns it\n"));
  EXPECT_EQ(report::race_json(Arch::Blackhole, races)["time"], "keeps");
}

TEST(RacesInTime, BothRunsTheOtherWayRoundTurnIt) {
  const auto races = found({{"", 25, 10}});
  const std::string text = text_of(races);
  EXPECT_TRUE(has(text, "in time, the first goes in cycle 25 and the second in cycle 10\n"));
  EXPECT_TRUE(
      has(text, "the other way round, and a delay of 15 cycles gives round robin's order\n"));
  EXPECT_EQ(report::race_json(Arch::Blackhole, races)["time"], "turns");
}

TEST(RacesInTime, TwoRunsThatDifferAllowBoth) {
  const auto races = found({{"fast", 10, 25}, {"slow", 40, 30}});
  EXPECT_TRUE(has(text_of(races), "time allows both orders"));
  const auto json = report::race_json(Arch::Blackhole, races);
  EXPECT_EQ(json["time"], "allows_both");
  EXPECT_EQ(json["in_time"].size(), 2U);
  EXPECT_EQ(json["in_time"][1]["cores"], "slow");
  EXPECT_EQ(json["in_time"][1]["first"], 40);
  EXPECT_EQ(json["in_time"][1]["second"], 30);
}

TEST(RacesInTime, WhatNeverGoesSaysNothingOfTheOrder) {
  const auto races = found({{"", 25, std::nullopt}});
  const std::string text = text_of(races);
  EXPECT_TRUE(has(text, "the first goes in cycle 25 and the second never\n"));
  EXPECT_FALSE(has(text, "so time"));
  const auto json = report::race_json(Arch::Blackhole, races);
  EXPECT_EQ(json["time"], "unknown");
  EXPECT_TRUE(json["in_time"][0]["second"].is_null());
}

TEST(RacesInTime, WhyThereIsNoTimeIsSaid) {
  auto races = found({});
  races.no_time = "it is too long";
  EXPECT_TRUE(has(text_of(races), "in time: not known: it is too long\n"));
  EXPECT_EQ(report::race_json(Arch::Blackhole, races)["no_time"], "it is too long");
  races.no_time.clear();
  EXPECT_FALSE(has(text_of(races), "in time"));
}

} // namespace
} // namespace lanewise::test
