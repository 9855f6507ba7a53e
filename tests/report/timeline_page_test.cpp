// What the timeline of a page shows: the steady state, who waits for whom, lanes, stalls by line.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "report/occurrences.h"
#include "report/time/figures.h"
#include "report/time/html.h"
#include "report/time/layout.h"
#include "report/time/steady.h"
#include "report/time_fixture.h"

namespace lanewise {
namespace {

using report::Lane;
using report::TimeReport;
using test::occurrences;
using test::timed;

/// Two instructions, then eight rows of three.
constexpr std::string_view kEightRows =
    "SFPLOADI L5, 0, 1\nSFPLOADI L6, 0, 1\n"
    ".repeat 8\nSFPLOAD L0, FP32, 3, 0\nSFPABS L0, L0, 1\nSFPSTORE L0, FP32, 3, 8\n.endr\n";

/// Products of different blocks of Dst: nothing waits (MU 8).
constexpr std::string_view kProducts = "MVMUL DstRow=0\nMVMUL DstRow=8\n";

TEST(Timeline, SteadyStateIsTheSecondRepetition) {
  const auto steady = report::steady_state(timed(Arch::Blackhole, kEightRows));
  ASSERT_TRUE(steady);
  EXPECT_EQ(steady->cycles.first, 2U + 3U);
  EXPECT_EQ(steady->cycles.end, 2U + 6U);
  EXPECT_EQ(steady->repeats, 8U);
}

TEST(Timeline, WhatRepeatsNothingHasNoSteadyState) {
  const TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  EXPECT_FALSE(report::steady_state(report));
  EXPECT_EQ(report::drawn_range(report).first, 0U);
}

TEST(Timeline, OpensOnTheSteadyStateIfItIsDrawn) {
  const TimeReport report = timed(Arch::Blackhole, kEightRows);
  EXPECT_EQ(occurrences(report::time_section(report, std::nullopt), " data-steady=\"5\""), 1U);
  const report::CycleRange some{3, 20}, late{10, 20};
  EXPECT_EQ(occurrences(report::time_section(report, some), " data-steady=\"2\""), 1U);
  EXPECT_EQ(occurrences(report::time_section(report, late), " data-steady="), 0U);
}

TEST(Timeline, InitThatIsTooLongIsNotDrawn) {
  std::string source = ".repeat 2000\nSFPLOADI L5, 0, 1\n.endr\n.repeat 1500\n";
  source += "SFPLOADI L0, 0, 1\nSFPABS L0, L0, 1\n.endr\n";
  const report::CycleRange drawn = report::drawn_range(timed(Arch::Blackhole, source));
  EXPECT_EQ(drawn.first, 2002U);
  EXPECT_EQ(drawn.cycles(), report::kDrawnCycles);
}

// T2, T4: the store waits for the two cycles of SFPLUT, SFPLUT for nothing.
TEST(Timeline, ArrowsTellWhichValueWasWaitedFor) {
  const TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  const std::string html = report::time_section(report, std::nullopt);
  EXPECT_EQ(occurrences(html, "<g class=\"edge decides\""), 1U);
  EXPECT_EQ(occurrences(html, "<g class=\"edge decides\" data-from=\"1\" data-to=\"2\">"), 1U);
  EXPECT_EQ(occurrences(html, "<g class=\"edge\" data-from=\"0\" data-to=\"1\">"), 1U);
}

TEST(Timeline, ArrowsEndOnBoxesThatAreDrawn) {
  const TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  const std::string html = report::time_section(report, report::CycleRange{1, 3});
  EXPECT_EQ(occurrences(html, "data-from=\"0\""), 0U);
}

TEST(Timeline, LanesOfTheVectorUnitComeTogether) {
  const TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  const std::vector expected{Lane::FrontEnd, Lane::Waiting, Lane::Load,  Lane::Simple,
                             Lane::Mad,      Lane::Round,   Lane::Store, Lane::Matrix};
  EXPECT_EQ(report::lanes_of(report.timing.schedule), expected);
}

TEST(Timeline, MatrixProgramsHaveNoLanesOfTheVectorUnit) {
  const TimeReport report = timed(Arch::Blackhole, kProducts);
  EXPECT_EQ(report::lanes_of(report.timing.schedule), (std::vector{Lane::FrontEnd, Lane::Matrix}));
  const std::string html = report::time_section(report, std::nullopt);
  for (const char* idle : {">Load<", ">Simple<", ">MAD<", ">Round<", ">Store<"})
    EXPECT_EQ(occurrences(html, idle), 0U) << idle;
  EXPECT_EQ(occurrences(html, ">Matrix Unit</text>"), 1U);
}

TEST(Timeline, MatrixUnitAndVectorUnitShareAPicture) {
  const std::string source = std::string(kProducts) + std::string(test::kTanhRow);
  const std::vector expected{Lane::FrontEnd, Lane::Waiting, Lane::Load,
                             Lane::Mad,      Lane::Store,   Lane::Matrix};
  EXPECT_EQ(report::lanes_of(timed(Arch::Blackhole, source).timing.schedule), expected);
}

TEST(Timeline, StalledLinesAddUpToTheStalls) {
  const TimeReport report =
      timed(Arch::Blackhole,
            ".repeat 20\nSFPMAD L0, L0, L1, L2, 0\nSFPMAD L3, L2, L0, L0, 0\n"
            "SFPSWAP L4, L5, 0\nSFPSWAP L4, L5, 0\nMVMUL DstRow=0\nMVMUL DstRow=0\n.endr\n");
  double total = 0, pass = 0, last = report.timing.total.cycles;
  for (const report::StalledLine& each : report::stalled_lines(report)) {
    total += each.total;
    pass += each.pass;
    EXPECT_LE(each.total, last);
    EXPECT_DOUBLE_EQ(each.share, each.total / report.timing.total.cycles);
    last = each.total;
  }
  EXPECT_GT(total, 0);
  EXPECT_DOUBLE_EQ(total, report.timing.total.visible_stalls());
  EXPECT_DOUBLE_EQ(pass, report.timing.tile.pass.visible_stalls());
}

TEST(Timeline, StalledLinesBelongToTheirLine) { // T4, as in the test of the JSON
  const TimeReport report = timed(Arch::Blackhole, test::kSwaps);
  const std::string html = report::time_section(report, std::nullopt);
  EXPECT_EQ(occurrences(html, "<tr data-line=\"2\">"), 1U);
}

TEST(Timeline, SectionIsAFragmentAndThePageHasTheRecord) {
  const std::array reports{timed(Arch::Blackhole, test::kTanhRow)};
  const std::string fragment = report::time_section(reports[0], std::nullopt);
  EXPECT_EQ(occurrences(fragment, "<div class=\"timeline\">"), 1U);
  for (const char* part : {"<html", "<style", "<script", "<footer"})
    EXPECT_EQ(occurrences(fragment, part), 0U) << part;
  const std::string page = report::time_html(reports, std::nullopt, "lanewise time tanh.tt");
  EXPECT_EQ(occurrences(page, "lanewise time tanh.tt"), 1U);
}

} // namespace
} // namespace lanewise
