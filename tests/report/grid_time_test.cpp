// Programs on many cores in time, as they are told (docs/grid.md, "Time").
#include "report/grid/time.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "chip/isa/noc_record.h"
#include "chip/noc/routes.h"
#include "chip/tile/tile.h"
#include "report/grid/links.h"
#include "report/grid/path.h"
#include "run/section/core_run.h"
#include "source/programs/own_headers.h"

namespace lanewise::report {
namespace {

using programs::Core;

constexpr std::uint32_t kWord = 0x16010;

GridCore core_of(Core place, std::uint64_t cycles, std::uint64_t own) {
  GridCore core{.core = place};
  core.time.tile.arch = Arch::Blackhole;
  core.time.tile.program = "p.json";
  core.time.tile.run.cycles = cycles;
  core.time.tile.run.core[tile::kBrisc] = {.own = own, .waited = cycles - own};
  return core;
}

clock::CoreSpan wait(std::uint64_t begin, std::uint64_t since, std::uint64_t end) {
  return {.begin = begin, .waits = since, .end = end, .core = tile::kBrisc, .address = kWord};
}

noc::Signal signal(std::uint64_t asked, std::uint64_t came, Core from, std::uint32_t line) {
  return {.asked = asked,
          .came = came,
          .from = noc::core_number(from.x, from.y),
          .address = kWord,
          .line = line};
}

/// (0, 0) tells (1, 0) in cycle 300; that one goes on until 500 and tells (0, 0), which ends in
/// 1000. What (1, 0) waited for before that, from cycle 10 to 20, was ended by nobody.
GridTime a_grid() {
  GridTime time;
  time.cores = {core_of({0, 0}, 1000, 800), core_of({1, 0}, 600, 100)};
  time.cores[0].time.tile.run.core_spans = {wait(0, 350, 560)};
  time.cores[0].signals = {signal(500, 550, {1, 0}, 21)};
  time.cores[1].time.tile.run.core_spans = {wait(0, 10, 20), wait(20, 100, 345)};
  time.cores[1].signals = {signal(40, 90, {0, 0}, 11), signal(300, 340, {0, 0}, 12)};
  time.cores[0].time.traffic[0] = {.reads = 1, .bytes_in = 2000, .busy_in = 30};
  time.bank_busy = {0, 900};
  const noc::Torus torus(Arch::Blackhole, 0);
  for (auto& links : time.link_bytes) links.resize(torus.links());
  std::vector<noc::Link> links;
  torus.append_route({1, 2}, {2, 2}, links);
  time.link_bytes[0][links.at(0)] = 6220; // 100 cycles at 62.2 bytes each
  return time;
}

TEST(GridTimeReport, TheCriticalPathGoesFromSignalToSignal) {
  const auto path = critical_path(a_grid());
  ASSERT_EQ(path.size(), 3U);
  EXPECT_EQ(path[0].core, (Core{0, 0}));
  EXPECT_EQ(path[0].begin, 0U);
  EXPECT_EQ(path[0].end, 300U);
  EXPECT_EQ(path[1].core, (Core{1, 0}));
  EXPECT_EQ(path[1].begin, 340U);
  EXPECT_EQ(path[1].end, 500U);
  EXPECT_EQ(path[1].waited_since, 100U);
  EXPECT_EQ(path[1].signal.line, 12U);
  EXPECT_EQ(path[2].core, (Core{0, 0}));
  EXPECT_EQ(path[2].begin, 550U);
  EXPECT_EQ(path[2].end, 1000U);
}

// A signal that came before the wait began, or to another word, has not ended it.
TEST(GridTimeReport, OnlyWhatAWaitWasForEndsIt) {
  GridTime time = a_grid();
  time.cores[0].signals[0].came = 340;
  EXPECT_EQ(critical_path(time).size(), 1U);
  time = a_grid();
  time.cores[0].signals[0].address += 16;
  EXPECT_EQ(critical_path(time).size(), 1U);
}

TEST(GridTimeReport, WhatWasBusyForMostOfTheRunBoundsIt) {
  GridTime time = a_grid();
  EXPECT_EQ(bound_of(time).part, "bank 1 of DRAM");
  EXPECT_EQ(bound_of(time).cycles, 900);
  time.bank_busy[1] = 0;
  EXPECT_EQ(bound_of(time).part, "core (0, 0): BRISC");
  time.cores[0].time.tile.run.core[tile::kBrisc].own = 1;
  time.cores[1].time.tile.run.core[tile::kBrisc].own = 1;
  EXPECT_EQ(bound_of(time).part, "link of NoC 0, from (1, 2) to (2, 2)");
  EXPECT_NEAR(bound_of(time).cycles, 100, 0.01);
  time.link_bytes[0].assign(time.link_bytes[0].size(), 0);
  EXPECT_EQ(bound_of(time).part, "core (0, 0): NoC 0, into the core");
}

TEST(GridTimeReport, TheTextHasCoresPathBanksAndLinks) {
  const std::string text = grid_time_text(a_grid());
  for (const char* each :
       {"2 cores, 1000 cycles until the last of them, (0, 0), is done\n",
        "what bounds it: bank 1 of DRAM, for 900 cycles, 90 % of the run\n",
        "2000 bytes came into cores, 2.0 a cycle; 0 went out, 0.0 a cycle\n", "bank 1   900  90 %",
        "NoC 0, from (1, 2) to (2, 2)", "Core (0, 0), which ends last\n"})
    EXPECT_NE(text.find(each), std::string::npos) << each << "\n" << text;
  EXPECT_LT(text.find("\n(0, 0)"), text.find("\n(1, 0)")) << "the slowest first";
}

TEST(GridTimeReport, JsonSaysTheSame) {
  const auto json = grid_time_json(a_grid());
  EXPECT_EQ(json.at("cycles"), 1000);
  EXPECT_EQ(json.at("last"), nlohmann::json({0, 0}));
  EXPECT_EQ(json.at("bound").at("part"), "bank 1 of DRAM");
  ASSERT_EQ(json.at("cores").size(), 2U);
  EXPECT_EQ(json.at("cores")[1].at("place"), nlohmann::json({1, 0}));
  EXPECT_EQ(json.at("cores")[1].at("cycles"), 600);
  EXPECT_EQ(json.at("cores")[0].at("bound").at("part"), "BRISC");
  ASSERT_EQ(json.at("critical_path").size(), 3U);
  EXPECT_FALSE(json.at("critical_path")[0].contains("signal"));
  EXPECT_EQ(json.at("critical_path")[2].at("signal").at("core"), nlohmann::json({1, 0}));
  EXPECT_EQ(json.at("critical_path")[2].at("waited_since"), 350);
  ASSERT_EQ(json.at("links").size(), 1U);
  EXPECT_EQ(json.at("links")[0].at("from"), nlohmann::json({1, 2}));
  EXPECT_EQ(json.at("links")[0].at("bytes"), 6220);
}

TEST(GridTimeReport, TheTraceHasAProcessForEachCore) {
  GridTime time = a_grid();
  for (GridCore& core : time.cores)
    core.time.spans = {{.asked = 1, .left = 2, .landed = 3, .bytes = 64}};
  const auto trace = grid_time_perfetto(time);
  std::set<std::string> names, spans;
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("name") == "process_name")
      names.insert(std::to_string(event.at("pid").get<int>()) + " " +
                   event.at("args").at("name").get<std::string>());
    if (event.at("ph") == "b") spans.insert(event.at("id").get<std::string>());
  }
  EXPECT_EQ(names, (std::set<std::string>{"1 core (0, 0)", "2 core (1, 0)"}));
  EXPECT_EQ(spans.size(), 2U) << "transactions of two cores are two";
}

