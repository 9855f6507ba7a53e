// The table of accuracy as text and as JSON.
#include "report/accuracy/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace lanewise::report {
namespace {

/// Of 100000 results: 90008 right, 9990 1 ULP off, 1 of 7 and 1 of 200 ULP at 2.
AccuracyRow some_row() {
  AccuracyRow row{.kernel = "f.tt", .reference = "x > 0 || x < 1", .domain = "", .statistics = {}};
  sweep::SweepStatistics& s = row.statistics;
  s.arch = Arch::Wormhole;
  s.error.rows = {90008, 9990, 0, 1, 0, 1};
  s.error.largest = 200;
  s.error.sum = 9990 + 7 + 200;
  s.error.worst.x = 0x4000; // 2.0
  s.before_store.emplace().rows = {100000};
  s.instructions = 161;
  s.cycles = 96;
  s.init_cycles = 19;
  return row;
}

std::string markdown(const AccuracyRow& row) {
  return accuracy_markdown(std::vector{row}, "command");
}

std::vector<std::string> table_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("|")) lines.push_back(line);
  }
  return lines;
}

/// Cells of a line, without blanks around them. \| is no end of a cell.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] != '|' || line[i - 1] == '\\') {
      cell += line[i];
      continue;
    }
    const std::size_t first = cell.find_first_not_of(' '), last = cell.find_last_not_of(' ');
    result.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    cell.clear();
  }
  return result;
}

std::vector<std::string> only_row(const AccuracyRow& row) {
  const auto lines = table_lines(markdown(row));
  if (lines.size() != 3) {
    ADD_FAILURE() << "a head, a rule and a row are wanted";
    return std::vector<std::string>(18);
  }
  return cells(lines[2]);
}

TEST(AccuracyTable, HasARowForEachKernelAndChip) {
  // 1 of 100000 is 0.001 %, which must not look like none.
  const std::vector<std::string> expected{"f.tt",     "`x > 0 \\|\\| x < 1`",
                                          "all",      "wh",
                                          "90.01",    "9.99",
                                          "0",        "< 0.01",
                                          "0",        "< 0.01",
                                          "200 at 2", "0.102",
                                          "0",        "0",
                                          "-",        "as expected",
                                          "161",      "96"};
  EXPECT_EQ(only_row(some_row()), expected); // the mean is 10197 / 100000
}

TEST(AccuracyTable, AllAndNearlyAllDiffer) {
  AccuracyRow row = some_row();
  row.statistics.error = {};
  row.statistics.error.rows = {100000};
  EXPECT_EQ(only_row(row)[4], "100");
  row.statistics.error.rows = {99999, 1};
  EXPECT_EQ(only_row(row)[4], "> 99.99");
}

TEST(AccuracyTable, SaysWhatIsLostAndWhereItGoesBack) {
  AccuracyRow row = some_row();
  row.statistics.error.lost = 3;
  sweep::Monotonicity& monotonicity = row.statistics.monotonicity;
  monotonicity.looked_at = true;
  monotonicity.reversals = 2;
  monotonicity.largest = 5;
  row.statistics.infinite.differ = 1;
  row.statistics.nan.differ = 254;
  row.statistics.zero_signs = 1;
  const auto line = only_row(row);
  EXPECT_EQ(line[10], "200 at 2; 3 lost");
  EXPECT_EQ(line[14], "2 steps back, up to 5 ULP");
  EXPECT_EQ(line[15], "Inf: 1, NaN: 254, sign of 0: 1");
  monotonicity.reversals = 0;
  EXPECT_EQ(only_row(row)[14], "yes");
}

TEST(AccuracyTable, PairsAreShownAsPairs) {
  AccuracyRow row = some_row();
  row.operands = 2;
  row.statistics.error.worst.y = 0xBF80; // -1
  row.statistics.before_store.reset();
  const auto line = only_row(row);
  EXPECT_EQ(line[10], "200 at 2, -1");
  EXPECT_EQ(line[12], "-");
}

TEST(AccuracyTable, ColumnsAreAligned) {
  AccuracyRow other = some_row();
  other.kernel = "a kernel with a long name";
  const auto text = accuracy_markdown(std::vector{some_row(), other}, "command");
  const auto lines = table_lines(text);
  ASSERT_EQ(lines.size(), 4U);
  for (const std::string& line : lines) EXPECT_EQ(line.size(), lines.front().size());
}

TEST(AccuracyTable, NamesItsCommandAndItsFaults) {
  AccuracyRow row = some_row();
  EXPECT_NE(markdown(row).find("Made by `command`."), std::string::npos);
  EXPECT_EQ(markdown(row).find("do not hold"), std::string::npos);
  row.statistics.faults = {{.kind = FaultKind::NonContractual, .message = "harmless"}};
  EXPECT_EQ(markdown(row).find("harmless"), std::string::npos);
  row.statistics.faults = {
      {.kind = FaultKind::UndefinedBehavior, .message = "is wrong", .file = "/a/path/f.tt"}};
  EXPECT_NE(markdown(row).find("- f.tt, wh: UndefinedBehavior"), std::string::npos);
  EXPECT_EQ(markdown(row).find("/a/path"), std::string::npos);
}

TEST(AccuracyTable, SweepsBecomeRows) {
  sweep::SweepResult result;
  result.chips.resize(2);
  result.chips[0].arch = Arch::Blackhole;
  result.chips[1].arch = Arch::Wormhole;
  const auto rows = accuracy_rows({.name = "f", .reference = "x", .domain = "x > 0"}, result);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].statistics.arch, Arch::Blackhole);
  EXPECT_EQ(rows[1].statistics.arch, Arch::Wormhole);
  EXPECT_EQ(rows[1].domain, "x > 0");
}

TEST(AccuracyTable, JsonHasTheSame) {
  AccuracyRow row = some_row();
  auto json = accuracy_json(std::vector{row});
  EXPECT_EQ(json["format"], "lanewise-accuracy");
  const auto& first = json["rows"][0];
  EXPECT_EQ(first["kernel"], "f.tt");
  EXPECT_EQ(first["inputs"], 100000);
  EXPECT_EQ(first["ulp"]["rows"][1], 9990);
  EXPECT_EQ(first["ulp"]["largest"], 200);
  EXPECT_EQ(first["ulp"]["x"], "2");
  EXPECT_TRUE(first["before_store"]["x"].is_null()); // nothing was wrong there
  EXPECT_TRUE(first["reversals"].is_null());
  EXPECT_EQ(first["cycles"], 96);
  row.statistics.before_store.reset();
  EXPECT_TRUE(accuracy_json(std::vector{row})["rows"][0]["before_store"].is_null());
}

} // namespace
} // namespace lanewise::report
