// The picture of a run in time: who does what when, and who waits for what (docs/programs.md,
// "Time").
#include "report/program/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "chip/isa/encoding.h"
#include "chip/isa/noc_record.h"
#include "chip/isa/table.h"
#include "chip/tile/tile.h"
#include "report/occurrences.h"
#include "report/program/page.h"
#include "report/program/picture.h"
#include "report/program/waits.h"
#include "report/tile/awaited.h"
#include "report/xml_check.h"

namespace lanewise::report {
namespace {

double share(const RunShares& column, Shade shade) {
  return column[static_cast<unsigned>(shade)];
}

TEST(RunRows, AColumnHasTheShareOfItsCycles) {
  const RunRow row{.name = "x",
                   .bars = {{0, 15, Shade::Works}, {15, 30, Shade::AwaitsNoc, 0.5}, {90, 99}}};
  const auto columns = shares_of(row, {10, 50}, 4); // of ten cycles each
  EXPECT_DOUBLE_EQ(share(columns[0], Shade::Works), 0.5);
  EXPECT_DOUBLE_EQ(share(columns[0], Shade::AwaitsNoc), 0.25);
  EXPECT_DOUBLE_EQ(share(columns[1], Shade::AwaitsNoc), 0.5);
  EXPECT_DOUBLE_EQ(share(columns[1], Shade::Works), 0);
  EXPECT_DOUBLE_EQ(share(columns[3], Shade::Works), 0) << "that lies behind the stretch";
}

TEST(RunRows, AStretchThatIsNarrowerThanItsColumnsIsWhole) {
  const RunRow row{.name = "x", .bars = {{2, 3}}};
  const auto columns = shares_of(row, {0, 4}, 8);
  for (std::size_t i = 0; i < columns.size(); ++i)
    EXPECT_DOUBLE_EQ(share(columns[i], Shade::Works), i == 4 || i == 5 ? 1 : 0) << i;
}

/// ISA, NoC overlay: streams lie 0x1000 apart from 0xFFB40000 on; tt-metal counts pages of circular
/// buffer i in stream i.
std::uint32_t counter(unsigned cb, unsigned number) {
  return 0xFFB40000 + cb * 0x1000 + number * 4;
}

TEST(Awaited, WhatACoreLooksAtIsSaidInWords) {
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole}) {
    const NocRecord& record = *noc_record(arch);
    EXPECT_EQ(awaited_text(arch, counter(3, record.received)), "pages of c_3");
    EXPECT_EQ(awaited_text(arch, counter(16, record.acked)), "room in c_16");
    EXPECT_EQ(awaited_of(arch, counter(16, record.acked)), Awaited::CircularBuffer);
    EXPECT_EQ(awaited_text(arch, 0xFFB20200), "answers of NoC 0");
    EXPECT_EQ(awaited_text(arch, 0xFFB30200), "answers of NoC 1");
    EXPECT_EQ(awaited_of(arch, 0xFFB30200), Awaited::Noc);
    EXPECT_EQ(awaited_text(arch, 0x1F000), "the word 0x1f000 of L1");
    EXPECT_EQ(awaited_of(arch, 0x1F000), Awaited::Other);
    EXPECT_EQ(awaited_text(arch, std::nullopt), "its thread");
    EXPECT_EQ(awaited_of(arch, std::nullopt), Awaited::Thread);
  }
}

clock::Issued issued(isa::Op op, std::uint64_t cycle, std::uint8_t thread, std::uint32_t line) {
  constexpr std::uint32_t kMathPack = 1U << 1 << 2; // the mask of semaphores begins at bit 2
  const std::uint32_t opcode = isa::find_row(Arch::Blackhole, op)->opcode;
  return {.cycle = cycle, .thread = thread, .word = {opcode << 24 | kMathPack, line}};
}

/// A run of 1000 cycles: brisc computes for 250 of them and then waits for NoC 0; math hands a part
/// of Dst over from 100 to 300; c_5 holds one of two pages from 500 on.
ProgramTime a_run() {
  ProgramTime time;
  time.tile.arch = Arch::Blackhole;
  time.tile.program = "p<q>.json";
  time.tile.assumed = {"nobody else"};
  clock::TimedResult& run = time.tile.run;
  run.cycles = 1000;
  run.core_spans = {
      {.begin = 0, .waits = 250, .end = 1000, .core = tile::kBrisc, .address = 0xFFB20200}};
  run.core_waits = {{.core = tile::kBrisc, .line = 47, .address = 0xFFB20200, .cycles = 700},
                    {.core = tile::kBrisc, .line = 47, .address = 0xFFB20204, .cycles = 50},
                    {.core = 2, .line = 9, .address = {}, .cycles = 90}};
  run.timeline = {issued(isa::Op::SEMPOST, 100, 1, 3), issued(isa::Op::SEMGET, 300, 2, 7)};
  run.timeline[1].waited = 200;
  run.timeline[1].why = clock::Why::Semaphore;
  run.unit_spans = {{.begin = 400, .end = 500, .unit = clock::WorkUnit::Matrix}};
  for (unsigned tile = 1; tile <= 8; ++tile) run.ends.push_back({.cycle = 100 * tile});
  time.levels = {{.cycle = 500, .index = 5, .pages = 1, .capacity = 2}};
  time.spans = {{.asked = 10,
                 .left = 12,
                 .landed = 110,
                 .kind = noc::Transaction::Kind::Read,
                 .core = tile::kBrisc,
                 .noc = 0}};
  return time;
}

