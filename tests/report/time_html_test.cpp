// The page: what is drawn, what is not, and that it stands alone.
#include "report/time/html.h"

#include <gtest/gtest.h>

#include <array>
#include <regex>

#include "report/occurrences.h"
#include "report/time/svg.h"
#include "report/time_fixture.h"

namespace lanewise {
namespace {

using test::occurrences;
using test::timed;

TEST(TimeHtml, DrawsABoxForEveryIssueStallAndEvent) { // T4
  const std::array reports{timed(Arch::Blackhole, test::kTanhRow)};
  const std::string page = report::time_html(reports, std::nullopt);
  EXPECT_EQ(occurrences(page, "<svg class=\"box issue\""), 4U);
  EXPECT_EQ(occurrences(page, "<svg class=\"box waits\""), 1U);
  EXPECT_EQ(occurrences(page, "<svg class=\"box load\""), 1U);
  EXPECT_EQ(occurrences(page, "<svg class=\"box mad\""), 1U);
  EXPECT_EQ(occurrences(page, "<rect class=\"tail mad\""), 1U); // the result takes two cycles (T2)
  EXPECT_EQ(occurrences(page, "<svg class=\"box store\""), 1U);
  EXPECT_EQ(occurrences(page, "<svg class=\"box matrix\""), 1U);
}

TEST(TimeHtml, HasNoReferenceToTheOutside) {
  const std::array reports{timed(Arch::Blackhole, test::kTanhRow),
                           timed(Arch::Wormhole, test::kMacro)};
  const std::string page = report::time_html(reports, std::nullopt);
  for (const char* reference : {"http", "//cdn", " src=", " href=", "@import", "url("})
    EXPECT_EQ(occurrences(page, reference), 0U) << reference;
}

TEST(TimeHtml, BoxesOfALaneDoNotOverlap) {
  constexpr double kRounding = 1e-4; // of percentages
  for (std::string_view source : {test::kTanhRow, test::kSwaps, test::kMacro}) {
    const report::TimeReport report = timed(Arch::Blackhole, source);
    const std::string svg = time_picture(report, clipped(report, {0, 64}, 64));
    const std::regex box(R"re(<svg class="box [^>]* x="([\d.]+)%" y="(\d+)" width="([\d.]+)%")re");
    std::map<std::string, std::vector<std::pair<double, double>>> lanes;
    for (std::sregex_iterator each(svg.begin(), svg.end(), box), end; each != end; ++each) {
      const double left = std::stod((*each)[1]);
      lanes[(*each)[2]].emplace_back(left, left + std::stod((*each)[3]));
    }
    EXPECT_FALSE(lanes.empty());
    for (auto& [lane, boxes] : lanes) {
      std::sort(boxes.begin(), boxes.end());
      for (std::size_t i = 1; i < boxes.size(); ++i)
        EXPECT_LE(boxes[i - 1].second, boxes[i].first + kRounding) << "lane at " << lane;
    }
  }
}

TEST(TimeHtml, SourceIsEscaped) {
  report::TimeReport report = timed(Arch::Blackhole, "SFPMOV L0, L1, 0\n");
  report.source = {"vInt<4> x = a & \"b\"; // </script>"};
  report.program.name = "<name>";
  const std::array reports{report};
  const std::string page = report::time_html(reports, std::nullopt);
  EXPECT_EQ(occurrences(page, "vInt&lt;4&gt; x = a &amp; &quot;b&quot;; // &lt;/script&gt;"), 1U);
  EXPECT_EQ(occurrences(page, "<name>"), 0U);
}

TEST(TimeHtml, LongProgramsAreCut) {
  std::string source;
  for (unsigned i = 0; i < 3000; ++i) source += "SFPMOV L0, L1, 0\n";
  const std::array reports{timed(Arch::Blackhole, source)};
  // The first of them has no equal before it, the steady state begins with the second.
  const std::string some = report::time_html(reports, std::nullopt);
  EXPECT_EQ(occurrences(some, "<svg class=\"box issue\""), 1 + report::kDrawnCycles);
  EXPECT_EQ(occurrences(some, "These are 257 of 3000 cycles"), 1U);
  const std::string all = report::time_html(reports, report::CycleRange{0, 1U << 30});
  EXPECT_EQ(occurrences(all, "<svg class=\"box issue\""), report::kMostDrawnCycles);
}

} // namespace
} // namespace lanewise
