// The text of a sweep says what the fixture's functions do.
#include "report/sweep/text.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <iterator>

#include "report/sweep/gates.h"
#include "report/sweep/headline.h"
#include "report/sweep/json.h"
#include "report/sweep/tables.h"
#include "report/sweep/values.h"
#include "report/sweep_fixture.h"

namespace lanewise {
namespace {

using formats::Format;
using report::sweep_text;
using test::SweepSetup;

testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no '" << part << "' in\n" << text;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  for (const char each : text) {
    const bool follows_blank = result.empty() || result.back() == ' ' || result.back() == '\n';
    if (each != ' ' || !follows_blank) result += each;
  }
  return result;
}

std::uint32_t as_expected(double, double, std::uint32_t expected) {
  return expected;
}

/// The identity on the bf16 numbers of [1, 2].
SweepSetup short_range() {
  SweepSetup setup;
  setup.function = [](double x, double) { return x; };
  setup.inputs = test::patterns(0x3F80, 0x4000);
  return setup;
}

TEST(SweepText, HeadNamesKernelReferenceFormatsAndInputs) {
  report::SweepReport report = test::tanh_report();
  report.result.output_format = Format::FP32;
  report.domain = "x > 0";
  report.result.chips[0].outside = 32769;
  const std::string text = sweep_text(report, {});
  EXPECT_TRUE(has(text, "tanh.cpp against tanh(x)\n"));
  EXPECT_TRUE(has(text, "bf16 to fp32, every input: 65536 inputs"));
  EXPECT_TRUE(has(text, "where x > 0, which leaves out 32769"));
  EXPECT_FALSE(has(text, "stopped"));
}

TEST(SweepText, SaysThatASweepWasStopped) {
  report::SweepReport report = test::tanh_report();
  report.result.done = 40000;
  EXPECT_TRUE(has(sweep_text(report, {}), "stopped after 40000 of 65536"));
}

// 65024 of the 65536 bf16 numbers are normal or zero: all but 2 * 127 denormals, 2 infinities and
// 254 NaN. Those with 0.5 < |x| < 4 are 2 * (3 * 128 - 1); of them 2 have |x| = 1.
TEST(SweepText, CountsAreThoseOfTheRows) {
  const std::string text = without_blanks(sweep_text(test::tanh_report(), {}));
  EXPECT_TRUE(has(text, "\n0 64260 98.82 %")); // 65024 - 764
  EXPECT_TRUE(has(text, "\n1 764 1.17 %"));
  EXPECT_TRUE(has(text, "\n3-10 2 <0.01 %"));
  EXPECT_TRUE(has(text, "of these lost 0 0 % 0 0 % 1 <0.01 %"));
  EXPECT_TRUE(has(text, "largest |ULP| 3 2"));
  EXPECT_TRUE(has(text, "at x 1 (3F80) 0.252 (3E81)"));
  EXPECT_TRUE(has(text, "cycles of init, once 19 19"));
  EXPECT_TRUE(has(text, "cycles per tile 865 897"));
  EXPECT_TRUE(has(text, "cycles per input 0.845 0.876")); // 865 / 1024, 897 / 1024
}

