// The page and the picture of a sweep: well-formed, alone, and with everything in it.
#include "report/sweep/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "report/occurrences.h"
#include "report/page/page.h"
#include "report/sweep/axis.h"
#include "report/sweep/columns.h"
#include "report/sweep/curves.h"
#include "report/sweep/pictures.h"
#include "report/sweep_fixture.h"
#include "report/xml_check.h"
#include "source/assembly/assembly.h"

namespace lanewise {
namespace {

using test::occurrences;
using test::SweepSetup;
using test::XmlCheck;

/// The quoted parts of tags, where paths and places are.
std::string attribute_values(const std::string& text) {
  std::string values;
  bool in_tag = false, in_quotes = false;
  for (const char each : text) {
    if (in_tag && each == '"') in_quotes = !in_quotes;
    if (!in_quotes && (each == '<' || each == '>')) in_tag = each == '<';
    if (in_quotes) values += each;
  }
  return values;
}

report::SweepReport tanh_with_programs() {
  report::SweepReport report = test::tanh_report();
  constexpr std::string_view kSource = "SFPLOAD L3, SRCB, 3, 0\nSFPSTORE L3, SRCB, 3, 0\n";
  for (const Arch arch : kArchs) {
    const auto program = assembly::assemble(arch, kSource, "tanh.tt");
    EXPECT_TRUE(program);
    if (program) report.programs.push_back({arch, *program, {"load & go", "store"}});
  }
  return report;
}

TEST(SweepHtml, StandsAlone) {
  const report::SweepReport report = tanh_with_programs();
  const std::string page = sweep_html(report);
  std::string picture = sweep_svg(report);
  constexpr std::string_view kNamespace = "http://www.w3.org/2000/svg"; // a name, not an address
  ASSERT_EQ(occurrences(picture, kNamespace), 1U);
  picture.erase(picture.find(kNamespace), kNamespace.size());
  for (const char* reference : {"http", "//cdn", " src=", "href=", "@import", "url("}) {
    EXPECT_EQ(occurrences(page, reference), 0U) << reference;
    EXPECT_EQ(occurrences(picture, reference), 0U) << reference;
  }
}

TEST(SweepHtml, IsWellFormedAndSmall) {
  const report::SweepReport report = tanh_with_programs();
  const std::string page = sweep_html(report), picture = sweep_svg(report);
  EXPECT_EQ(XmlCheck(page).wrong(), "");
  EXPECT_EQ(XmlCheck(picture).wrong(), "");
  EXPECT_GT(XmlCheck(picture).elements(), 250U);
  EXPECT_LT(page.size(), 1'500'000U);
}

// Neighbours of a picture have another y, so that a line between them would be no function.
TEST(SweepHtml, TwoOperandsHaveNoCurve) {
  SweepSetup setup;
  for (std::uint32_t bits = 0x3F80; bits <= 0x4000; ++bits) setup.inputs.push_back(bits);
  const auto as_expected = [](double, double, std::uint32_t expected) { return expected; };
  for (const unsigned operands : {1U, 2U}) {
    setup.operands = operands;
    setup.function = [](double x, double y) { return x + y; };
    const std::string picture = sweep_svg(test::swept(setup, {as_expected}));
    EXPECT_EQ(occurrences(picture, "class=\"reference\"") != 0, operands == 1) << operands;
    EXPECT_EQ(occurrences(picture, ">reference</text>") != 0, operands == 1) << operands;
  }
}

TEST(SweepHtml, NamesAreEscaped) {
  report::SweepReport report = tanh_with_programs();
  report.name = "a<b>&\"c\".cpp";
  report.reference = "x < \x01\xFF";
  report.domain = "x<1";
  report.result.chips[0].faults.push_back({.message = "<script>"});
  for (const std::string& text : {sweep_html(report), sweep_svg(report)}) {
    EXPECT_EQ(XmlCheck(text).wrong(), "");
    EXPECT_EQ(occurrences(text, "<b>&"), 0U);
    EXPECT_NE(occurrences(text, "a&lt;b&gt;&amp;&quot;c&quot;.cpp against x &lt; \uFFFD\uFFFD"),
              0U);
    EXPECT_EQ(occurrences(text, "<script"), 0U);
  }
}

// (2^16 - 512) / 32 bins of tanh_report() lie in more than a hundred columns, whatever the width.
TEST(SweepHtml, DrawsBothChipsInEveryPicture) {
  const std::string page = sweep_html(tanh_with_programs());
  EXPECT_EQ(occurrences(page, "<svg "), 4 * test::kSizes);
  for (const char* part : {"chip0 circles", "chip1 diamonds", "chip0 bars", "chip1 bars"})
    EXPECT_GE(occurrences(page, part), 3U) << part;
  EXPECT_EQ(occurrences(page, "class=\"chip1 mean\""), 4 * test::kSizes); // lines and their legends
  EXPECT_GT(occurrences(page, "wh: largest 2 ULP at x = "), 5U);
  EXPECT_EQ(occurrences(page, ">lost</text>"), 3 * test::kSizes); // rows of two pictures, and a bar
  EXPECT_NE(occurrences(page, "−1 ULP\nbh: 382 results, 0.59 %"), 0U); // of 0.5 < x < 4 without 1
}

TEST(SweepHtml, ShowsTheProgramWithItsSource) {
  const std::string page = sweep_html(tanh_with_programs());
  EXPECT_EQ(occurrences(page, "<h2>Blackhole A0: program</h2>"), 1U);
  EXPECT_EQ(occurrences(page, "<h2>Wormhole B0: program</h2>"), 1U);
  EXPECT_EQ(occurrences(page, "<code>load &amp; go</code>"), 2U);
  EXPECT_EQ(occurrences(page, "SFPSTORE"), 2U);
}

TEST(SweepHtml, LostRowIsThereOnlyIfSomethingIsLost) {
  report::SweepReport report = test::tanh_report();
  report.result.chips.pop_back();
  EXPECT_EQ(occurrences(sweep_svg(report), ">lost</text>"), 0U);
}

TEST(SweepHtml, ExactErrorIsALineOfItsOwn) {
  report::SweepReport report = test::tanh_report(); // each exact error is |ULP| + 0.25
  constexpr report::ChartSize kSize{1000, 400};
  const std::string picture = report::error_picture(report.result, kSize);
  EXPECT_EQ(occurrences(picture, "class=\"chip0 exact\""), 2U); // the line and its legend
  EXPECT_EQ(occurrences(picture, ">Wormhole largest exact error</text>"), 1U);
  EXPECT_GT(occurrences(picture, "wh: largest 2 ULP at x = "), 5U);
  EXPECT_GT(occurrences(picture, ", largest exact error 2.25\n") +
                occurrences(picture, ", largest exact error 2.25</title>"),
            5U);
  // The axis ends at the largest, which is not a whole number.
  const report::InputView view = report::all_inputs(report.result, 900);
  double largest = 0;
  for (const report::Column& column : view.columns)
    largest = std::max(largest, column.chips[0].largest_exact);
  EXPECT_EQ(largest, 3.25) << "of the column with 1";

  for (sweep::SweepStatistics& chip : report.result.chips) {
    for (auto& [key, part] : chip.bins) part.largest_exact = formats::kNotCompared;
  }
  EXPECT_EQ(occurrences(report::error_picture(report.result, kSize), "exact"), 0U)
      << "of a measure that has none";
}

/// Where the last line of these classes begins, in pixels from the top.
double first_height(const std::string& picture, const std::string& classes) {
  const std::string start = "class=\"" + classes + "\" d=\"M";
  const std::size_t at = picture.rfind(start);
  if (at == std::string::npos) return -1;
  return std::stod(picture.substr(picture.find(' ', at + start.size())));
}

// Every result is right, and its exact error a quarter.
TEST(SweepHtml, LineOfTheExactErrorIsAboveThatOfTheMean) {
  SweepSetup setup;
  setup.function = [](double x, double) { return x; };
  setup.inputs = test::patterns(0x3000, 0x4FFF);
  const auto right = [](double, double, std::uint32_t bits) { return bits; };
  const report::SweepReport report = test::swept(setup, {right, right});
  const std::string picture = report::error_picture(report.result, {1000, 400});
  EXPECT_GT(first_height(picture, "chip0 mean"), 0);
  EXPECT_GT(first_height(picture, "chip0 exact"), 0);
  EXPECT_LT(first_height(picture, "chip0 exact"), first_height(picture, "chip0 mean") - 10);
}

TEST(SweepHtml, NearZeroThereIsALinearPicture) {
  const report::SweepReport report = test::tanh_report();
  const std::string picture = report::near_picture(report.result, {606, 390});
  EXPECT_EQ(occurrences(picture, ">Error near 0</text>"), 1U);
  for (const char* tick : {">−6<", ">−4<", ">−2<", ">0<", ">2<", ">4<", ">6<"})
    EXPECT_GE(occurrences(picture, tick), 1U) << tick;
  const auto view = report::near_inputs(report.result, 512);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->axis.at(-8), 0);
  EXPECT_EQ(view->axis.at(8), 1);
  EXPECT_EQ(view->axis.at(2), 0.625);
  EXPECT_EQ(view->columns.size(), 256U) << "one for two pixels, all with inputs";

