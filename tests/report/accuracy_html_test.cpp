// The page of the table of accuracy: its figures are those of the table, and what it sorts by.
#include "report/accuracy/html.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/occurrences.h"
#include "report/page/page.h"
#include "report/xml_check.h"

namespace lanewise::report {
namespace {

using test::occurrences;

AccuracyRow some_row(const std::string& kernel, double largest) {
  AccuracyRow row{.kernel = kernel, .reference = "x > 0 && x < 1", .domain = "", .statistics = {}};
  sweep::UlpStatistics& error = row.statistics.error;
  error.rows = {75, 25};
  error.largest = largest;
  error.sum = 25;
  error.worst.x = 0x4000; // 2.0
  row.statistics.cycles = 96;
  return row;
}

TEST(AccuracyHtml, HasTheFiguresOfTheTable) {
  const std::vector<AccuracyRow> rows{some_row("a.tt", 1), some_row("<b>&.tt", 255)};
  const std::string page = accuracy_html(rows, "lanewise accuracy --html <file>");
  EXPECT_EQ(test::XmlCheck(page).wrong(), "");
  for (const TableRow& row : accuracy_table(rows).rows) {
    for (const TableCell& cell : row) {
      const std::string text = escaped(cell.text);
      EXPECT_GE(occurrences(page, ">" + text + "<"), 1U) << text;
    }
  }
  EXPECT_EQ(occurrences(page, "data-key=\"255\""), 1U);
  EXPECT_EQ(occurrences(page, "data-key=\"0.75\""), 2U);
  EXPECT_EQ(occurrences(page, "<td>&lt;b&gt;&amp;.tt</td>"), 1U);
  EXPECT_EQ(occurrences(page, "<b>&.tt"), 0U);
  EXPECT_EQ(occurrences(page, "lanewise accuracy --html &lt;file&gt;"), 1U);
}

// log2(1 + 255) is half of log2(65536), which is about a full bar.
TEST(AccuracyHtml, BarsGrowWithTheLogarithm) {
  const std::vector<AccuracyRow> rows{some_row("f.tt", 255)};
  EXPECT_EQ(occurrences(accuracy_html(rows), "<i class=\"error\" style=\"width:50%\"></i>"), 1U);
}

TEST(AccuracyHtml, LostResultsAreWorseThanAnyError) {
  std::vector<AccuracyRow> rows{some_row("f.tt", 0)};
  rows[0].statistics.error.lost = 3;
  const std::string page = accuracy_html(rows);
  EXPECT_EQ(occurrences(page, "<i class=\"error lost\" style=\"width:100%\"></i>"), 1U);
  EXPECT_EQ(occurrences(page, ">0; 3 lost<"), 1U);
  EXPECT_EQ(occurrences(page, "<b>1 of 1</b><span>with lost results</span>"), 1U);
}

TEST(AccuracyHtml, ResultsThatDoNotHoldAreNamed) {
  std::vector<AccuracyRow> rows{some_row("f.tt", 0)};
  rows[0].statistics.faults.push_back({.kind = FaultKind::Hazard, .message = "too <close>"});
  const std::string page = accuracy_html(rows);
  EXPECT_EQ(occurrences(page, "Results that do not hold"), 1U);
  EXPECT_EQ(occurrences(page, "too &lt;close&gt;"), 1U);
}

} // namespace
} // namespace lanewise::report