/// The share of a shade in the row of that name, of the whole run, in hundredths; -1: there is
/// none.
int percent(const std::vector<RunRow>& rows, std::string_view name, Shade shade) {
  const auto found = std::ranges::find(rows, name, &RunRow::name);
  if (found == rows.end()) return -1;
  return static_cast<int>(100 * share(shares_of(*found, {0, 1000}, 1)[0], shade) + 0.5);
}

TEST(RunRows, EverybodyThatDidSomethingHasOne) {
  const auto rows = rows_of(a_run());
  EXPECT_EQ(percent(rows, "brisc", Shade::Works), 25);
  EXPECT_EQ(percent(rows, "brisc", Shade::AwaitsNoc), 75);
  EXPECT_EQ(percent(rows, "T2 pack", Shade::AwaitsThread), 20);
  EXPECT_EQ(percent(rows, "Matrix Unit", Shade::Works), 10);
  EXPECT_EQ(percent(rows, "NoC 0, reads", Shade::Level), 10);
  EXPECT_EQ(percent(rows, "Dst, to be packed", Shade::Level), 20);
  EXPECT_EQ(percent(rows, "c_5", Shade::Level), 25) << "one of two pages for half of the run";
  EXPECT_EQ(percent(rows, "ncrisc", Shade::Works), -1);
}

TEST(ProgramPage, WaitsAreToldByWhatTheyMean) {
  const Table table = core_waits_table(a_run());
  ASSERT_EQ(table.rows.size(), 2U) << "two registers of a NoC are one thing to wait for";
  const auto& first = table.rows[0];
  EXPECT_EQ(first[0].text, "brisc");
  EXPECT_EQ(first[1].text, "answers of NoC 0");
  EXPECT_EQ(first[2].text, "47");
  EXPECT_EQ(first[3].text, "750");
  EXPECT_EQ(first[4].text, "75 %");
  EXPECT_EQ(table.rows[1][0].text, "core of T2");
}

TEST(ProgramPage, TheHottestLineComesFirst) {
  const Table table = hot_lines_table(a_run());
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0][0].text, "7");
  EXPECT_EQ(table.rows[0][3].text, "201");
  EXPECT_EQ(table.rows[0][5].text, "a semaphore");
  EXPECT_EQ(table.rows[1][5].text, "") << "it did not wait";
}

TEST(ProgramPage, TheSecondPictureShowsThreeTilesFromTheMiddle) {
  const auto steady = steady_stretch(a_run().tile.run);
  ASSERT_TRUE(steady.has_value());
  EXPECT_EQ(steady->begin, 500U);
  EXPECT_EQ(steady->end, 800U);
  clock::TimedResult few;
  few.ends.resize(4);
  EXPECT_FALSE(steady_stretch(few).has_value());
}

TEST(ProgramPage, IsWellFormedAndHasPicturesAndTables) {
  const std::string page = program_time_html(a_run(), "lanewise kernels p.json --time");
  const test::XmlCheck xml(page);
  EXPECT_EQ(xml.wrong(), "");
  EXPECT_EQ(test::occurrences(page, "<svg"), 2U);
  for (const char* part : {"p&lt;q&gt;.json", "brisc; works 25 %; waits for the NoC 75 %",
                           "on average 25 % of 2 pages", "Who waits for what", "The hottest lines",
                           "nobody else", "lanewise kernels p.json --time"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

// The picture read back: brisc's row begins at x 130 and is 960 wide; it works for its first
// quarter.
TEST(ProgramPage, TheBoxesOfThePictureAreWhatTheLanesSay) {
  const std::string svg = rows_svg(rows_of(a_run()), {0, 1000}, "all");
  EXPECT_NE(svg.find(R"(<path class="works" d="M130 24.0h240v20.0h-240z"/>)"), std::string::npos)
      << svg.substr(0, 2000);
  EXPECT_NE(svg.find(R"(<path class="noc" d="M370 24.0h720v20.0h-720z"/>)"), std::string::npos);
  EXPECT_EQ(rows_svg({}, {5, 5}, "none"), "");
}

} // namespace
} // namespace lanewise::report