  // 1 to 2 is a linear picture anyway, and whole numbers have no cells.
  SweepSetup setup;
  setup.function = [](double x, double) { return x; };
  setup.inputs = test::patterns(0x3F80, 0x4000);
  const auto as_expected = [](double, double, std::uint32_t expected) { return expected; };
  EXPECT_EQ(report::near_picture(test::swept(setup, {as_expected}).result, {606, 390}), "");
}

/// x with NaN for results: everywhere from 16 on, and here and there from 1 to 2.
report::SweepReport report_with_losses() {
  SweepSetup setup;
  setup.function = [](double x, double) { return x; };
  setup.inputs = test::patterns(0x0080, 0x7F7F);
  const auto loses = [](double x, double, std::uint32_t bits) -> std::uint32_t {
    return x >= 16 || (x >= 1 && x < 2 && bits % 4 == 0) ? 0x7FC0 : bits;
  };
  const auto right = [](double, double, std::uint32_t bits) { return bits; };
  return test::swept(setup, {loses, right});
}

TEST(SweepHtml, ColumnsWithoutAResultAreHatched) {
  const report::SweepReport report = report_with_losses();
  const std::string picture = report::error_picture(report.result, {1000, 400});
  EXPECT_EQ(occurrences(picture, ">Blackhole all lost</text>"), 1U);
  EXPECT_EQ(occurrences(picture, "Wormhole all lost"), 0U);
  EXPECT_EQ(occurrences(picture, "chip0 hatching"), 2U); // one run, and the legend
  EXPECT_EQ(occurrences(picture, "chip1 hatching"), 0U);
  EXPECT_GT(occurrences(picture, "bh: all "), 100U);
  EXPECT_GE(occurrences(picture, ", 8 lost\nwh: "), 1U); // of 32 in a bin

  // What is lost altogether has no error: no mark at 0.
  for (const report::Column& column : report::all_inputs(report.result, 900).columns) {
    const report::ColumnPart& part = column.chips[0];
    EXPECT_EQ(part.is_lost(), formats::value_of_bits(formats::Format::BF16, part.sample.x) >= 16);
    EXPECT_EQ(part.is_lost(), part.largest_exact == formats::kNotCompared);
  }
}

TEST(SweepHtml, ChipsWithEqualResultsAreOneCurve) {
  SweepSetup setup;
  setup.function = [](double x, double) { return x; };
  setup.inputs = test::patterns(0x3000, 0x4FFF);
  const auto wrong_at = [](std::uint32_t wrong) {
    return [wrong](double, double, std::uint32_t bits) { return bits == wrong ? bits + 1 : bits; };
  };
  const report::SweepReport equal = test::swept(setup, {wrong_at(0x4000), wrong_at(0x4000)});
  const std::string page = sweep_html(equal);
  EXPECT_EQ(occurrences(page, "chip1"), occurrences(report::sweep_html({}), "chip1"))
      << "only styles";
  EXPECT_EQ(occurrences(page, ">Blackhole, Wormhole largest</text>"), 2 * test::kSizes);
  EXPECT_EQ(occurrences(page, ">Blackhole, Wormhole</text>"), 2 * test::kSizes)
      << "function and histogram";
  EXPECT_EQ(occurrences(page, "<b>1</b><span>bh, wh: largest |ULP|</span>"), 1U);
  EXPECT_EQ(occurrences(page, "<b>865</b><span>bh: cycles per tile</span>"), 1U);
  EXPECT_EQ(occurrences(page, "<b>897</b><span>wh: cycles per tile</span>"), 1U);

  // As often and as large, but elsewhere.
  const report::SweepReport other = test::swept(setup, {wrong_at(0x4000), wrong_at(0x4001)});
  EXPECT_EQ(report::curves_of(other.result).size(), 2U);
  EXPECT_EQ(occurrences(sweep_html(other), ">Blackhole, Wormhole"), 0U);

  // The same in all, and the worst input is the same, but another one is elsewhere.
  const auto also_wrong_at = [](std::uint32_t wrong) {
    return [wrong](double, double, std::uint32_t bits) {
      return bits == 0x4000 || bits == wrong ? bits + 1 : bits;
    };
  };
  const report::SweepReport apart =
      test::swept(setup, {also_wrong_at(0x4800), also_wrong_at(0x4F00)});
  EXPECT_EQ(apart.result.chips[0].error, apart.result.chips[1].error);
  EXPECT_EQ(report::curves_of(apart.result).size(), 2U);
}

TEST(SweepHtml, GatesAndStopsStandAbove) {
  report::SweepReport report = test::tanh_report();
  report.gates.max_ulp = 3;
  report.result.chips.pop_back();
  EXPECT_EQ(
      occurrences(sweep_html(report), "<li>gate --max-ulp 3: holds; without --specials it does"),
      1U);
  EXPECT_EQ(occurrences(sweep_html(report), "<li>bh: 65026 results, largest 3 ULP, mean"), 1U);
  report.result.done = 7;
  const std::string page = sweep_html(report);
  EXPECT_EQ(
      occurrences(page, "<li class=\"missed\">The sweep stopped after 7 of 65536 inputs.</li>"),
      1U);
}

TEST(SweepHtml, EmptyAndExtremeResultsAreDrawn) {
  const auto draws = [](const report::SweepReport& report) {
    for (const std::string& text : {sweep_html(report), sweep_svg(report)}) {
      EXPECT_EQ(XmlCheck(text).wrong(), "");
      const std::string values = attribute_values(text);
      EXPECT_EQ(occurrences(values, "nan"), 0U);
      EXPECT_EQ(occurrences(values, "inf"), 0U);
    }
  };
  draws({});
  report::SweepReport report;
  report.result.chips.resize(2);
  draws(report);

  SweepSetup setup;
  setup.format = setup.output_format = formats::Format::FP32;
  setup.bin_shift = 21;
  setup.function = [](double x, double) { return 1 / x; };
  setup.inputs = test::patterns(0, 0xFFFFFFFF, 0x2345678);
  setup.inputs.insert(setup.inputs.end(), {0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001});
  draws(test::swept(setup, {[](double, double, std::uint32_t bits) { return ~bits; },
                            [](double, double, std::uint32_t) { return 0x7FC00000U; }}));
  setup.inputs = {0x3F800000};
  draws(test::swept(setup, {[](double, double, std::uint32_t bits) { return bits; }}));
}

/// Ticks in order, none outside, no two closer than `pitch` pixels.
void expect_readable(const report::Axis& axis, double pixels, double pitch) {
  EXPECT_GE(axis.ticks.size(), 2U);
  std::vector<double> places;
  for (const report::AxisTick& tick : axis.ticks) {
    EXPECT_GE(tick.at, -1e-6);
    EXPECT_LE(tick.at, 1 + 1e-6);
    places.push_back(tick.at * pixels);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    EXPECT_GE(places[i] - places[i - 1], pitch - 1e-6);
}

TEST(SweepAxis, LabelsNeverOverlap) {
  constexpr double kPixels = 500, kPitch = 50; // of the longest power of ten
  const auto room = report::horizontal_room(kPixels);
  for (const double high : {1e-30, 0.5, 3.0, 1e6, 3e38})
    expect_readable(report::linear_axis(high / 7, high, room), kPixels, kPitch);
  for (const double high : {2.0, 100.0, 3e38}) {
    for (const double low : {-3e38, -1.0, 0.0, 1e-30}) {
      const std::array numbers{low, 1e-3, high};
      expect_readable(report::symmetric_log_axis(numbers, 1e-38, room), kPixels, kPitch);
    }
  }
  for (const double largest : {0.0, 1.0, 7.0, 1e3, 4294967296.0})
    expect_readable(report::ulp_axis(largest, report::vertical_room(300)), 300, 17);
}

TEST(SweepAxis, KeepsTheOrderOfNumbers) {
  const std::array numbers{-3e38, 1e-38, 5.0, 3e38};
  const report::Axis axis =
      report::symmetric_log_axis(numbers, 1e-38, report::horizontal_room(1000));
  double before = -1;
  for (const double number : {-3e38, -1.0, -1e-30, 0.0, 1e-30, 1.0, 10.0, 3e38}) {
    EXPECT_GT(axis.at(number), before) << number;
    before = axis.at(number);
  }
  EXPECT_NEAR(axis.at(0), 0.5, 1e-9);
  EXPECT_NEAR(axis.at(-7) + axis.at(7), 1, 1e-9);
  EXPECT_EQ(axis.at(-HUGE_VAL), 0);
  EXPECT_EQ(axis.at(HUGE_VAL), 1);
}

TEST(SweepAxis, LabelsOfShortRangesDiffer) {
  const report::Axis axis =
      report::linear_axis(1000000.001, 1000000.002, report::horizontal_room(1000));
  std::vector<std::string> labels;
  for (const report::AxisTick& tick : axis.ticks) labels.push_back(tick.label);
  std::sort(labels.begin(), labels.end());
  EXPECT_GE(labels.size(), 2U);
  EXPECT_EQ(std::unique(labels.begin(), labels.end()), labels.end());
}

TEST(SweepAxis, PowersAreWrittenOutWhereTheyAreShort) {
  EXPECT_EQ(report::power_text(0), "1");
  EXPECT_EQ(report::power_text(-2), "0.01");
  EXPECT_EQ(report::power_text(38), "10³⁸");
  EXPECT_EQ(report::power_text(-38), "10⁻³⁸");
}

// RFC 3629: overlong forms, surrogates, and what is cut off are no UTF-8.
TEST(Page, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(report::valid_utf8("aé€😀"), "aé€😀");
  EXPECT_EQ(report::valid_utf8("\xC0\xAF"), "\uFFFD\uFFFD");
  EXPECT_EQ(report::valid_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(report::valid_utf8("x\xE2\x82"), "x\uFFFD\uFFFD");
  EXPECT_EQ(report::valid_utf8("\xF4\x90\x80\x80").substr(0, 3), "\uFFFD");
}

} // namespace
} // namespace lanewise