TEST(SweepText, TheHeadlineLeavesNothingOut) {
  report::SweepReport report = test::tanh_report();
  std::string text = fmt::format("{}\n", fmt::join(report::headlines(report), "\n"));
  // 254 NaN give 1; 764 numbers are wrong by 1, and two by 3: (764 + 6) / 65026.
  EXPECT_TRUE(has(text,
                  "bh: 65026 results, largest 3 ULP, mean 0.0118; apart from these, 254 of "
                  "254 NaN inputs differ\n"));
  EXPECT_TRUE(has(text, "wh: 65026 results, 1 lost; the others: largest 2 ULP, mean "));
  EXPECT_TRUE(has(text, "; among all: 1 NaN where a number is expected\n"));
  sweep::SweepStatistics& first = report.result.chips[0];
  first.error.wrong = {.nan = 1, .infinite = 2, .finite = 3, .zero = 4, .nonzero = 5, .sign = 6};
  first.zero_signs = 7;
  first.undecided = 8;
  first.infinite.differ = 2;
  text = fmt::format("{}\n", fmt::join(report::headlines(report), "\n"));
  EXPECT_TRUE(has(text,
                  "among all: 1 NaN where a number is expected, 2 infinite where a finite "
                  "number is expected, 3 finite where infinity is expected, 4 0 where "
                  "another number is expected, 5 another number where 0 is expected, 6 of "
                  "the wrong sign; apart from these, 2 of 2 infinite inputs differ, 254 of "
                  "254 NaN inputs differ, 7 zeros with the wrong sign, 8 references "
                  "undecided\n"));
  const std::string figures = without_blanks(sweep_text(report, {}));
  EXPECT_TRUE(has(figures, "\nlost, in no figure 0 1\n"));
  EXPECT_TRUE(has(figures, "\nof the wrong sign 6 0\n"));
  first.error = {};
  EXPECT_TRUE(has(sweep_text(report, {}), "bh: no result was compared"));
}

TEST(SweepText, AnotherMeasureIsNamed) {
  report::SweepReport report = test::tanh_report();
  EXPECT_FALSE(has(sweep_text(report, {}), "ULP of"));
  report.result.measure = formats::UlpMeasure::Ttnn;
  EXPECT_TRUE(has(sweep_text(report, {}), "\nULP of ttnn: |found - golden| / gap above"));
  EXPECT_TRUE(has(sweep_text(report, {}), "largest exact error"));
  report.result.measure = formats::UlpMeasure::TtLlk;
  EXPECT_FALSE(has(sweep_text(report, {}), "exact error")) << "it has none";
}

TEST(SweepText, AGateThatHoldsSaysWhatItDoesNotLookAt) {
  report::SweepReport report = test::tanh_report();
  report.result.chips.pop_back();
  report.gates.max_ulp = 3;
  const std::string rest =
      "; without --specials it does not look at bh: 254 of 254 NaN inputs "
      "differ\n";
  EXPECT_TRUE(has(sweep_text(report, {}), "gate --max-ulp 3: holds" + rest));
  report.gates.specials = true;
  EXPECT_TRUE(has(sweep_text(report, {}), "gate --max-ulp 3: holds\n"));
}

TEST(SweepText, ConcludesWhatTheStoreCosts) {
  report::SweepReport report = test::tanh_report();
  const std::string text = sweep_text(report, {});
  EXPECT_TRUE(has(text, "bh: the store truncates: rounding before it would leave at most 1 ULP"));
  EXPECT_TRUE(has(text, "instead of 3 (mean"));
  for (sweep::SweepStatistics& chip : report.result.chips) chip.before_store = chip.error;
  EXPECT_TRUE(
      has(sweep_text(report, {}), "bh, wh: rounding before the store would change nothing."));
  for (sweep::SweepStatistics& chip : report.result.chips) chip.before_store->largest = 9;
  EXPECT_TRUE(has(sweep_text(report, {}), "would not help: it would leave at most 9 ULP"));
}

TEST(SweepText, InputsOfTheirOwnKindAndSpecialValues) {
  const std::string text = without_blanks(sweep_text(test::tanh_report(), {}));
  EXPECT_TRUE(has(text, "NaN inputs 254 254 nan gives 1, not nan 254 0"));
  EXPECT_TRUE(has(text, "denormal inputs 254 0 254 0"));
  EXPECT_TRUE(has(text, "10 of 11 special values agree."));
  EXPECT_TRUE(has(text, "7FC0 nan 7FC0 nan 3F80 1 agrees"));
  EXPECT_FALSE(has(text, "FF7F")); // -largest agrees
}

