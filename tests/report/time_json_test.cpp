// The clock as JSON and as a trace for Perfetto.
#include "report/time/json.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "base/source_line.h"
#include "report/time/perfetto.h"
#include "report/time_fixture.h"

namespace lanewise {
namespace {

using nlohmann::json;
using test::timed;

TEST(TimeJson, SummaryAndInstructions) {
  const std::array reports{timed(Arch::Blackhole, test::kTanhRow)};
  const json result = report::time_json(reports);
  EXPECT_EQ(result["format"], "lanewise-time");
  const json& chip = result["chips"][0];
  EXPECT_EQ(chip["arch"], "bh");
  EXPECT_EQ(chip["total"]["cycles"], 4);
  EXPECT_EQ(chip["total"]["hidden_stalls"]["result"], 1); // T4
  EXPECT_EQ(chip["total"]["busy"]["Mad"], 1);
  EXPECT_EQ(chip["total"]["lower_bounds"]["front_end"], 4);
  EXPECT_EQ(chip["tile"]["pass"]["cycles"], 4);
  EXPECT_EQ(chip["tile"]["passes"], 32);
  EXPECT_EQ(chip["tile"]["cycles"], 128);
  EXPECT_EQ(chip["tile"]["cycles_per_row"], 4);
  EXPECT_EQ(chip["tile"]["init"], 0);
  EXPECT_TRUE(chip["pushed"].is_null());
  const json& store = chip["instructions"][2];
  EXPECT_EQ(store["assembly"], "SFPSTORE L3, 0, 3, 0");
  EXPECT_EQ(store["line"], 3);
  EXPECT_TRUE(store["file"].is_null());
  EXPECT_EQ(store["part"], "tile");
  EXPECT_EQ(store["slot"], 2);
  EXPECT_EQ(store["execute"], 3);
  EXPECT_EQ(store["stall"], 0); // in front of its slot
  EXPECT_EQ(store["inside"], 1);
  EXPECT_EQ(store["inside_cause"], "result");
}

// T4: the second SFPSWAP waits inside, which keeps the third out.
TEST(TimeJson, StallsBelongToTheLineThatWaits) {
  const std::array reports{timed(Arch::Blackhole, test::kSwaps)};
  const json lines = report::time_json(reports)["chips"][0]["stalled_lines"];
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0]["line"], 2);
  EXPECT_TRUE(lines[0]["file"].is_null());
  EXPECT_EQ(lines[0]["cause"], "two_cycles");
  EXPECT_EQ(lines[0]["total"], 1);
}

TEST(TimeJson, WhatCannotBeTimedHasNoTimes) {
  report::TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  report.untimed = "not timed: a reason";
  const json chip = report::time_json(std::array{report})["chips"][0];
  EXPECT_EQ(chip["failure"], "not timed: a reason");
  EXPECT_FALSE(chip.contains("tile"));
  EXPECT_FALSE(chip.contains("total"));
}

TEST(TimeJson, HarnessAddsItsConstantAndItsLoop) { // T6
  report::TimeReport report = timed(Arch::Wormhole, test::kTanhRow);
  report.harness = timing::find_harness("wh-rolled");
  const json tile = report::time_json(std::array{report})["chips"][0]["tile"];
  const double cycles = tile["cycles"];
  EXPECT_DOUBLE_EQ(tile["harness"]["cycles"], cycles + 32 + 55.8);
  report.loop_passes = 16;
  EXPECT_DOUBLE_EQ(report.harness_cycles().value_or(0), cycles + 16 + 55.8);
}

TEST(TimeJson, RolledLoopComesOnTopOfHarnessesThatReplayOnly) { // T5
  report::TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  report.rolled_loop = 15;
  report.harness = timing::find_harness("llk-bench");
  EXPECT_DOUBLE_EQ(report.harness_cycles().value_or(0), 128 + 15.1 + 15);
  report.harness = timing::find_harness("llk-bench-pushed");
  EXPECT_DOUBLE_EQ(report.harness_cycles().value_or(0), 128 + 30.1);
}

