// A tile in time, in each of its forms, read back.
#include "report/tile/time.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "report/occurrences.h"

namespace lanewise::report {
namespace {

using test::occurrences;

constexpr std::uint32_t kNop = 0x02000000;

/// Four tiles of 100 cycles, of which the Matrix Unit takes 80; T1 has waited 20 cycles in front of
/// its last instruction.
TileTime time_of() {
  TileTime time{.arch = Arch::Blackhole, .program = "a.tt", .shown = 2};
  clock::TimedResult& run = time.run;
  run.cycles = 480;
  run.units.matrix = 320;
  run.thread[1] = {.issued = 330, .issuing = 330, .last = 439};
  run.thread[1].waited[static_cast<unsigned>(clock::Why::Semaphore)] = 90;
  run.thread[1].waited[static_cast<unsigned>(clock::Why::Push)] = 20;
  run.core[1] = {.own = 75, .waited = 225};
  for (unsigned i = 1; i <= 4; ++i) {
    clock::TileEnd end{.cycle = 100 * i};
    end.until.units.matrix = 80 * i;
    run.ends.push_back(end);
  }
  const ProgramWord word{.word = kNop, .line = 7};
  run.timeline = {
      {.cycle = 2, .thread = 0, .word = word},
      {.cycle = 5, .thread = 2, .word = word},
      {.cycle = 30, .waited = 20, .why = clock::Why::Semaphore, .thread = 1, .word = word}};
  time.zones = {
      {.thread = 1, .name = "TILE_LOOP", .begin = 10, .end = 410},
      {.thread = 2, .name = "open", .kind = section::Zone::Kind::Open, .begin = 3, .end = 3},
      {.thread = 2, .name = "here", .kind = section::Zone::Kind::Point, .begin = 4, .end = 4}};
  time.assumed = {"assumed: nothing"};
  return time;
}

/// The words of the line that begins so.
std::vector<std::string> line_beginning(const std::string& text, const std::string& start) {
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    if (!line.starts_with(start)) continue;
    std::istringstream rest(line);
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    return words;
  }
  return {};
}

using Words = std::vector<std::string>;

TEST(TileTimeText, SaysWhatATileTakesAndWhatBoundsIt) {
  const std::string text = tile_time_text(time_of());
  EXPECT_TRUE(text.starts_with("bh: 480 cycles of the model\n")) << text;
  EXPECT_EQ(occurrences(text,
                        "100.0 cycles per tile in the steady state, over the second half of 4 "
                        "tiles"),
            1U)
      << text;
  EXPECT_EQ(line_beginning(text, "Matrix Unit"),
            (Words{"Matrix", "Unit", "80.0", "80", "%", "bounds", "it"}))
      << text;
  EXPECT_EQ(occurrences(text, "bounds it"), 1U);
}

TEST(TileTimeText, HasTheOtherEndOfARange) {
  TileTime time = time_of();
  EXPECT_EQ(tile_time_text(time).find("cycles per tile: each core"), std::string::npos);
  EXPECT_TRUE(tile_time_json(time)["slow_pushes"].is_null());
  time.slow = SlowPushes{6, time.run};
  time.slow->run.cycles = 990;
  for (clock::TileEnd& end : time.slow->run.ends) end.cycle *= 2;
  EXPECT_EQ(occurrences(tile_time_text(time),
                        "\n100.0 to 200.0 cycles per tile: each core pushes a word in 1 cycle, or "
                        "in 6\n"),
            1U);
  EXPECT_EQ(
      nlohmann::json::parse(tile_time_json(time)["slow_pushes"].dump()),
      nlohmann::json::parse(R"({"cycles_per_word": 6, "cycles": 990, "cycles_per_tile": 200})"));
}

TEST(TileTimeText, SaysWhereTheCyclesOfThreadsAndCoresGo) {
  const std::string text = tile_time_text(time_of());
  EXPECT_EQ(line_beginning(text, "issuing"), (Words{"issuing", "0", "330", "75", "%", "0"}))
      << text;
  EXPECT_EQ(line_beginning(text, "waits for a semaphore"),
            (Words{"waits", "for", "a", "semaphore", "0", "90", "20", "%", "0"}))
      << text;
  EXPECT_EQ(line_beginning(text, "own code"), (Words{"own", "code", "0", "75", "25", "%", "0"}))
      << text;
  EXPECT_EQ(line_beginning(text, "waits for the tile"),
            (Words{"waits", "for", "the", "tile", "0", "225", "75", "%", "0"}))
      << text;
  EXPECT_EQ(occurrences(text, "waits for a bank"), 0U) << "nobody did";
}

TEST(TileTimeText, HasZonesTheEndOfTheTimelineAndWhatIsAssumed) {
  const std::string text = tile_time_text(time_of());
  EXPECT_EQ(line_beginning(text, "T1 math  TILE_LOOP"),
            (Words{"T1", "math", "TILE_LOOP", "10", "410", "400"}))
      << text;
  EXPECT_EQ(line_beginning(text, "T2 pack  open"), (Words{"T2", "pack", "open", "3"})) << text;
  EXPECT_EQ(line_beginning(text, "T2 pack  here"), (Words{"T2", "pack", "here", "4"})) << text;
  EXPECT_EQ(occurrences(text, "The last 2 of 3 instructions"), 1U);
  EXPECT_EQ(line_beginning(text, "   30"),
            (Words{"30", "T1", "math", "7", "NOP", "20", "a", "semaphore"}))
      << text;
  EXPECT_EQ(occurrences(text, "note: assumed: nothing\n"), 1U);
}

TEST(TileTimeText, SaysWhatFunctionsOfCoresCost) {
  TileTime time = time_of();
  EXPECT_EQ(occurrences(tile_time_text(time), "by function"), 0U);
  EXPECT_FALSE(tile_time_json(time).contains("functions"));
  time.functions = {{0, "run(int)", 30, 60}, {0, "", 10, 20}, {1, "math", 5, 200}};
  const std::string text = tile_time_text(time);
  EXPECT_EQ(line_beginning(text, "T0 unpack  run(int)"),
            (Words{"T0", "unpack", "run(int)", "30", "60", "75", "%"}))
      << text;
  EXPECT_EQ(line_beginning(text, "T0 unpack  outside of functions"),
            (Words{"T0", "unpack", "outside", "of", "functions", "10", "20", "25", "%"}))
      << text;
  EXPECT_EQ(line_beginning(text, "T1 math    math"),
            (Words{"T1", "math", "math", "5", "200", "100", "%"}))
      << text;
  const auto functions = tile_time_json(time)["functions"];
  ASSERT_EQ(functions.size(), 3U);
  EXPECT_EQ(functions[0].dump(),
            "{\"thread\":0,\"name\":\"run(int)\",\"instructions\":30,\"cycles\":60}");
  EXPECT_EQ(functions[1].dump(), "{\"thread\":0,\"instructions\":10,\"cycles\":20}");
}

TEST(TileTimeText, AFewTilesAreNoSteadyState) {
  TileTime time = time_of();
  time.run.ends.resize(2);
  time.shown = 0;
  const std::string text = tile_time_text(time);
  EXPECT_EQ(occurrences(text, "240.0 cycles per tile, by the whole run of 2 tiles: 4 or more"), 1U)
      << text;
  EXPECT_EQ(occurrences(text, "The last"), 0U);
}

TEST(TileTimeJson, HasTheSame) {
  const auto json = nlohmann::json::parse(tile_time_json(time_of()).dump());
  EXPECT_EQ(json["arch"], "bh");
  EXPECT_EQ(json["program"], "a.tt");
  EXPECT_EQ(json["source"], "lanewise-model");
  EXPECT_EQ(json["cycles"], 480);
  EXPECT_EQ(json["per_tile"]["tiles"], 4);
  EXPECT_EQ(json["per_tile"]["is_steady"], true);
  EXPECT_EQ(json["per_tile"]["cycles"], 100.0);
  EXPECT_EQ(json["per_tile"]["bounded_by"], "Matrix Unit");
  EXPECT_EQ(json["per_tile"]["alone"],
            nlohmann::json::parse(R"([{"part": "Matrix Unit", "cycles": 80.0}])"));
  EXPECT_EQ(json["ends"], (std::vector{100, 200, 300, 400}));
  EXPECT_EQ(json["assumed"], std::vector<std::string>{"assumed: nothing"});
  const auto& math = json["threads"][1];
  EXPECT_EQ(math["name"], "math");
  EXPECT_EQ(math["issued"], 330);
  EXPECT_EQ(math["issuing"], 330);
  EXPECT_EQ(math["last"], 439);
  EXPECT_EQ(math["waited"], nlohmann::json::parse(R"({"semaphore": 90, "push": 20})"));
  EXPECT_EQ(math["core"], nlohmann::json::parse(R"({"own": 75, "waited": 225})"));
  bool has_whole_run = false;
  for (const auto& each : json["alone"])
    has_whole_run = has_whole_run || (each["part"] == "Matrix Unit" && each["cycles"] == 320.0);
  EXPECT_TRUE(has_whole_run);
}

TEST(TileTimeJson, HasZonesAndTheTimelineThatIsShown) {
  const auto json = nlohmann::json::parse(tile_time_json(time_of()).dump());
  EXPECT_EQ(json["zones"], nlohmann::json::parse(
                               R"([{"thread": 1, "name": "TILE_LOOP", "begin": 10, "end": 410},
                    {"thread": 2, "name": "open", "begin": 3, "end": null},
                    {"thread": 2, "name": "here", "begin": 4}])"));
  ASSERT_EQ(json["timeline"].size(), 2U);
  EXPECT_EQ(json["timeline"][1],
            nlohmann::json::parse(
                R"({"cycle": 30, "thread": 1, "line": 7, "word": "02000000", "instruction": "NOP",
                    "waited": 20, "for": "semaphore"})"));
  TileTime quiet = time_of();
  quiet.shown = 0;
  EXPECT_FALSE(tile_time_json(quiet).contains("timeline"));
}

TEST(TileTimePerfetto, HasATrackForEachThreadItsWaitsAndItsZones) {
  const auto json = tile_time_perfetto(time_of());
  std::map<int, std::string> tracks;
  for (const auto& event : json["traceEvents"])
    if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
  EXPECT_EQ(tracks.size(), 6U);
  const auto find = [&](std::string_view name, std::string_view phase) {
    nlohmann::json found;
    for (const auto& event : json["traceEvents"])
      if (event["name"] == name && event["ph"] == phase) found = event;
    return found;
  };
  const auto wait = find("waits for a semaphore", "X");
  ASSERT_FALSE(wait.is_null());
  EXPECT_EQ(tracks[wait["tid"]], "T1 math");
  EXPECT_EQ(wait["ts"], 10);
  EXPECT_EQ(wait["dur"], 20);
  const auto nop = find("NOP", "X"); // the last one
  EXPECT_EQ(tracks[nop["tid"]], "T1 math");
  EXPECT_EQ(nop["ts"], 30);
  EXPECT_EQ(nop["dur"], 1);
  EXPECT_EQ(nop["args"]["line"], "7");
  const auto zone = find("TILE_LOOP", "X");
  EXPECT_EQ(tracks[zone["tid"]], "T1 math: zones");
  EXPECT_EQ(zone["ts"], 10);
  EXPECT_EQ(zone["dur"], 400);
  EXPECT_EQ(find("here", "i")["ts"], 4);
  EXPECT_EQ(tracks[find("here", "i")["tid"]], "T2 pack: zones");
  EXPECT_EQ(json["otherData"]["source"], "lanewise-model");
}

TEST(TileTimePerfetto, HasATrackForEachCoreAndUnit) {
  TileTime time = time_of();
  time.run.core_spans = {{.begin = 0, .waits = 75, .end = 300, .core = 1},
                         {.begin = 0, .waits = 0, .end = 40, .core = 4, .address = 0xFFB30204}};
  time.run.unit_spans = {{.begin = 8, .end = 24, .unit = clock::WorkUnit::Packer0}};
  std::map<int, std::string> tracks;
  std::map<std::string, Words> seen;
  const auto json = tile_time_perfetto(time);
  for (const auto& event : json["traceEvents"])
    if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
  for (const auto& event : json["traceEvents"])
    if (event["ph"] == "X")
      seen[tracks.at(event["tid"])].push_back(
          fmt::format("{} {}+{}", event["name"].get<std::string>(), event["ts"].get<unsigned>(),
                      event["dur"].get<unsigned>()));
  EXPECT_EQ(seen["core of T1"], Words({"own code 0+75", "waits for its thread 75+225"}));
  EXPECT_EQ(seen["ncrisc"], Words({"waits for answers of NoC 1 0+40"}));
  EXPECT_EQ(seen["packer 0"], Words({"works 8+16"}));
}

} // namespace
} // namespace lanewise::report
