// The JSON of a sweep has every field of its result, and comparisons say what changed.
#include "report/sweep/json.h"

#include <gtest/gtest.h>

#include "report/diff/text.h"
#include "report/sweep_fixture.h"

namespace lanewise {
namespace {

using nlohmann::json;
using sweep::SweepCase;

double number_of(const json& entry) {
  if (!entry.is_string()) return entry.get<double>();
  if (entry == "nan") return std::nan("");
  EXPECT_TRUE(entry == "inf" || entry == "-inf") << entry;
  return entry == "inf" ? HUGE_VAL : -HUGE_VAL;
}

std::uint32_t bits_of(const json& entry) {
  return static_cast<std::uint32_t>(std::stoul(entry.get<std::string>(), nullptr, 16));
}

SweepCase case_of(const json& entry) {
  if (entry.is_null()) return {};
  return {bits_of(entry["x_bits"]), entry.contains("y_bits") ? bits_of(entry["y_bits"]) : 0,
          bits_of(entry["expected_bits"]), bits_of(entry["found_bits"]), number_of(entry["exact"])};
}

std::vector<SweepCase> cases_of(const json& list) {
  std::vector<SweepCase> cases;
  for (const json& entry : list) cases.push_back(case_of(entry));
  return cases;
}

sweep::UlpStatistics errors_of(const json& entry) {
  sweep::UlpStatistics errors;
  for (std::size_t i = 0; i < errors.rows.size(); ++i) errors.rows[i] = entry["rows"][i]["results"];
  errors.lost = entry["lost"];
  const json& wrong = entry["wrong"];
  errors.wrong = {wrong["nan"],  wrong["infinite"], wrong["finite"],
                  wrong["zero"], wrong["nonzero"],  wrong["sign"]};
  errors.largest = entry["largest"];
  errors.sum = number_of(entry["sum"]);
  errors.largest_exact = number_of(entry["largest_exact"]);
  errors.sum_exact = number_of(entry["sum_exact"]);
  errors.exact_count = entry["exact_count"];
  errors.worst = case_of(entry["worst"]);
  errors.worst_exact = case_of(entry["worst_exact"]);
  return errors;
}

sweep::ClassStatistics class_of(const json& entry) {
  return {entry["inputs"], entry["differ"], case_of(entry["first"])};
}

sweep::PartStatistics part_of(const json& entry) {
  const json& exact = entry["largest_exact"];
  return {.inputs = entry["inputs"],
          .largest = entry["largest"],
          .sum = number_of(entry["sum"]),
          .largest_exact = exact.is_null() ? formats::kNotCompared : number_of(exact),
          .lost = entry["lost"],
          .worst = case_of(entry["worst"]),
          .sample = case_of(entry["sample"])};
}

Fault fault_of(const json& entry) {
  Fault fault{.message = entry["message"],
              .remedy = entry["remedy"],
              .rule = entry["rule"],
              .instruction = entry["instruction"],
              .file = entry["file"],
              .line = entry["line"],
              .column = entry["column"]};
  if (!entry["lane"].is_null()) fault.lane = entry["lane"].get<std::uint8_t>();
  for (const FaultKind kind : {FaultKind::NonContractual, FaultKind::Hazard, FaultKind::BadInput}) {
    if (entry["kind"] == fault_kind_name(kind)) fault.kind = kind;
  }
  return fault;
}

sweep::SweepStatistics statistics_of(const json& entry) {
  sweep::SweepStatistics chip;
  chip.arch = entry["arch"] == "bh" ? Arch::Blackhole : Arch::Wormhole;
  chip.outside = entry["outside"];
  chip.error = errors_of(entry["error"]);
  if (!entry["before_store"].is_null()) chip.before_store = errors_of(entry["before_store"]);
  chip.zero_signs = entry["zero_signs"];
  chip.undecided = entry["undecided"];
  chip.expected_nan = class_of(entry["expected_nan"]);
  chip.denormal = class_of(entry["denormal"]);
  chip.infinite = class_of(entry["infinite"]);
  chip.nan = class_of(entry["nan"]);
  chip.worst = cases_of(entry["worst"]);
  chip.specials = cases_of(entry["specials"]);
  for (const json& each : entry["decades"])
    chip.decades[{each["negative"], each["exponent"]}] = part_of(each);
  chip.bin_shift = entry["bins"]["shift"];
  for (const json& each : entry["bins"]["parts"]) chip.bins[each["key"]] = part_of(each);
  for (const json& each : entry["near"]["parts"]) chip.near[each["key"]] = part_of(each);
  for (const json& each : entry["histogram"]) chip.histogram[each["key"]] = each["results"];
  const json& monotonicity = entry["monotonicity"];
  chip.monotonicity = {monotonicity["looked_at"], monotonicity["reversals"],
                       monotonicity["largest"], case_of(monotonicity["left"]),
                       case_of(monotonicity["right"])};
  const json& symmetry = entry["symmetry"];
  chip.symmetry = {symmetry["looked_at"],
                   symmetry["pairs"],
                   symmetry["reference_not_even"],
                   symmetry["reference_not_odd"],
                   symmetry["found_not_even"],
                   symmetry["found_not_odd"],
                   case_of(symmetry["first_not_even"]),
                   case_of(symmetry["first_not_odd"])};
  for (const json& each : entry["faults"]) chip.faults.push_back(fault_of(each));
  chip.instructions = entry["instructions"];
  chip.cycles = entry["cycles"];
  chip.init_cycles = entry["init_cycles"];
  return chip;
}

/// The reports of the fixture, with something in the fields that it leaves empty. NaN is not equal
/// to itself, so no case keeps it as its exact result.
report::SweepReport full_report() {
  report::SweepReport report = test::tanh_report();
  for (sweep::SweepStatistics& chip : report.result.chips) {
    chip.outside = 5;
    chip.zero_signs = 6;
    chip.undecided = 7;
    chip.expected_nan = {9, 1, {1, 0, 2, 3, 1e300}};
    chip.infinite = {2, 1, {0x7F80, 0, 0x3F80, 0x3F00, HUGE_VAL}};
    chip.nan.first.exact = -HUGE_VAL;
    if (chip.nan.differ == 0) chip.nan.first = {};
    chip.specials[4].exact = 0;
    chip.symmetry.reference_not_odd = 1;
    chip.symmetry.found_not_even = 2;
    chip.symmetry.found_not_odd = 3;
    chip.symmetry.first_not_even = {4, 0, 5, 6, 0.125};
    chip.symmetry.first_not_odd = {7, 0, 8, 9, 0.1};
    chip.faults = {{.kind = FaultKind::Hazard,
                    .message = "a",
                    .remedy = "b",
                    .rule = "c",
                    .instruction = "d",
                    .file = "e",
                    .line = 1,
                    .column = 2,
                    .lane = 31}};
  }
  return report;
}

TEST(SweepJson, HasEveryField) {
  const report::SweepReport report = full_report();
  const json text = json::parse(sweep_json(report).dump());
  ASSERT_EQ(text["chips"].size(), 2U);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(statistics_of(text["chips"][i]), report.result.chips[i]);
}

TEST(SweepJson, HeadSaysWhatWasSwept) {
  report::SweepReport report = test::tanh_report();
  report.result.output_format = formats::Format::FP32;
  report.result.done = 3;
  report.gates.max_ulp = 3;
  const json text = sweep_json(report);
  EXPECT_EQ(text["format"], "lanewise-sweep");
  EXPECT_EQ(text["kernel"], "tanh.cpp");
  EXPECT_EQ(text["reference"], "tanh(x)");
  EXPECT_TRUE(text["domain"].is_null());
  EXPECT_EQ(text["input_format"], "bf16");
  EXPECT_EQ(text["output_format"], "fp32");
  EXPECT_EQ(text["operands"], 1);
  EXPECT_EQ(text["space"], "every");
  EXPECT_EQ(text["total"], 65536);
  EXPECT_EQ(text["done"], 3);
  EXPECT_EQ(text["complete"], false);
  EXPECT_EQ(text["gates"][0]["gate"], "--max-ulp 3");
  EXPECT_EQ(text["gates"][0]["holds"], false);
}

TEST(SweepJson, CasesHaveNumbersBesideTheirBits) {
  test::SweepSetup setup;
  setup.operands = 2;
  setup.function = [](double x, double y) { return x + y; };
  setup.inputs = {0x3F80};
  const json chip = sweep_json(test::swept(
      setup, {[](double, double, std::uint32_t bits) { return bits + 2; }}))["chips"][0];
  const json& worst = chip["worst"][0];
  EXPECT_EQ(worst["x"], 1.0);
  EXPECT_EQ(worst["y_bits"], "3F80");
  EXPECT_EQ(worst["y"], 1.0);
  EXPECT_EQ(worst["expected"], 2.0);
  EXPECT_EQ(worst["found"], 2.03125); // 2 + 2 * 2^-6
  EXPECT_EQ(worst["ulp"], 2);
  EXPECT_EQ(worst["exact"], 2.0);
}

TEST(SweepJson, TakesEveryName) {
  report::SweepReport report;
  report.name = "\xFF\"<";
  EXPECT_EQ(json::parse(sweep_json(report).dump())["kernel"], "\uFFFD\"<");
}

report::DiffReport diff_report(bool with_reference) {
  const report::SweepReport swept = test::tanh_report();
  report::DiffReport report{"old.cpp", "new.cpp", with_reference ? "tanh(x)" : "", {}};
  report.result.total = report.result.done = 65536;
  for (const sweep::SweepStatistics& chip : swept.result.chips) {
    sweep::DiffStatistics diff;
    diff.arch = chip.arch;
    diff.inputs = 65536;
    diff.changed = 1024;
    diff.distance = chip.error;
    diff.worst = chip.worst;
    diff.first = {.instructions = 800, .cycles = 850, .words = 25, .rows = 32, .faults = {}};
    diff.second = {.instructions = 800,
                   .cycles = 833,
                   .words = 30,
                   .rows = 8,
                   .faults = {{.kind = FaultKind::Hazard, .message = "too close"}}};
    report.result.chips.push_back(diff);
  }
  if (with_reference) report.result.first_errors = report.result.second_errors = swept.result.chips;
  return report;
}

TEST(DiffJson, HasBothSides) {
  const report::DiffReport report = diff_report(true);
  const json text = json::parse(diff_json(report).dump());
  EXPECT_EQ(text["format"], "lanewise-diff");
  const json& chip = text["chips"][1];
  EXPECT_EQ(chip["arch"], "wh");
  EXPECT_EQ(chip["inputs"], 65536);
  EXPECT_EQ(chip["changed"], 1024);
  EXPECT_EQ(errors_of(chip["distance"]), report.result.chips[1].distance);
  EXPECT_EQ(cases_of(chip["worst"]), report.result.chips[1].worst);
  EXPECT_EQ(chip["first"]["name"], "old.cpp");
  EXPECT_EQ(chip["first"]["words"], 25);
  EXPECT_EQ(chip["second"]["cycles"], 833);
  EXPECT_EQ(chip["second"]["rows"], 8);
  EXPECT_EQ(chip["second"]["instructions"], 800);
  EXPECT_EQ(chip["second"]["faults"][0]["message"], "too close");
  EXPECT_EQ(errors_of(chip["second_errors"]["error"]), report.result.second_errors[1].error);
  EXPECT_TRUE(diff_json(diff_report(false))["chips"][0]["first_errors"].is_null());
}

TEST(DiffText, ShowsWhatHasChanged) {
  const std::string text = report::diff_text(diff_report(true));
  for (const char* part :
       {"first: old.cpp\nsecond: new.cpp\nreference: tanh(x)\n",
        "stores 32 of the 32 rows of a tile in the first, 8 in the second", "bits changed",
        "1.56 %", // 1/64
        "+5 (+20.0 %)", "-17 (-2.0 %)", "same", "Against the reference", "bh first", "wh second",
        "Farthest apart", "second: bh: Hazard: too close"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(DiffText, NeedsNeitherReferenceNorChips) {
  EXPECT_EQ(report::diff_text(diff_report(false)).find("Against the reference"), std::string::npos);
  EXPECT_FALSE(report::diff_text({}).empty());
}

} // namespace
} // namespace lanewise
