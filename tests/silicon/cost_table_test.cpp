// Tables of cycles: what is read from a line, and what is refused, where.
#include "study/silicon/cost_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace lanewise::silicon {
namespace {

const std::string kHead = std::string(kCostColumns) + "\n";

TEST(CostTable, AllColumnsOfALine) {
  const auto rows = parse_cost_table(
      kHead +
      "mul_tiles,math,PerTile,Bfp8_b;Float16_b,Float32,false;true,"
      "math_fidelity=HiFi2;a=b,36.25,36.5,37,4\r\n\nabs_tile_init,pack,PerCall,Int32,Int32,"
      "true,,1,2,3,1\n");
  ASSERT_TRUE(rows) << to_string(rows.error());
  ASSERT_EQ(rows->size(), 2U);
  const CostRow& row = rows->front();
  EXPECT_EQ(row.op, "mul_tiles");
  EXPECT_EQ(row.engine, Engine::Math);
  EXPECT_EQ(row.unit, Unit::PerTile);
  EXPECT_EQ(row.inputs, (std::vector<std::string>{"Bfp8_b", "Float16_b"}));
  EXPECT_EQ(row.outputs, (std::vector<std::string>{"Float32"}));
  EXPECT_EQ(row.wide, (std::vector<bool>{false, true}));
  EXPECT_EQ(row.options, (Options{{"math_fidelity", "HiFi2"}, {"a", "b"}}));
  EXPECT_EQ(row.least, 36.25);
  EXPECT_EQ(row.median, 36.5);
  EXPECT_EQ(row.most, 37);
  EXPECT_EQ(row.measured, 4U);
  EXPECT_EQ(row.line, 2U);
  EXPECT_EQ((*rows)[1].engine, Engine::Pack);
  EXPECT_EQ((*rows)[1].unit, Unit::PerCall);
  EXPECT_EQ((*rows)[1].line, 4U);
  EXPECT_TRUE((*rows)[1].options.empty());
}

/// The second line of a table is wrong in this column.
void expect_refused(const std::string& line, std::uint32_t column) {
  const auto rows = parse_cost_table(kHead + line + "\n");
  ASSERT_FALSE(rows) << line;
  EXPECT_EQ(rows.error().line, 2U) << line;
  EXPECT_EQ(rows.error().column, column) << line;
  EXPECT_FALSE(rows.error().remedy.empty()) << line;
}

TEST(CostTable, WhatIsWrongIsToldWithItsPlace) {
  expect_refused("a,math,PerTile,F,F,false,,1,2,3", 1);
  expect_refused("a b,math,PerTile,F,F,false,,1,2,3,1", 1);
  expect_refused("a,maths,PerTile,F,F,false,,1,2,3,1", 3);
  expect_refused("a,math,PerFace,F,F,false,,1,2,3,1", 8);
  expect_refused("a,math,PerTile,F;,F,false,,1,2,3,1", 18);
  expect_refused("a,math,PerTile,F,,false,,1,2,3,1", 18);
  expect_refused("a,math,PerTile,F,F,no,,1,2,3,1", 20);
  expect_refused("a,math,PerTile,F,F,false,x,1,2,3,1", 26);
  expect_refused("a,math,PerTile,F,F,false,x=1;x=2,1,2,3,1", 30);
  expect_refused("a,math,PerTile,F,F,false,,-1,2,3,1", 27);
  expect_refused("a,math,PerTile,F,F,false,,1,nan,3,1", 29);
  expect_refused("a,math,PerTile,F,F,false,,1,2,1e9,1", 31);
  expect_refused("a,math,PerTile,F,F,false,,1,4,3,1", 29);
  expect_refused("a,math,PerTile,F,F,false,,0,0,0,1", 29);
  expect_refused("a,math,PerTile,F,F,false,,1,2,3,0", 33);
}

TEST(CostTable, NeedsItsHeadAndARow) {
  EXPECT_EQ(parse_cost_table("").error().line, 1U);
  EXPECT_EQ(parse_cost_table("op,engine\n").error().line, 1U);
  EXPECT_FALSE(parse_cost_table(kHead));
  EXPECT_EQ(read_cost_table("/no/such/table.csv").error().kind, FaultKind::BadInput);
}

} // namespace
} // namespace lanewise::silicon
