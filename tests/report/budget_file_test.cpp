// tt-llk's sfpu_accuracy_budget.yaml: which rows it has, and which one holds.
#include "report/accuracy/budget_file.h"

#include <gtest/gtest.h>

#include "report/accuracy/baseline.h"
#include "report/accuracy/budget.h"
#include "report/accuracy/names.h"

namespace lanewise::report {
namespace {

constexpr const char* kFile = R"(# as tt-llk has it
Exp:
  - {max_ulp: 5}
  - {in: Float16_b, out: Float16_b, approx: "No", dest: "No", max_ulp: 1}  # max 1 ULP
  - {in: Float16_b, out: Float16_b, approx: No, arch: blackhole, max_ulp: 0}
  - {out: Float32, metric: tolerance, atol: 0.13}
Tie:
  - {in: Float16_b, max_ulp: 1}
  - {out: Float16_b, max_ulp: 2}
)";

BudgetKeys variant(const char* arch, const char* approx = "No", const char* out = "Float16_b") {
  return {{"in", "Float16_b"}, {"out", out}, {"approx", approx}, {"dest", "No"}, {"arch", arch}};
}

/// The line of the row that holds; 0 = none.
std::uint32_t line_for(const char* operation, const BudgetKeys& keys) {
  const Budget budget = parse_budget(kFile, "budget.yaml").value();
  const BudgetRow* row = find_budget_row(budget.at(operation), keys).value();
  return row == nullptr ? 0 : row->line;
}

TEST(BudgetFile, TheRowThatSaysMostWins) {
  EXPECT_EQ(line_for("Exp", variant("WORMHOLE")), 4U);
  EXPECT_EQ(line_for("Exp", variant("WORMHOLE", "Yes")), 3U);
  EXPECT_EQ(line_for("Exp", variant("BLACKHOLE")), 5U) << "arch in any case, and a bare No";
}

TEST(BudgetFile, RowsWithoutArchHoldOnWormholeAlone) {
  EXPECT_EQ(line_for("Exp", variant("BLACKHOLE", "Yes")), 0U);
}

TEST(BudgetFile, AToleranceHasNoSteps) {
  const Budget budget = parse_budget(kFile, "budget.yaml").value();
  const BudgetRow* row = find_budget_row(budget.at("Exp"), {{"in", "Float32"},
                                                            {"out", "Float32"},
                                                            {"approx", "No"},
                                                            {"dest", "Yes"},
                                                            {"arch", "WORMHOLE"}})
                             .value_or(nullptr);
  // {out: Float32} and {max_ulp: 5}: the first says more.
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->line, 6U);
  EXPECT_FALSE(row->max_ulp.has_value());
}

TEST(BudgetFile, TwoRowsThatSayEquallyMuchAreAnError) {
  const Budget budget = parse_budget(kFile, "budget.yaml").value();
  const auto row = find_budget_row(budget.at("Tie"), variant("WORMHOLE"));
  ASSERT_FALSE(row.has_value());
  EXPECT_EQ(row.error().message, "two rows say equally much, in lines 8 and 9");
}

struct Wrong {
  const char* text;
  std::uint32_t line;
  const char* complaint;
};

class WrongBudgets : public testing::TestWithParam<Wrong> {};

TEST_P(WrongBudgets, AreErrorsWithTheirLine) {
  const auto budget = parse_budget(GetParam().text, "budget.yaml");
  ASSERT_FALSE(budget.has_value());
  EXPECT_NE(budget.error().message.find(GetParam().complaint), std::string::npos)
      << budget.error().message;
  EXPECT_EQ(budget.error().line, GetParam().line);
  EXPECT_EQ(budget.error().file, "budget.yaml");
  EXPECT_EQ(budget.error().kind, FaultKind::BadInput);
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongBudgets,
    testing::Values(Wrong{"", 0, "no operations"}, //
                    Wrong{"- 1\n", 1, "no operations"}, Wrong{"Exp:\n", 1, "no rows"},
                    Wrong{"Exp: []\n", 1, "no rows"}, Wrong{"Exp:\n  - 1\n", 2, "no fields"},
                    Wrong{"Exp:\n  - {max_ulp: 1}\nExp:\n  - {max_ulp: 2}\n", 3, "twice"},
                    Wrong{"Exp:\n  - {max_ulp: 1, max_ulp: 2}\n", 2, "twice"},
                    Wrong{"Exp:\n  - {max_ulp: 1}\n  - {max_ulp: 2}\n", 3, "twice"},
                    Wrong{"Exp:\n  - {max_ulp: 1, ulps: 2}\n", 2, "unknown field 'ulps'"},
                    Wrong{"Exp:\n  - {max_ulp: yes}\n", 2, "max_ulp is 'yes'"},
                    Wrong{"Exp:\n  - {max_ulp: -1}\n", 2, "max_ulp is '-1'"},
                    Wrong{"Exp:\n  - {max_ulp: 1.5}\n", 2, "max_ulp is '1.5'"},
                    Wrong{"Exp:\n  - {in: Float16}\n", 2, "no max_ulp"},
                    Wrong{"Exp:\n  - {max_ulp: 1, atol: 2}\n", 2, "mixes"},
                    Wrong{"Exp:\n  - {metric: tolerance, max_ulp: 2}\n", 2, "mixes"},
                    Wrong{"Exp:\n  - {metric: pcc}\n", 2, "mixes"},
                    Wrong{"Exp:\n  - {dest: maybe, max_ulp: 1}\n", 2, "dest is 'maybe'"},
                    Wrong{"Exp:\n  - {max_ulp: 1\n", 3, "no YAML"},
                    Wrong{"Exp:\n  - {<<: {max_ulp: 1}}\n", 2, "unknown field '<<'"},
                    Wrong{"Exp:\n  - {max_ulp: 1}\n---\n1\n", 3, "more than one document"},
                    // Of which yaml-cpp 0.7 makes documents without end.
                    Wrong{",", 1, "more than one document"}));