// T5: a row of four words, one of which takes the core six cycles.
TEST(TimeJson, ComputedWordsAreApart) {
  const auto chip_of = [](std::initializer_list<std::size_t> computed) {
    return report::time_json(
        std::array{timed(Arch::Blackhole, test::kTanhRow, computed)})["chips"][0];
  };
  EXPECT_TRUE(chip_of({})["computed"].is_null());
  const json chip = chip_of({1});
  EXPECT_EQ(chip["computed"]["words"], 1);
  EXPECT_EQ(chip["computed"]["cycles_per_word"], 6);
  EXPECT_EQ(chip["computed"]["cycles"], 32 * (3 + 6));
  EXPECT_EQ(chip["tile"]["cycles"], 32 * 4);
}

TEST(TimeJson, LinesOfOtherFilesHaveTheirFile) {
  report::TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  report.prepared.ops[2].line = line_number({"folder/other.h", 7});
  const json store = report::time_json(std::array{report})["chips"][0]["instructions"][2];
  EXPECT_EQ(store["file"], "folder/other.h");
  EXPECT_EQ(store["line"], 7);
}

TEST(TimeJson, ScheduledEventsNameTheirMacro) { // VU 5.5
  const std::array reports{timed(Arch::Wormhole, test::kMacro)};
  const json result = report::time_json(reports);
  std::vector<json> scheduled;
  for (const json& event : result["chips"][0]["events"]) {
    if (event["scheduled"]) scheduled.push_back(event);
  }
  ASSERT_EQ(scheduled.size(), 2U);
  EXPECT_EQ(scheduled[0]["sub_unit"], "Simple");
  EXPECT_EQ(scheduled[0]["cycle"], 6); // the macro is the sixth instruction
  EXPECT_EQ(scheduled[0]["instruction"], 5);
  EXPECT_EQ(scheduled[0]["writes"], json::array({1}));
  EXPECT_EQ(scheduled[1]["sub_unit"], "Store");
  EXPECT_EQ(scheduled[1]["cycle"], 7);
  EXPECT_EQ(scheduled[1]["dst_row"], 0);
}

TEST(TimeJson, WormholeGivesThePushBand) { // T5
  const std::array reports{timed(Arch::Wormhole, test::kTanhRow)};
  const json pushed = report::time_json(reports)["chips"][0]["pushed"];
  ASSERT_EQ(pushed.size(), 2U);
  EXPECT_EQ(pushed[0]["cycles_per_word"], 1.25);
  EXPECT_EQ(pushed[1]["cycles_per_word"], 1.41);
}

TEST(TimePerfetto, SlicesOfATrackDoNotOverlap) {
  const std::array reports{timed(Arch::Blackhole, test::kSwaps),
                           timed(Arch::Wormhole, test::kMacro)};
  const json trace = report::time_perfetto(reports);
  std::map<std::pair<int, int>, std::set<std::uint64_t>> taken;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    std::set<std::uint64_t>& of_track = taken[std::pair<int, int>(event["pid"], event["tid"])];
    const std::uint64_t first = event["ts"], cycles = event["dur"];
    for (std::uint64_t c = first; c < first + cycles; ++c)
      EXPECT_TRUE(of_track.insert(c).second) << event.dump();
  }
  EXPECT_GE(taken.size(), 4U);
}

TEST(TimePerfetto, TracksHaveNamesAndStallsCauses) { // T3
  const std::array reports{timed(Arch::Blackhole, test::kSwaps)};
  const json trace = report::time_perfetto(reports);
  std::set<std::string> names, slices;
  for (const json& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name") names.insert(event["args"]["name"]);
    if (event["ph"] == "X") slices.insert(event["name"]);
  }
  for (const char* track : {"front end", "Load", "Simple", "MAD", "Round", "Store"})
    EXPECT_TRUE(names.contains(track)) << track;
  EXPECT_TRUE(slices.contains("stall: unit held for two cycles"));
  EXPECT_TRUE(slices.contains("SFPSWAP L0, L1, 0"));
}

} // namespace
} // namespace lanewise
