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
  EXPECT_EQ(
      clock_text(report_of()),
      R"(2 of 3 rows compared: half of them within 14.5 %, nine of ten within 25.0 %, 50.0 % near

Error by engine, unit and width of Dst
engine  unit     Dst  rows  compared  median    90 %    near
unpack  PerTile  t       3         2  14.5 %  25.0 %  50.0 %
pack    PerCall  f;t     1         0       -       -       -

Worst rows
row                                          engine  silicon  model  residual   error
far Bfp8_b;Float16_b->Float32 t mathop=a<b   unpack    32.00  40.00     +8.00  25.0 %
near Bfp8_b;Float16_b->Float32 t mathop=a<b  unpack   100.00  96.00     -4.00   4.0 %

Residuals of the rows that are not near
operation  engine  unit     Dst  rows  silicon  residual
far        unpack  PerTile  t       1    32.00     +8.00

Left out
rows  why           first
   1  nobody knows  line 7: none Bfp8_b;Float16_b->Float32 t mathop=a<b
)");
}

TEST(ClockReport, Markdown) {
  const std::string text = clock_markdown(report_of());
  EXPECT_EQ(
      text.find(
          "2 of 3 rows compared: half of them within 14.5 %, nine of ten within 25.0 %, 50.0 % "
          "near.\n\n|"),
      0U)
      << text;
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
              "rows": 3, "compared": 2, "near": 1, "bands": 0, "within": 0, "forms": 0,
              "ends": 0, "median_error": 0.145,
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

/// Silicon has 38 to 45 of it.
silicon::ComparedRow of_band(std::string op, double cycles) {
  silicon::ComparedRow row = compared(std::move(op), 40, cycles);
  row.row.least = 38;
  row.row.most = 45;
  return row;
}

TEST(ClockReport, SaysWhetherTheModelIsWithinWhatSiliconShows) {
  ClockReport report{.table = "table.csv", .checkout = ""};
  report.comparison = silicon::comparison_of(
      {of_band("in", 45), of_band("above", 47.5), of_band("below", 37), compared("one", 9, 90)});
  const std::string text = clock_text(report);
  EXPECT_NE(text.find("engine  unit     Dst  rows  model within  two forms  at both ends\n"
                      "unpack  PerTile  t       3             1          0             0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("silicon  model  beyond\n"
                "above Bfp8_b;Float16_b->Float32 t mathop=a<b  unpack  38.00 to 45.00  47.50    "
                "2.50\n"
                "below Bfp8_b;Float16_b->Float32 t mathop=a<b  unpack  38.00 to 45.00  37.00    "
                "1.00\n"),
      std::string::npos)
      << text;
  const nlohmann::json rows = nlohmann::json::parse(clock_json(report).dump())["rows"];
  EXPECT_EQ(rows[0]["silicon_least"], 38);
  EXPECT_EQ(rows[0]["silicon_most"], 45);
  EXPECT_EQ(rows[0]["within"], true);
  EXPECT_EQ(rows[1]["within"], false);
}

TEST(ClockReport, HasBothFormsOfAnInitialisationWhereverItHasTheValueBetween) {
  ClockReport report{.table = "table.csv", .checkout = ""};
  silicon::ComparedRow row = of_band("two", 46.25);
  row.forms = silicon::FormCycles{.taken_in = 39.5, .left = 53};
  report.comparison = silicon::comparison_of({row, of_band("one", 46)});
  report.comparison.groups[0].ends = 1;
  const std::string both = "46.25 (39.50 or 53.00)", text = clock_text(report);
  EXPECT_EQ(occurrences(text, both), 2U) << "among the worst rows, and those outside\n" << text;
  EXPECT_EQ(occurrences(text, " or "), 2U) << text;
  EXPECT_EQ(occurrences(clock_markdown(report), "| " + both + " |"), 1U);
  EXPECT_NE(clock_markdown(report).find("|            0 |         1 |            1 |\n"),
            std::string::npos)
      << clock_markdown(report);
  EXPECT_NE(clock_html(report, "").find("40.00 measured, " + both + " here</title>"),
            std::string::npos);
  const nlohmann::json document = nlohmann::json::parse(clock_json(report).dump());
  EXPECT_EQ(document["rows"][0]["forms"],
            nlohmann::json::parse(R"({"taken_in": 39.5, "left": 53})"));
  EXPECT_TRUE(document["rows"][1]["forms"].is_null());
  EXPECT_EQ(document["groups"][0]["forms"], 1);
  EXPECT_EQ(document["groups"][0]["ends"], 1);
}

TEST(ClockReport, GathersResidualsByOperation) {
  ClockReport report{.table = "table.csv", .checkout = ""};
  report.comparison.rows = {compared("op", 40, 50), compared("near", 40, 40),
                            compared("op", 30, 20), compared("other", 10, 20)};
  report.comparison.rows[3].row.wide = {false};
  EXPECT_NE(
      clock_markdown(report).find(
          "|-----------|--------|---------|-----|-----:|---------------:|-----------------:|\n"
          "| op        | unpack | PerTile | t   |    2 | 30.00 to 40.00 | -10.00 to +10.00 |\n"
          "| other     | unpack | PerTile | f   |    1 |          10.00 |           +10.00 |\n"),
      std::string::npos)
      << clock_markdown(report);
}

TEST(ClockReport, ListsWhatIsWorseThanRecorded) {
  ClockReport report = report_of();
  EXPECT_EQ(clock_text(report).find("record"), std::string::npos);
  EXPECT_FALSE(clock_json(report).contains("worse"));
  report.held = "record.csv";
  EXPECT_NE(clock_text(report).find("\nno row is further away than record.csv has it\n"),
            std::string::npos);
  report.worse = {{.now = report.comparison.rows[1], .before = 33},
                  {.now = report.comparison.rows[2], .before = 11}};
  const std::string text = clock_text(report);
  EXPECT_NE(text.find("\nFurther away than recorded\n"), std::string::npos) << text;
  EXPECT_NE(text.find("unpack    32.00     33.00     40.00\n"), std::string::npos) << text;
  EXPECT_NE(text.find("unpack    10.00     11.00  left out\n"), std::string::npos) << text;
  const nlohmann::json worse = nlohmann::json::parse(clock_json(report).dump())["worse"];
  EXPECT_EQ(worse[0]["recorded"], 33);
  EXPECT_EQ(worse[0]["model"], 40);
  EXPECT_TRUE(worse[1]["model"].is_null());
  EXPECT_NE(clock_html(report, "").find("Further away than recorded"), std::string::npos);
}

TEST(ClockReport, Page) {
  const std::string page = clock_html(report_of(), "lanewise clock");
  EXPECT_EQ(occurrences(page, "<circle class=\"unpack\""), 3U)
      << "two rows, and what the colour is";
  EXPECT_EQ(occurrences(page, ">silicon, cycles</text>"), 1U);
  EXPECT_EQ(occurrences(page, ">model, cycles</text>"), 1U);
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
