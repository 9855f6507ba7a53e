// The front of 'tune --max-ulp' as text, JSON and picture, from figures by hand.
#include "report/tune/front.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "report/occurrences.h"
#include "report/sweep/style.h"
#include "report/xml_check.h"

namespace lanewise::report {
namespace {

sweep::UlpStatistics error_of(double largest, std::uint32_t x, double mean) {
  sweep::UlpStatistics error;
  error.rows[0] = 4;
  error.sum = 4 * mean;
  error.largest = largest;
  error.worst.x = x;
  return error;
}

FrontReport front_report() {
  FrontReport report;
  report.name = "f.cpp";
  report.reference = "exp2(x)";
  report.max_ulp = 2.5;
  tune::Front& front = report.front;
  front.equal.rows.addresses.resize(32);
  front.equal.plain_cycles = 320;
  front.plain_error.error = error_of(1, 0x3F80, 0.25);
  front.inputs = 65536;
  front.rows = 9;
  front.within = 5;
  front.searched = 3;
  front.points.resize(2);
  front.points[0].interval = 8;
  front.points[0].cycles = 260;
  front.points[0].error = error_of(1, 0x3F80, 0.25);
  front.points[1].changes = {"one Newton step less", "the clamp to at most 1 is left out"};
  front.points[1].interval = 5;
  front.points[1].cycles = 170;
  front.points[1].error = error_of(2, 0x4000, 0.5);
  front.points[1].text = "code\n";
  return report;
}

TEST(TuneFront, TextSaysWhatCheckFinds) {
  FrontReport report = front_report();
  EXPECT_NE(front_text(report).find("; 'check' finds nothing; "), std::string::npos);
  report.front.findings = {"arecip-range", "store-bf16-nan"};
  EXPECT_NE(front_text(report).find("; 'check' finds only what it finds of the plain kernel "
                                    "(arecip-range, store-bf16-nan); "),
            std::string::npos)
      << front_text(report);
}

TEST(TuneFront, TextHasThePlainKernelAndEachPoint) {
  const std::string text = front_text(front_report());
  EXPECT_NE(text.find("f.cpp: 32 rows; at most 2.5 ULP from exp2(x)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("   10.0     320.0            1  x = 1 (3F80)     0.250  the plain kernel\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1      8.0     260.0            1  x = 1 (3F80)     0.250  equal to it\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("2      5.0     170.0            2  x = 2 (4000)     0.500  one Newton step "
                      "less; the clamp to at most 1 is left out\n"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find("9 rows that compute nearly the same: 5 are within the error, and programs of "
                "3 were searched"),
      std::string::npos);
  EXPECT_NE(text.find("measured over all 65536 inputs"), std::string::npos);
  EXPECT_NE(text.find("Program 2 follows"), std::string::npos);
}

TEST(TuneFront, TextSaysWhatIsLostAndThatNothingWasFound) {
  FrontReport report = front_report();
  report.reference = "";
  report.front.points.clear();
  report.front.plain_error.error.lost = 3;
  report.front.stopped = true;
  const std::string text = front_text(report);
  EXPECT_NE(text.find("from the plain kernel's results"), std::string::npos);
  EXPECT_NE(text.find("1, 3 lost"), std::string::npos);
  EXPECT_NE(text.find("No faster program within 2.5 ULP was found"), std::string::npos);
  EXPECT_NE(text.find("stopped before its end"), std::string::npos);
  EXPECT_NE(text.find("The plain kernel itself is farther"), std::string::npos); // it is lost
  report.front.plain_error.error.lost = 0;
  EXPECT_EQ(front_text(report).find("itself"), std::string::npos);
}

TEST(TuneFront, JsonHasTheFigures) {
  FrontReport report = front_report();
  report.front.findings = {"arecip-range"};
  const nlohmann::json json = front_json(report);
  EXPECT_EQ(json["reference"], "exp2(x)");
  EXPECT_EQ(json["findings"], nlohmann::json({"arecip-range"}));
  EXPECT_EQ(json["plain"]["cycles_per_tile"], 320);
  ASSERT_EQ(json["points"].size(), 2U);
  const nlohmann::json& last = json["points"][1];
  EXPECT_EQ(last["changes"].size(), 2U);
  EXPECT_EQ(last["cycles_per_row"], 5);
  EXPECT_EQ(last["cycles_per_tile"], 170);
  EXPECT_EQ(last["largest_ulp"], 2);
  EXPECT_EQ(last["mean_ulp"], 0.5);
  EXPECT_EQ(last["at"], "4000");
  EXPECT_EQ(last["code"], "code\n");
}

TEST(TuneFront, PictureStepsUpWhereCyclesAreFewer) {
  const std::string picture = front_svg(front_report());
  EXPECT_EQ(test::XmlCheck(picture).wrong(), "");
  EXPECT_EQ(test::occurrences(picture, ">1: 260<"), 1U);
  EXPECT_EQ(test::occurrences(picture, ">2: 170<"), 1U);
  EXPECT_EQ(test::occurrences(picture, ">plain: 320<"), 1U);
  const std::size_t at = picture.find("chip0 exact\" d=\"M");
  ASSERT_NE(at, std::string::npos);
  double x[3] = {}, y[3] = {};
  ASSERT_EQ(std::sscanf(picture.c_str() + at, "chip0 exact\" d=\"M%lf %lfL%lf %lfL%lf %lf", &x[0],
                        &y[0], &x[1], &y[1], &x[2], &y[2]),
            6);
  EXPECT_EQ(x[1], x[0]); // the error grows at once where cycles become fewer
  EXPECT_LT(y[1], y[0]);
  EXPECT_LT(x[2], x[1]);
  EXPECT_EQ(y[2], y[1]);
}

TEST(TuneFront, PictureIsDarkWhereThatIsPreferred) {
  const std::string style = picture_style_of_both();
  EXPECT_EQ(style.find("var("), std::string::npos);
  const std::size_t dark = style.find("@media (prefers-color-scheme: dark)");
  ASSERT_NE(dark, std::string::npos);
  EXPECT_NE(style.substr(0, dark).find(".page { fill: #ffffff"), std::string::npos);
  EXPECT_NE(style.substr(dark).find(".page { fill: #15181c"), std::string::npos);
  EXPECT_EQ(sweep_picture_style().find("@media"), std::string::npos);
}

} // namespace
} // namespace lanewise::report
