// Comparisons as files: what is written is read back, what is wrong is told with its place, and
// what got worse is found.
#include "study/silicon/record.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lanewise::silicon {
namespace {

const std::string kRecordHead = fmt::format("{}{}\n", kCostColumns, kRecordColumns);

ComparedRow compared(std::string op, double measured, std::optional<double> cycles) {
  ComparedRow row{.row = {.op = std::move(op),
                          .engine = Engine::Pack,
                          .unit = Unit::PerTile,
                          .inputs = {"Bfp8_b", "Float32"},
                          .outputs = {"Float16_b"},
                          .wide = {false, true},
                          .options = {{"a", "b"}, {"c", "d"}},
                          .least = measured - 1,
                          .median = measured,
                          .most = measured + 3,
                          .measured = 4},
                  .cycles = cycles};
  if (!cycles) row.why = "no kernel, nor\nanything else";
  return row;
}

ComparedRow of_forms() {
  ComparedRow row = compared("three", 54, 55);
  row.forms = FormCycles{.taken_in = 50.5, .left = 59.5};
  return row;
}

TEST(SiliconRecord, IsReadBack) {
  const Comparison written =
      comparison_of({compared("one", 40, 41.25), compared("two", 50, std::nullopt), of_forms()});
  const auto read = parse_record(record_text(written));
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->rows.size(), 3U);
  const ComparedRow& one = read->rows[0];
  EXPECT_EQ(one.row.op, "one");
  EXPECT_EQ(one.row.engine, Engine::Pack);
  EXPECT_EQ(one.row.inputs, (std::vector<std::string>{"Bfp8_b", "Float32"}));
  EXPECT_EQ(one.row.wide, (std::vector<bool>{false, true}));
  EXPECT_EQ(one.row.options, (Options{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(one.row.least, 39);
  EXPECT_EQ(one.row.median, 40);
  EXPECT_EQ(one.row.most, 43);
  EXPECT_EQ(one.row.measured, 4U);
  EXPECT_EQ(one.row.line, 2U);
  EXPECT_EQ(one.cycles, 41.25);
  EXPECT_FALSE(one.forms);
  EXPECT_EQ(read->rows[2].cycles, 55);
  EXPECT_EQ(read->rows[2].forms, (FormCycles{.taken_in = 50.5, .left = 59.5}));
  EXPECT_FALSE(read->rows[1].cycles);
  EXPECT_EQ(read->rows[1].why, "no kernel; nor anything else");
  EXPECT_EQ(read->rows[1].row.line, 3U);
  EXPECT_EQ(read->groups.size(), written.groups.size());
  EXPECT_EQ(record_text(*read), record_text(written));
}

void expect_refused(const std::string& text, std::uint32_t line, std::uint32_t column) {
  const auto read = parse_record(text);
  ASSERT_FALSE(read) << text;
  EXPECT_EQ(read.error().line, line) << text;
  EXPECT_EQ(read.error().column, column) << text;
  EXPECT_FALSE(read.error().remedy.empty()) << text;
}

TEST(SiliconRecord, WhatIsWrongIsToldWithItsPlace) {
  const std::string row = "a,math,PerTile,F,F,false,,1,2,3,1";
  expect_refused("", 1, 1);
  expect_refused(kRecordHead, 2, 1);
  expect_refused(std::string(kCostColumns) + "\n" + row + "\n", 1, 1);
  expect_refused(kRecordHead + row + "\n", 2, 1);          // a table's row has no model
  expect_refused(kRecordHead + row + ",,,,\n", 2, 35);     // neither cycles nor a reason
  expect_refused(kRecordHead + row + ",4,,,why\n", 2, 35); // both
  expect_refused(kRecordHead + row + ",four,,,\n", 2, 35); // no number
  expect_refused(kRecordHead + row + ",nan,,,\n", 2, 35);
  expect_refused(kRecordHead + row + ",4,\n", 2, 1);     // a record of before there were two forms
  expect_refused(kRecordHead + row + ",4,3,,\n", 2, 37); // one form of two
  expect_refused(kRecordHead + row + ",4,,5,\n", 2, 37);
  expect_refused(kRecordHead + row + ",,3,5,why\n", 2, 36);
  expect_refused(kRecordHead + row + ",4,three,5,\n", 2, 37);
  expect_refused(kRecordHead + row + ",4,3,five,\n", 2, 39);
  expect_refused(kRecordHead + "x\n", 2, 1);
  expect_refused(kRecordHead + "a,maths,PerTile,F,F,false,,1,2,3,1,4,,,\n", 2, 3);
  EXPECT_TRUE(parse_record(kRecordHead + row + ",4,,,\n"));
  EXPECT_TRUE(parse_record(kRecordHead + row + ",4,3,5,\n"));
}

std::vector<std::string> worse_than(const ComparedRow& before, const ComparedRow& now) {
  std::vector<std::string> names;
  for (const WorseRow& each : worse_rows(comparison_of({before}), comparison_of({now})))
    names.push_back(fmt::format("{} {}", each.now.row.op, each.before));
  return names;
}

TEST(SiliconRecord, WorseIsFurtherAwayOnEitherSide) {
  using Names = std::vector<std::string>;
  const auto now = [](double cycles) { return compared("op", 40, cycles); };
  // 40 on silicon and 41 before: a quarter of a cycle more is the most.
  EXPECT_EQ(worse_than(now(41), now(41.25)), Names{});
  EXPECT_EQ(worse_than(now(41), now(41.3)), Names{"op 41"});
  EXPECT_EQ(worse_than(now(41), now(38.7)), Names{"op 41"});
  EXPECT_EQ(worse_than(now(41), now(38.75)), Names{});
  EXPECT_EQ(worse_than(now(45), now(40)), Names{});
  // Of a thousand cycles, half of a percent.
  EXPECT_EQ(worse_than(compared("op", 1000, 1000), compared("op", 1000, 1004.9)), Names{});
  EXPECT_EQ(worse_than(compared("op", 1000, 1000), compared("op", 1000, 1005.1)), Names{"op 1000"});
}

TEST(SiliconRecord, WhatIsNotComparedAnyMoreIsWorse) {
  using Names = std::vector<std::string>;
  const ComparedRow lost = compared("op", 40, std::nullopt), there = compared("op", 40, 60);
  EXPECT_EQ(worse_than(there, lost), Names{"op 60"});
  EXPECT_EQ(worse_than(lost, there), Names{});
  ComparedRow other = compared("op", 40, 90);
  other.row.options = {{"a", "e"}, {"c", "d"}};
  EXPECT_EQ(worse_than(there, other), Names{}) << "another row";
}

TEST(SiliconBands, AreThoseOfTheGroup) {
  ComparedRow row = compared("op", 40, 39); // 39 to 43
  EXPECT_TRUE(has_band(row.row));
  EXPECT_TRUE(row.is_within());
  row.cycles = 43;
  EXPECT_TRUE(row.is_within());
  row.cycles = 43.1;
  EXPECT_FALSE(row.is_within());
  row.cycles = 38.9;
  EXPECT_FALSE(row.is_within());
  row.cycles.reset();
  EXPECT_FALSE(row.is_within());
  const auto band = [](double median, double range) {
    CostRow one = compared("op", median, 1).row;
    one.least = median;
    one.most = median + range;
    return has_band(one);
  };
  EXPECT_FALSE(band(30, 1)) << "a cycle is none";
  EXPECT_TRUE(band(30, 1.5));
  EXPECT_FALSE(band(100, 2)) << "two percent are none";
  EXPECT_TRUE(band(100, 2.5));
  // What groups count.
  ComparedRow within = compared("op", 40, 39), outside = compared("op", 40, 50);
  const Comparison both = comparison_of({within, outside, compared("op", 40, std::nullopt)});
  EXPECT_EQ(both.groups[0].bands, 2U);
  EXPECT_EQ(both.groups[0].within, 1U);
}

} // namespace
} // namespace lanewise::silicon