TEST(SweepText, FewSpecialValuesAreAllShown) {
  report::SweepReport report = test::tanh_report();
  for (sweep::SweepStatistics& chip : report.result.chips) chip.specials.resize(2);
  const std::string text = sweep_text(report, {});
  EXPECT_TRUE(has(text, "All 2 special values agree."));
  EXPECT_TRUE(has(text, "8000 -0"));
}

TEST(SweepText, NothingIsSaidOfASweepThatMeasuredNothing) {
  report::SweepReport report = test::tanh_report();
  report.result.done = 0;
  const std::string text = sweep_text(report, {});
  EXPECT_FALSE(has(text, "monotonic wherever"));
  EXPECT_FALSE(has(text, "odd as the reference"));
}

TEST(SweepText, HalfASweepIsMonotonicAsFarAsItWent) {
  report::SweepReport report = test::tanh_report();
  report.result.done /= 2;
  EXPECT_TRUE(has(sweep_text(report, {}), "as far as was measured"));
}

TEST(SweepText, MonotonicityAndSymmetry) {
  report::SweepReport report = test::tanh_report();
  const std::string text = sweep_text(report, {});
  EXPECT_TRUE(
      has(text, "bh: 1 pair of neighbouring inputs in which the result goes the other way"));
  EXPECT_TRUE(has(text, "between x = 0.996 and x = 1."));
  EXPECT_TRUE(has(text, "wh: monotonic wherever the reference is."));
  EXPECT_TRUE(has(text, "bh, wh: odd as the reference, in 32640 pairs"));
  report.result.chips[1].symmetry.found_not_odd = 3;
  report.result.chips[1].symmetry.first_not_odd.x = 0x3F80;
  EXPECT_TRUE(has(sweep_text(report, {}),
                  "wh: not odd, unlike the reference, in 3 of 32640 pairs x, -x; the first at x = "
                  "1."));
}

// Merged: from 1e-38 to 0.1 nothing is wrong on either chip.
TEST(SweepText, DecadesWithoutErrorsAreOneRow) {
  const std::string text = without_blanks(sweep_text(test::tanh_report(), {}));
  EXPECT_TRUE(has(text, "1e-38 .. 1e-1 15693 0 0"));
  EXPECT_TRUE(has(text, "-1e-1 .. -1e-38 15693 0 0"));
  EXPECT_TRUE(has(text, "\n1e0 .. 1e1 416 3 0.62 0 1 2"));
  EXPECT_FALSE(has(sweep_text(test::tanh_report(), {.decades = false}), "by decade"));
}

TEST(SweepText, MergedDecadesKeepEveryInput) {
  report::SweepReport report = test::tanh_report();
  std::uint64_t rows = 0, decades = 0;
  for (const auto& row : report::decade_table(report).rows) rows += std::stoull(row[1].text);
  for (const auto& [decade, part] : report.result.chips[0].decades) decades += part.inputs;
  EXPECT_EQ(rows, decades);
}

TEST(SweepText, WorstInputsWithBitsAndNumbers) {
  const std::string text = without_blanks(sweep_text(test::tanh_report(), {.worst = 1}));
  EXPECT_TRUE(has(text, "bh 1 3F80 0.76159416 0.761719 3F43 0.75 3F40 -3\n"));
  EXPECT_FALSE(has(text, "bh -1 BF80")); // the second
}

TEST(SweepText, TwoOperandsShowBoth) {
  SweepSetup setup = short_range();
  setup.operands = 2;
  setup.function = [](double x, double y) { return x + y; };
  const auto wrong = [](double x, double y, std::uint32_t expected) {
    return x == 1.5 && y == 1.25 ? expected + 7 : expected;
  };
  const std::string text = without_blanks(sweep_text(test::swept(setup, {wrong}), {}));
  EXPECT_TRUE(has(text, "every pair of inputs: 2193 inputs")); // 129 * 17
  EXPECT_TRUE(has(text, "at x 1.5 (3FC0)\nat y 1.25 (3FA0)"));
  EXPECT_TRUE(has(text, "bh 1.5 3FC0 1.25 3FA0 2.75 2.75 4030 2.85938 4037 +7"));
}

