// Programs in time, as they are told: text, JSON and the trace (docs/programs.md, "Time").
#include "report/program/time.h"

#include <gtest/gtest.h>

#include <string>

#include "chip/tile/tile.h"

namespace lanewise::report {
namespace {

/// Of 1000 cycles: NoC 0 reads twice, NoC 1 writes once; c_5 holds one page from 100 to 300, two up
/// to 600, none afterwards.
ProgramTime a_program() {
  ProgramTime time;
  time.tile.arch = Arch::Blackhole;
  time.tile.program = "p.json";
  time.tile.run.cycles = 1000;
  time.tile.run.core[tile::kBrisc] = {.own = 250, .waited = 750};
  time.tile.run.core[tile::kNcrisc] = {.own = 90, .waited = 810};
  time.traffic[0] = {.reads = 2, .bytes_in = 4096, .busy_in = 100};
  time.traffic[1] = {.writes = 1, .bytes_out = 2048, .busy_out = 50};
  time.bank_busy = {10, 200, 0};
  time.spans = {{.asked = 5,
                 .left = 6,
                 .landed = 400,
                 .kind = noc::Transaction::Kind::Read,
                 .core = tile::kBrisc,
                 .noc = 0,
                 .bytes = 2048,
                 .line = 7},
                {.asked = 500,
                 .left = 540,
                 .landed = 900,
                 .kind = noc::Transaction::Kind::Write,
                 .core = tile::kNcrisc,
                 .noc = 1,
                 .bytes = 2048,
                 .line = 9}};
  time.levels = {{.cycle = 100, .index = 5, .pages = 1, .capacity = 2},
                 {.cycle = 300, .index = 5, .pages = 2, .capacity = 2},
                 {.cycle = 600, .index = 5, .pages = 0, .capacity = 2}};
  return time;
}

/// The line of a text that begins so, with single blanks.
std::string line_of(const std::string& text, const std::string& begin) {
  const std::size_t at = text.find("\n" + begin);
  if (at == std::string::npos) return {};
  std::string line;
  for (const char each : text.substr(at + 1, text.find('\n', at + 1) - at - 1))
    if (each != ' ' || !line.ends_with(' ')) line += each;
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

TEST(ProgramTimeReport, TheTextHasCoresNocAndCircularBuffers) {
  const std::string text = program_time_text(a_program());
  EXPECT_EQ(line_of(text, "brisc"), "brisc 250 25 % 750 75 %");
  EXPECT_EQ(line_of(text, "ncrisc"), "ncrisc 90 10 % 810 90 %");
  EXPECT_EQ(line_of(text, "NoC 0, into"), "NoC 0, into the core 2 4096 100 10 %");
  EXPECT_EQ(line_of(text, "NoC 1, out"), "NoC 1, out of it 1 2048 50 5 %");
  EXPECT_EQ(line_of(text, "NoC 0, out"), "") << "nothing went there";
  EXPECT_EQ(line_of(text, "DRAM bank 1"), "DRAM bank 1, the busiest 200 20 %");
  // 1 page for 200 cycles and 2 for 300; empty for 100 and for 400.
  EXPECT_EQ(line_of(text, "c_5"), "c_5 2 2 0.8 50 %");
  EXPECT_NE(text.find("1000 cycles of the model"), std::string::npos);
}

TEST(ProgramTimeReport, TheJsonHasTheSameFigures) {
  const auto json = program_time_json(a_program());
  EXPECT_EQ(json.at("cycles"), 1000);
  EXPECT_EQ(json.at("movers").at("brisc").at("own"), 250);
  EXPECT_EQ(json.at("movers").at("ncrisc").at("waited"), 810);
  EXPECT_EQ(json.at("noc").at(0).at("reads"), 2);
  EXPECT_EQ(json.at("noc").at(0).at("bytes_in"), 4096);
  EXPECT_EQ(json.at("noc").at(1).at("busy_out"), 50);
  EXPECT_EQ(json.at("banks").at(1), 200);
  const auto& buffer = json.at("circular_buffers").at(0);
  EXPECT_EQ(buffer.at("index"), 5);
  EXPECT_EQ(buffer.at("pages"), 2);
  EXPECT_EQ(buffer.at("most"), 2);
  EXPECT_DOUBLE_EQ(buffer.at("mean").get<double>(), 0.8);
  EXPECT_EQ(buffer.at("empty"), 500);
}

TEST(ProgramTimeReport, TheTraceHasEachTransactionFromRequestToAnswerAndEachLevel) {
  const auto trace = program_time_perfetto(a_program());
  unsigned begins = 0, ends = 0, levels = 0;
  for (const auto& event : trace.at("traceEvents")) {
    const std::string phase = event.at("ph");
    if (phase == "b" && event.at("id") == 0) {
      ++begins;
      EXPECT_EQ(event.at("ts"), 5);
      EXPECT_EQ(event.at("name"), "read of 2048 bytes");
      EXPECT_EQ(event.at("args").at("left"), 6);
    }
    if (phase == "e" && event.at("id") == 1) {
      ++ends;
      EXPECT_EQ(event.at("ts"), 900);
      EXPECT_EQ(event.at("name"), "write of 2048 bytes");
    }
    if (phase == "C") {
      EXPECT_EQ(event.at("name"), "pages of c_5");
      EXPECT_EQ(event.at("args").at("pages"), levels == 0 ? 1 : levels == 1 ? 2 : 0);
      ++levels;
    }
  }
  EXPECT_EQ(begins, 1U);
  EXPECT_EQ(ends, 1U);
  EXPECT_EQ(levels, 3U);
}

} // namespace
} // namespace lanewise::report