TEST(GridTimeReport, ThePageHasTheGridWithItsCoresLinksAndBanks) {
  const std::string page = grid_time_html(a_grid(), "lanewise kernels p.json --time");
  for (const char* each :
       {"core (1, 0): 600 cycles; needs most: BRISC, alone 100 cycles",
        "NoC 0, from (1, 2) to (2, 2): 6220 bytes, 10 % of what it can carry",
        "bank 1: busy for 900 of 1000 cycles", "class=\"core load8\"", "class=\"link load1\"",
        ">bank 1 of DRAM<", "Core (0, 0), which ends last"})
    EXPECT_NE(page.find(each), std::string::npos) << each;
}

TEST(GridTimeReport, OneCoreAloneHasTheFieldsOfManyToo) {
  GridTime time = a_grid();
  time.cores.resize(1);
  time.cores[0].signals.clear();
  const auto json = cores_time_json(time);
  EXPECT_EQ(json.at("bound").at("part"), "bank 1 of DRAM");
  ASSERT_EQ(json.at("cores").size(), 1U);
  EXPECT_EQ(json.at("cores")[0].at("place"), nlohmann::json({0, 0}));
  ASSERT_EQ(json.at("critical_path").size(), 1U);
  EXPECT_EQ(json.at("critical_path")[0].at("end"), 1000);
}

