// The comparison with silicon in each of its forms, read back.
#include "report/clock/report.h"

#include <gtest/gtest.h>

#include "report/occurrences.h"
#include "report/xml_check.h"

namespace lanewise::report {
namespace {

using test::occurrences;

silicon::ComparedRow compared(std::string op, double measured, std::optional<double> cycles) {
  silicon::ComparedRow row;
  row.row = {.op = std::move(op),
             .engine = silicon::Engine::Unpack,
             .unit = silicon::Unit::PerTile,
             .inputs = {"Bfp8_b", "Float16_b"},
             .outputs = {"Float32"},
             .wide = {true},
             .options = {{"mathop", "a<b"}},
             .least = measured,
             .median = measured,
             .most = measured,
             .measured = 2,
             .line = 7};
  row.cycles = cycles;
  if (!cycles) row.why = "nobody knows";
  return row;
}

ClockReport report_of() {
  ClockReport report{.table = "table.csv", .checkout = "tree"};
  report.comparison.rows = {compared("near", 100, 96), compared("far", 32, 40),
                            compared("none", 10, std::nullopt)};
  report.comparison.groups = {{.engine = silicon::Engine::Unpack,
                               .unit = silicon::Unit::PerTile,
                               .width = silicon::Width::Wide,
                               .rows = 3,
                               .compared = 2,
                               .near = 1,
                               .median = 0.145,
                               .ninetieth = 0.25},
                              {.engine = silicon::Engine::Pack,
                               .unit = silicon::Unit::PerCall,
                               .width = silicon::Width::Either,
                               .rows = 1}};
  return report;
}

TEST(ClockReport, Text) {
  EXPECT_EQ(clock_text(report_of()),
            R"(2 of 3 rows compared

Error by engine, unit and width of Dst
engine  unit     Dst  rows  compared  median    90 %    near
unpack  PerTile  t       3         2  14.5 %  25.0 %  50.0 %
pack    PerCall  f;t     1         0       -       -       -

Worst rows
row                                          engine  silicon  model  residual   error
far Bfp8_b;Float16_b->Float32 t mathop=a<b   unpack    32.00  40.00     +8.00  25.0 %
near Bfp8_b;Float16_b->Float32 t mathop=a<b  unpack   100.00  96.00     -4.00   4.0 %

Left out
rows  why           first
   1  nobody knows  line 7: none Bfp8_b;Float16_b->Float32 t mathop=a<b
)");
}

TEST(ClockReport, Markdown) {
  const std::string text = clock_markdown(report_of());
  EXPECT_EQ(text.find("2 of 3 rows compared.\n\n|"), 0U) << text;
  EXPECT_NE(text.find("| unpack | PerTile | t   |    3 |        2 | 14.5 % | 25.0 % | 50.0 % |"),
            std::string::npos)
      << text;
}

TEST(ClockReport, Json) {
  const nlohmann::json document = nlohmann::json::parse(clock_json(report_of()).dump());
  EXPECT_EQ(document["source"], "lanewise-model");
  EXPECT_EQ(document["table"], "table.csv");
  EXPECT_EQ(document["checkout"], "tree");
  EXPECT_EQ(document["compared"], 2);
  EXPECT_EQ(document["groups"][0],
            nlohmann::json::parse(R"({"engine": "unpack", "unit": "PerTile", "dest_acc": "t",
              "rows": 3, "compared": 2, "near": 1, "median_error": 0.145,
              "ninetieth_error": 0.25})"));
  EXPECT_TRUE(document["groups"][1]["median_error"].is_null());
  const nlohmann::json& first = document["rows"][0];
  EXPECT_EQ(first["line"], 7);
  EXPECT_EQ(first["op"], "near");
  EXPECT_EQ(first["inputs"], nlohmann::json::parse(R"(["Bfp8_b", "Float16_b"])"));
  EXPECT_EQ(first["options"]["mathop"], "a<b");
  EXPECT_EQ(first["silicon"], 100);
  EXPECT_EQ(first["model"], 96);
  EXPECT_TRUE(first["left_out"].is_null());
  EXPECT_TRUE(document["rows"][2]["model"].is_null());
  EXPECT_EQ(document["rows"][2]["left_out"], "nobody knows");
}

TEST(ClockReport, Page) {
  const std::string page = clock_html(report_of(), "lanewise clock");
  EXPECT_EQ(occurrences(page, "<circle class=\"unpack\""), 2U);
  EXPECT_EQ(occurrences(page, "<path class=\"near\""), 2U);
  // The picture has 32 to 128: 64 lies in the middle of its sides.
  EXPECT_NE(page.find(">64</text>"), std::string::npos);
  EXPECT_NE(page.find("cx=\"44.0\""), std::string::npos); // 32 is at the left
  EXPECT_EQ(test::XmlCheck(page).wrong(), "");
  EXPECT_EQ(page.find("a<b"), std::string::npos);
  EXPECT_NE(page.find("nobody knows"), std::string::npos);
  ClockReport empty = report_of();
  empty.comparison.rows.erase(empty.comparison.rows.begin(), empty.comparison.rows.begin() + 2);
  EXPECT_EQ(occurrences(clock_html(empty, ""), "<svg"), 0U);
}

} // namespace
} // namespace lanewise::report
