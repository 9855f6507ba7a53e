// Pictures with a row for each name: where marks and bars lie, and what they say in words.
#include "report/page/row_chart.h"

#include <gtest/gtest.h>

#include <string>

#include "report/accuracy/pictures.h"
#include "report/occurrences.h"
#include "report/xml_check.h"

namespace lanewise::report {
namespace {

using test::kSizes;
using test::occurrences;

RowChart some_chart() {
  RowChart chart{.title = "Sizes & such", .x = "things"};
  chart.axis = [](AxisRoom room) { return linear_axis(0, 100, room); };
  return chart;
}

/// The number behind the first `what="`, from `at` on.
double value_of(const std::string& svg, const std::string& what, std::size_t at) {
  const std::size_t found = svg.find(" " + what + "=\"", at);
  return found == std::string::npos ? -1 : std::stod(svg.substr(found + what.size() + 3));
}

TEST(RowChart, BarsBeginWhereTheOthersEnd) {
  RowChart chart = some_chart();
  chart.rows = {{.name = "f",
                 .value = "75",
                 .marks = {{.classes = "a", .from = 0, .to = 25, .title = "<a>"},
                           {.classes = "b", .from = 25, .to = 75, .title = "b"}}}};
  const std::string svg = row_chart(chart);
  EXPECT_EQ(test::XmlCheck("<div>" + svg + "</div>").wrong(), "");
  EXPECT_EQ(occurrences(svg, "<svg "), kSizes);
  EXPECT_EQ(occurrences(svg, "<title>&lt;a&gt;</title>"), kSizes);
  const std::size_t a = svg.find("<g class=\"a\""), b = svg.find("<g class=\"b\"");
  const double left = value_of(svg, "x", a), width = value_of(svg, "width", a);
  EXPECT_NEAR(value_of(svg, "x", b), left + width, 0.2);
  EXPECT_NEAR(value_of(svg, "width", b), 2 * width, 0.3);
}

TEST(RowChart, SaysInWordsWhatItShows) {
  RowChart chart = some_chart();
  chart.rows = {{.name = "f", .value = "1"}, {.name = "g", .value = "2"}};
  const std::string svg = row_chart(chart);
  EXPECT_EQ(occurrences(svg, "<desc>Sizes &amp; such; f: 1; g: 2</desc>"), kSizes);
  EXPECT_EQ(occurrences(svg, "aria-label=\"Sizes &amp; such\""), kSizes);
}

TEST(RowChart, OfALongNameTheEndIsShown) {
  RowChart chart = some_chart();
  chart.rows = {{.name = std::string(60, 'a') + "::the_end"}};
  const std::string svg = row_chart(chart);
  EXPECT_EQ(occurrences(svg, std::string(60, 'a') + "::the_end</text>"), 0U);
  EXPECT_EQ(occurrences(svg, "::the_end</text>"), kSizes);
  EXPECT_EQ(occurrences(svg, ">\u2026a"), kSizes);
}

AccuracyRow row_of(const std::string& kernel, Arch arch, double largest, double cycles) {
  AccuracyRow row{.kernel = kernel, .reference = "exp(x)", .domain = "", .statistics = {}};
  row.statistics.arch = arch;
  row.statistics.error.largest = largest;
  row.statistics.cycles = cycles;
  return row;
}

TEST(AccuracyPictures, AKernelHasARowWithAMarkOfEachChip) {
  std::vector<AccuracyRow> rows{row_of("a.tt", Arch::Blackhole, 3, 96),
                                row_of("a.tt", Arch::Wormhole, 5, 96),
                                row_of("b.tt", Arch::Blackhole, 0, 64)};
  rows.back().statistics.error.lost = 1;
  const std::string html = accuracy_pictures(rows);
  EXPECT_EQ(test::XmlCheck("<div>" + html + "</div>").wrong(), "");
  EXPECT_EQ(occurrences(html, "<desc>Largest error; a.tt: 3, 5; b.tt: lost</desc>"), kSizes);
  EXPECT_EQ(occurrences(html, "<desc>Cycles per tile; a.tt: 96; b.tt: 64</desc>"), kSizes);
  EXPECT_EQ(occurrences(html, "<g class=\"chip0 lost\"><title>b.tt, Blackhole: lost"), kSizes);
  EXPECT_EQ(occurrences(html, "<g class=\"chip1\"><title>a.tt, Wormhole: 5"), kSizes);
  EXPECT_EQ(accuracy_pictures({}), "");
}

/// What lies farther right on the axis has the larger error, and what is lost lies right of all.
TEST(AccuracyPictures, MarksLieInTheOrderOfTheErrors) {
  std::vector<AccuracyRow> rows;
  for (const double error : {0.0, 1.0, 10.0, 1000.0})
    rows.push_back(
        row_of("e" + std::to_string(static_cast<int>(error)), Arch::Blackhole, error, 1));
  rows.push_back(row_of("lost", Arch::Blackhole, 5, 1));
  rows.back().statistics.error.lost = 2;
  const std::string html = accuracy_pictures(rows);
  double before = -1;
  for (const AccuracyRow& row : rows) {
    const double at = value_of(html, "cx", html.find("<title>" + row.kernel + ", Blackhole"));
    EXPECT_GT(at, before + 3) << row.kernel;
    before = at;
  }
}

} // namespace
} // namespace lanewise::report