TEST(GridTimeReport, ARunBecomesAReportWithWhatIsAssumedOfIt) {
  programs::Program program;
  program.arch = Arch::Blackhole;
  launch::LaunchOutcome host;
  const auto run = [] {
    grid::TimedLaunch timed{.cores = {}, .bank_busy = {0, 7}, .link_bytes = {}};
    timed.cores.resize(2);
    timed.cores[1].core = {1, 0};
    timed.cores[1].time.cycles = 600;
    timed.cores[1].traffic[1].reads = 3;
    timed.cores[1].signals = {signal(40, 90, {0, 0}, 11)};
    return timed;
  };
  GridTime time = grid_time(program, host, run(), {.name = "p.json", .tiles = 4, .shown = 5});
  EXPECT_EQ(time.bank_busy, (std::vector<double>{0, 7}));
  ASSERT_EQ(time.cores.size(), 2U);
  const GridCore& core = time.cores[1];
  EXPECT_EQ(core.core, (Core{1, 0}));
  EXPECT_EQ(core.signals.size(), 1U);
  EXPECT_EQ(core.time.tile.run.cycles, 600U);
  EXPECT_EQ(core.time.tile.program, "p.json");
  EXPECT_EQ(core.time.tile.tiles, 4U);
  EXPECT_EQ(core.time.tile.shown, 5U);
  EXPECT_EQ(core.time.traffic[1].reads, 3U);
  EXPECT_EQ(core.time.bank_busy, time.bank_busy);
  ASSERT_EQ(core.time.tile.assumed.size(), 4U);
  EXPECT_EQ(core.time.tile.assumed[3],
            "assumed of the cores: gathering of pushes is off (--gather)");

  host.stretches.resize(1);
  host.stretches[0][1].order = {0};
  time = grid_time(program, host, run(), {.gathers = true, .has_own_headers = true});
  const auto& assumed = time.cores[0].time.tile.assumed;
  ASSERT_EQ(assumed.size(), 6U);
  EXPECT_EQ(assumed[3], programs::kAssumedOfOwnHeaders);
  EXPECT_EQ(assumed[4], section::kAssumedOfVectorCode);
  EXPECT_NE(assumed[5].find("is on"), std::string::npos);
}

TEST(GridTimeReport, OneCoreHasTheReportOfAProgram) {
  GridTime time = a_grid();
  time.cores.resize(1);
  EXPECT_EQ(grid_time_text(time), program_time_text(time.cores[0].time));
  EXPECT_EQ(grid_time_json(time), program_time_json(time.cores[0].time));
}

} // namespace
} // namespace lanewise::report