AccuracyRow result(const char* kernel, double largest) {
  AccuracyRow row{.kernel = kernel, .reference = "", .domain = "", .statistics = {}};
  row.statistics.arch = Arch::Wormhole;
  row.statistics.error.largest = largest;
  return row;
}

TEST(BudgetFile, ResultsAreHeldAgainstIt) {
  const char* const file =
      "Exp: [{max_ulp: 1}]\nTan: [{metric: tolerance}]\nTopk: [{max_ulp: 0}]\n";
  const Baseline baseline = parse_baseline(file, "b.yml").value();
  EXPECT_EQ(baseline.measure, formats::UlpMeasure::TtLlk);
  EXPECT_EQ(baseline.unknown, std::vector<std::string>{"Topk"});

  const std::vector rows{result("exp", 1), result("tan", 1000), result("sin", 1)};
  const Comparison same = compare_with(rows, baseline, 0).value();
  EXPECT_TRUE(same.worse.rows.empty());
  EXPECT_EQ(same.left_out,
            (std::vector<std::string>{"tan, wh: a tolerance", "sin, wh: not in the file"}));

  const Comparison worse = compare_with(std::vector{result("exp", 2)}, baseline, 0).value();
  EXPECT_EQ(table_text(worse.worse),
            "kernel  chip  worse          there  here\n"
            "exp     wh    largest error      1     2\n");
}

TEST(BudgetFile, ALostResultIsWorseThanAnyBudget) {
  const Baseline baseline = parse_baseline("Exp: [{max_ulp: 9}]\n", "b.yaml").value();
  AccuracyRow row = result("exp", 0);
  row.statistics.error.lost = 1;
  EXPECT_EQ(compare_with(std::vector{row}, baseline, 0).value().worse.rows.size(), 1U);
}

TEST(BudgetFile, ReadsWhatIsWritten) {
  AccuracyRow lost = result("log", 0);
  lost.statistics.error.lost = 1; // not measurable: a comment, without which its name has no rows
  const std::vector rows{result("exp", 1), lost, result("exp2", 0), result("tan", 49110)};
  const Budget budget = parse_budget(budget_yaml(rows, "command"), "b.yaml").value();
  EXPECT_EQ(budget.size(), 3U);
  EXPECT_EQ(budget.at("Exp").front().max_ulp, 2) << "1.1 times 1, rounded up";
  EXPECT_EQ(budget.at("Exp").front().keys, variant("WORMHOLE"));
  EXPECT_EQ(budget.at("Exp2").front().keys, variant("WORMHOLE", "Yes"))
      << "the compute API calls it with APPROXIMATION_MODE";
  EXPECT_FALSE(budget.at("Tan").front().max_ulp.has_value()) << "above what the gate takes";
}

TEST(KernelNames, TheIndexSpellsReciprocalAndHasVariants) {
  EXPECT_EQ(index_name("recip").op, "reciprocal");
  EXPECT_EQ(index_name("exp_fast").op, "exp");
  EXPECT_EQ(index_name("exp_fast").variant, "fast_approx");
  for (const char* kernel : {"recip", "exp_fast", "gelu"})
    EXPECT_EQ(kernel_of_index(index_name(kernel)), kernel);
  EXPECT_FALSE(kernel_of_index({"exp", "other"}).has_value());
}

} // namespace
} // namespace lanewise::report
