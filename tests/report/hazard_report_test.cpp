// Findings as text and JSON, and the page that lists the rules.
#include "report/check/hazard_report.h"
#include "project.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace lanewise::report {
namespace {

using execution::CheckedProgram;

timing::Hazard finding(std::string_view rule) {
  timing::Hazard hazard;
  hazard.rule = timing::find_hazard_rule(rule);
  hazard.cycle = 34;
  hazard.instruction = "SFPSTORE L2, 3, 3, 0";
  hazard.line = 12;
  hazard.other_line = 11;
  hazard.message = "reads L2";
  hazard.mend = "insert SFPNOP before line 12";
  return hazard;
}

CheckedProgram checked(std::vector<timing::Hazard> hazards) {
  return {.name = "kernel.tt",
          .arch = Arch::Wormhole,
          .instructions = 3,
          .cycles = 1,
          .hazards = std::move(hazards)};
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(HazardReport, TextSaysEverything) {
  const std::string text = hazard_text(checked({finding("mad-result")}));
  EXPECT_TRUE(contains(text,
                       "wh: kernel.tt: line 12, cycle 34: mad-result: SFPSTORE L2, 3, 3, 0: "
                       "reads L2; insert SFPNOP before line 12 [VU 5.4"))
      << text;
  EXPECT_TRUE(contains(text, "silicon: the reader gets the value that was there before")) << text;
  EXPECT_TRUE(contains(text, "1 hazard, 0 warnings in 3 instructions, 1 cycle\n")) << text;
}

TEST(HazardReport, LinesOfOtherFilesHaveTheirFile) {
  timing::Hazard hazard = finding("mad-result");
  hazard.file = "folder/other.h";
  EXPECT_TRUE(contains(hazard_text(checked({hazard})),
                       "wh: folder/other.h:12: cycle 34: mad-result: SFPSTORE"));
  const nlohmann::json json = hazard_json(std::vector{checked({hazard})})[0]["hazards"][0];
  EXPECT_EQ(json["file"], "folder/other.h");
  EXPECT_TRUE(json["other_file"].is_null());
  EXPECT_EQ(hazard.to_fault().file, "folder/other.h");
}

TEST(HazardReport, KernelsHaveInitAndTile) {
  CheckedProgram program = checked({});
  timing::TileCost& cost = program.cost.emplace();
  cost.init = 19;
  cost.pass.cycles = 128;
  cost.is_tile = true;
  EXPECT_TRUE(
      contains(hazard_text(program),
               "nothing found in 3 instructions, 19 cycles of init, 128 cycles per tile\n"));
  const nlohmann::json json = hazard_json(std::vector{program})[0];
  EXPECT_EQ(json["init_cycles"], 19);
  EXPECT_EQ(json["tile_cycles"], 128);
}

TEST(HazardReport, NothingFoundIsSaid) {
  EXPECT_EQ(hazard_text(checked({})), "wh: kernel.tt: nothing found in 3 instructions, 1 cycle\n");
}

TEST(HazardReport, WarningsAreNoProblem) {
  const CheckedProgram warned = checked({finding("write-order")});
  EXPECT_FALSE(has_problem(warned));
  EXPECT_TRUE(contains(hazard_text(warned), "wh: warning: kernel.tt: line 12"));
  EXPECT_TRUE(has_problem(checked({finding("write-order"), finding("mad-result")})));
}

TEST(HazardReport, FaultsCountUnlessTheirInstructionIsOnlyNotExecuted) {
  CheckedProgram program = checked({});
  program.faults.push_back({.kind = FaultKind::Unsupported, .message = "is not executed yet"});
  EXPECT_FALSE(has_problem(program));
  program.faults.push_back({.kind = FaultKind::NonContractual, .message = "works all the same"});
  EXPECT_FALSE(has_problem(program));
  program.faults.push_back({.kind = FaultKind::UndefinedBehavior, .message = "means nothing"});
  EXPECT_TRUE(has_problem(program));
  EXPECT_TRUE(contains(hazard_text(program), "3 faults"));
}

TEST(HazardReport, TableHasALineForEachProgram) {
  CheckedProgram failed = checked({});
  failed.variant = "fp32, twin";
  failed.failure = "does not compile";
  const std::vector<CheckedProgram> programs{checked({finding("mad-result")}), failed, checked({})};
  LlkHeaderRows headers({});
  const std::string table = hazard_table(programs, headers);
  EXPECT_TRUE(contains(table, "kernel.tt, wh, fp32, twin  not checked: does not compile\n"))
      << table;
  EXPECT_TRUE(contains(table, "3 programs checked, 2 with hazards; 0 of 0 headers\n")) << table;
  EXPECT_TRUE(contains(table, "    line 12, cycle 34: mad-result")) << table;
}

TEST(HazardReport, JsonHasWhatTheTextHas) {
  const std::vector<CheckedProgram> programs{checked({finding("mad-result")})};
  const nlohmann::json json = hazard_json(programs);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["arch"], "wh");
  EXPECT_EQ(json[0]["problem"], true);
  const nlohmann::json& hazard = json[0]["hazards"][0];
  EXPECT_EQ(hazard["rule"], "mad-result");
  EXPECT_EQ(hazard["line"], 12);
  EXPECT_EQ(hazard["other_line"], 11);
  EXPECT_EQ(hazard["cycle"], 34);
  EXPECT_EQ(hazard["warning"], false);
  EXPECT_EQ(hazard["mend"], "insert SFPNOP before line 12");
}

TEST(HazardReport, RulesAreListedOncePerLine) {
  std::istringstream table(hazard_rule_table());
  std::size_t row = 0;
  for (std::string line; std::getline(table, line); ++row) {
    ASSERT_LT(row, timing::hazard_rules().size());
    EXPECT_EQ(line.find(timing::hazard_rules()[row].id), 0U) << line;
  }
  EXPECT_EQ(row, timing::hazard_rules().size());
  EXPECT_EQ(hazard_rules_json().size(), timing::hazard_rules().size());
}

// docs/hazards.md has a row for every rule, in this order.
TEST(HazardReport, DocumentedTableIsThatOfTheProgram) {
  std::ifstream file(in_project("docs/hazards.md"));
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  ASSERT_FALSE(page.empty());
  std::size_t at = 0, rows = 0;
  for (const timing::HazardRule& rule : timing::hazard_rules()) {
    const std::string chips = rule.chips == isa::Chips::BOTH ? "both"
                              : rule.chips == isa::Chips::BH ? "BH"
                                                             : "WH";
    const std::string row =
        fmt::format("\n| `{}` | {} | {} | {} | {} |", rule.id, chips,
                    rule.warns_only ? "warning" : "hazard", rule.summary, rule.source);
    const std::size_t found = page.find(row);
    ASSERT_NE(found, std::string::npos) << "docs/hazards.md lacks" << row;
    EXPECT_GT(found, at) << rule.id << " is out of order";
    at = found;
  }
  for (std::size_t i = page.find("\n| `"); i != std::string::npos; i = page.find("\n| `", i + 1))
    ++rows;
  EXPECT_EQ(rows, timing::hazard_rules().size()) << "rows without a rule";
}

} // namespace
} // namespace lanewise::report