TEST(SweepText, IntegersAreWritten) {
  SweepSetup setup;
  setup.format = setup.output_format = Format::INT32;
  setup.function = [](double x, double) { return x; };
  setup.inputs = {1, 2, 0xFFFFFFFF};
  const auto wrong = [](double x, double, std::uint32_t) {
    return x < 0 ? 2147483647U : static_cast<std::uint32_t>(x);
  };
  const std::string text = without_blanks(sweep_text(test::swept(setup, {wrong}), {}));
  EXPECT_TRUE(has(text, "largest |ULP| 2147483648"));
  EXPECT_TRUE(has(text, "bh -1 FFFFFFFF -1 -1 FFFFFFFF 2147483647 7FFFFFFF +2147483648"));
}

TEST(SweepText, FaultsAreListed) {
  report::SweepReport report = test::tanh_report();
  report.result.chips[1].faults.push_back(
      {.kind = FaultKind::UndefinedBehavior, .message = "nobody knows", .line = 7});
  EXPECT_TRUE(has(sweep_text(report, {}), "wh: 7: UndefinedBehavior: nobody knows"));
}

TEST(SweepText, EmptyResultsHaveNoNumbers) {
  EXPECT_FALSE(sweep_text({}, {}).empty());
  report::SweepReport report;
  report.result.chips.resize(2);
  const std::string text = sweep_text(report, {});
  EXPECT_TRUE(has(without_blanks(text), "\n0 0 - 0 -\n"));
  EXPECT_FALSE(has(text, "nan"));
  EXPECT_FALSE(has(text, "inf"));
}

TEST(SweepText, FitsIntoATerminal) {
  SweepSetup setup;
  setup.format = setup.output_format = Format::FP32;
  setup.bin_shift = 21;
  setup.function = [](double x, double) { return std::sin(x); };
  setup.inputs = test::patterns(0x123, 0xFFFFFFFF, 0x123457);
  const auto wrong = [](double, double, std::uint32_t expected) { return expected ^ 0x40000000; };
  const std::string text = sweep_text(test::swept(setup, {wrong, wrong}), {});
  std::size_t widest = 0, begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  EXPECT_LE(widest, 130U);
}

// The number that is printed is rounded back to the same bits. (Denormals of bf16 and fp16 are
// rounded to zeros, the number as well as its text.)
RC_GTEST_PROP(SweepValues, TextsIdentifyBits, (std::uint32_t pattern)) {
  for (const Format format : {Format::FP32, Format::BF16, Format::FP16, Format::INT32}) {
    const std::uint32_t bits = formats::is_32bit(format) ? pattern : pattern & 0xFFFF;
    const double value = formats::value_of_bits(format, bits);
    if (!std::isfinite(value)) continue;
    RC_ASSERT(formats::round_to_bits(format, std::stod(report::value_text(format, bits))) ==
              formats::round_to_bits(format, value));
  }
}

TEST(SweepValues, TextsAreShort) {
  EXPECT_EQ(report::value_text(Format::BF16, 0x3DCD), "0.1");
  EXPECT_EQ(report::value_text(Format::FP32, 0x3DCCCCCD), "0.1");
  EXPECT_EQ(report::value_text(Format::BF16, 0x7F7F), "3.39e38"); // 255 * 2^120
  EXPECT_EQ(report::value_text(Format::FP32, 0x00800000), "1.1754944e-38");
  EXPECT_EQ(report::value_text(Format::BF16, 0x8000), "-0");
  EXPECT_EQ(report::value_text(Format::FP32, 0xFF800000), "-inf");
  EXPECT_EQ(report::value_text(Format::BF16, 0x7FC1), "nan");
  EXPECT_EQ(report::value_text(Format::INT32, 0x80000001), "-2147483647");
  EXPECT_EQ(report::bits_text(Format::INT16, 0x7), "0007");
}

