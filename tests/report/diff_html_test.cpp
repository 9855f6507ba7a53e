// The page of a comparison: what it says, and that nothing of a user's text gets into its markup.
#include "report/diff/html.h"

#include <gtest/gtest.h>

#include <utility>

#include "report/occurrences.h"
#include "report/sweep_fixture.h"
#include "report/xml_check.h"

namespace lanewise {
namespace {

using test::occurrences;

/// x against x, but the next number for 2 and 4.
report::DiffReport some_report(bool differ = true) {
  test::SweepSetup setup;
  setup.function = [](double x, double) { return x; };
  setup.inputs = test::patterns(0x3000, 0x4FFF);
  const auto second = [differ](double x, double, std::uint32_t bits) {
    return differ && (x == 2 || x == 4) ? bits + 1 : bits;
  };
  report::SweepReport swept = test::swept(setup, {second, second});
  report::DiffReport report{"old & <b>.cpp", "new.cpp", "", {}};
  report.result.total = report.result.done = setup.inputs.size();
  for (sweep::SweepStatistics& chip : swept.result.chips) {
    sweep::DiffStatistics diff;
    diff.arch = chip.arch;
    diff.inputs = setup.inputs.size();
    diff.changed = differ ? 2 : 0;
    diff.distance = chip.error;
    diff.first = {.instructions = 800, .cycles = 850, .words = 25, .rows = 32, .faults = {}};
    diff.second = {.instructions = 700, .cycles = 833, .words = 30, .rows = 32, .faults = {}};
    report.result.chips.push_back(std::move(diff));
    report.result.distances.push_back(chip);
  }
  return report;
}

TEST(DiffHtml, SaysHowManyResultsDifferAndByHowMuch) {
  const std::string page = report::diff_html(some_report());
  EXPECT_EQ(test::XmlCheck(page).wrong(), "");
  EXPECT_EQ(occurrences(page, "bh, wh: 2 of 8192 results have other bits"), 1U);
  EXPECT_EQ(occurrences(page, "<b>8190</b><span>bh, wh: results with equal bits</span>"), 1U);
  EXPECT_EQ(
      occurrences(page, "<b>1</b><span>bh, wh: largest distance, |ULP|, at x = 2 (4000)</span>"),
      1U);
  EXPECT_EQ(occurrences(page, "<b>850 → 833</b><span>bh, wh: cycles per tile, -17 (-2.0 %)</span>"),
            1U);
  EXPECT_EQ(occurrences(page, ">Distance over input</text>"), test::kSizes);
  EXPECT_EQ(occurrences(page, ">Distance near 0</text>"), test::kSizes);
  EXPECT_EQ(occurrences(page, "exact error</text>"), 0U) << "the distance is exact";
  EXPECT_EQ(occurrences(page, "old &amp; &lt;b&gt;.cpp and new.cpp</h1>"), 1U);
  EXPECT_EQ(occurrences(page, "<b>.cpp"), 0U);
}

TEST(DiffHtml, EqualProgramsMissNothing) {
  const std::string page = report::diff_html(some_report(false));
  EXPECT_EQ(occurrences(page, "<li>bh, wh: all 8192 results have the same bits</li>"), 1U);
  EXPECT_EQ(occurrences(page, "class=\"missed\""), 0U);
}

TEST(DiffHtml, FaultsAndStopsAreMisses) {
  report::DiffReport report = some_report(false);
  report.result.done = 100;
  report.result.chips[0].second.faults = {{.kind = FaultKind::Hazard, .message = "too <close>"}};
  const std::string page = report::diff_html(report);
  EXPECT_EQ(test::XmlCheck(page).wrong(), "");
  EXPECT_EQ(occurrences(page, "class=\"missed\""), 2U);
  EXPECT_EQ(occurrences(page, "stopped after 100 of 8192 inputs"), 1U);
  EXPECT_EQ(occurrences(page, "too &lt;close&gt;"), 1U);
}

TEST(DiffHtml, ChipsThatDifferForInfiniteInputsOnlyAreOneCurve) {
  report::DiffReport report = some_report();
  sweep::PartStatistics infinite;
  infinite.inputs = 32;
  infinite.largest = 7;
  infinite.sample.x = 0x7F80;
  report.result.distances[1].bins[0x7F80U >> 5] = infinite;
  report.result.distances[1].error.largest = 7;
  const std::string page = report::diff_html(report);
  EXPECT_EQ(occurrences(page, ">Blackhole, Wormhole largest</text>"), 2 * test::kSizes)
      << "both pictures";
}

TEST(DiffHtml, WithAReferenceBothHaveAPicture) {
  report::DiffReport report = some_report();
  report.reference = "x";
  report.result.first_errors = report.result.second_errors = report.result.distances;
  const std::string page = report::diff_html(report);
  EXPECT_EQ(occurrences(page, ">First against the reference</text>"), test::kSizes);
  EXPECT_EQ(occurrences(page, ">Second against the reference</text>"), test::kSizes);
  EXPECT_EQ(occurrences(page, "Blackhole, Wormhole largest exact error</text>"), 2 * test::kSizes);
}

} // namespace
} // namespace lanewise