TEST(SweepValues, PercentIsNeverAllOrNothingByRounding) {
  EXPECT_EQ(report::percent_text(0, 7), "0 %");
  EXPECT_EQ(report::percent_text(7, 7), "100 %");
  EXPECT_EQ(report::percent_text(1, 1'000'000), "<0.01 %");
  EXPECT_EQ(report::percent_text(999'999, 1'000'000), ">99.99 %");
  EXPECT_EQ(report::percent_text(1, 3), "33.33 %");
  EXPECT_EQ(report::percent_text(0, 0), "-");
}

std::vector<std::string> missed_gates(const report::SweepReport& report) {
  std::vector<std::string> missed;
  for (const report::GateText& gate : report::gate_texts(report)) {
    if (!gate.misses.empty())
      std::ranges::copy(report::gate_lines(gate), std::back_inserter(missed));
  }
  return missed;
}

TEST(SweepGatesTest, HoldOrSayWhatIsInTheWay) {
  report::SweepReport report = test::swept(short_range(), {as_expected});
  report.gates = {.max_ulp = 0, .max_exact_ulp = 0.5, .specials = true};
  EXPECT_TRUE(missed_gates(report).empty());
  EXPECT_TRUE(has(sweep_text(report, {}), "gate --max-ulp 0: holds"));

  report.result.chips[0].error.largest = 1;
  report.result.chips[0].error.worst.x = 0x3F81;
  report.result.chips[0].zero_signs = 2;
  const std::vector<std::string> missed = missed_gates(report);
  ASSERT_EQ(missed.size(), 2U);
  EXPECT_EQ(missed[0], "gate --max-ulp 0: missed: bh: the largest is 1 at x = 1.01 (3F81)");
  EXPECT_TRUE(has(missed[1], "bh: 2 zeros with another sign"));
  const nlohmann::json gates = report::sweep_json(report)["gates"];
  ASSERT_EQ(gates.size(), 3U);
  EXPECT_EQ(gates[0]["gate"], "--max-ulp 0");
  EXPECT_FALSE(gates[0]["holds"]);
  EXPECT_TRUE(gates[1]["holds"]);
  EXPECT_FALSE(gates[2]["holds"]);
}

TEST(SweepGatesTest, AreMissedByLostResultsAndOtherKinds) {
  report::SweepReport report = test::tanh_report();
  report.gates = {.max_ulp = 3, .max_exact_ulp = 100, .specials = true};
  const std::vector<std::string> missed = missed_gates(report);
  ASSERT_EQ(missed.size(), 3U);
  EXPECT_TRUE(has(missed[0], "--max-ulp 3: missed: wh: 1 result lost"));
  EXPECT_TRUE(has(missed[1], "--max-exact-ulp 100: missed: wh: 1 result lost"));
  EXPECT_TRUE(has(missed[2], "bh: 254 of 254 NaN inputs differ"));
}

TEST(SweepGatesTest, NoGateHoldsWithoutResults) {
  report::SweepReport report = test::swept(short_range(), {as_expected});
  report.gates.max_ulp = 1000;
  report.result.done = 5;
  EXPECT_TRUE(has(missed_gates(report).at(0), "stopped after 5 of 129 inputs"));
  report.result.done = report.result.total;
  report.result.chips[0].faults.push_back({.kind = FaultKind::NonContractual, .message = "well"});
  EXPECT_TRUE(missed_gates(report).empty());
  report.result.chips[0].faults.push_back({.kind = FaultKind::Unsupported, .message = "not yet"});
  EXPECT_TRUE(has(missed_gates(report).at(0), "not yet"));
  report.result.chips = {sweep::SweepStatistics{}};
  EXPECT_TRUE(has(missed_gates(report).at(0), "no result was compared"));
  report.result.chips.clear();
  EXPECT_TRUE(has(missed_gates(report).at(0), "there are no results"));
}

} // namespace
} // namespace lanewise
