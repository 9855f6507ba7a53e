// The instruction table as JSON.
#include "report/isa/json.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chip/isa/row.h"

namespace lanewise {
namespace {

using nlohmann::json;

std::vector<json> rows_of(const std::string& mnemonic) {
  const json table = report::isa_json();
  std::vector<json> rows;
  for (const json& row : table["rows"]) {
    if (row["mnemonic"] == mnemonic) rows.push_back(row);
  }
  return rows;
}

json field_of(const json& row, const std::string& name) {
  for (const json& field : row["fields"]) {
    if (field["name"] == name) return field;
  }
  return {};
}

TEST(IsaJson, HasTheWholeTable) {
  const json table = report::isa_json();
  EXPECT_EQ(table["format"], "lanewise-isa");
  EXPECT_EQ(table["version"], 1);
  EXPECT_EQ(table["chips"][0]["name"], "bh");
  EXPECT_EQ(table["chips"][1]["name"], "wh");
  EXPECT_EQ(table["rows"].size(), isa::rows().size());
}

// VU 2, row 8E.
TEST(IsaJson, RowsOfSfpstochrnd) {
  const std::vector<json> rows = rows_of("SFPSTOCHRND");
  ASSERT_EQ(rows.size(), 2U);
  for (const json& row : rows) {
    EXPECT_EQ(row["opcode"], 0x8E);
    EXPECT_EQ(row["aliases"], json::array({"SFP_STOCH_RND"}));
    EXPECT_EQ(row["unit"], "Vector");
    EXPECT_EQ(row["sub_unit"], "Round");
    EXPECT_EQ(row["latency"], 1);
    EXPECT_FALSE(row["summary"].get<std::string>().empty());
  }
  EXPECT_EQ(rows[0]["chips"], json::array({"bh"}));
  EXPECT_EQ(field_of(rows[0], "RoundingMode")["high"], 22);
  EXPECT_EQ(rows[1]["chips"], json::array({"wh"}));
  EXPECT_EQ(field_of(rows[1], "Stochastic")["high"], 21);
}

TEST(IsaJson, OperandsCountAsTheKernelMacroCountsThem) {
  const json mvmul = rows_of("MVMUL")[0];
  EXPECT_EQ(field_of(mvmul, "FlipSrcB")["operand"], 0);
  EXPECT_EQ(field_of(mvmul, "FlipSrcA")["operand"], 0);
  EXPECT_EQ(field_of(mvmul, "BroadcastSrcBRow")["operand"], 1);
  EXPECT_EQ(field_of(mvmul, "AddrMod")["operand"], 2);
  EXPECT_EQ(field_of(mvmul, "DstRow")["operand"], 3);
  EXPECT_TRUE(field_of(rows_of("SFPLUTFP32")[0], "Mod1Mirror")["operand"].is_null());
}

TEST(IsaJson, ModifiersNameTheirChips) {
  const json mad = rows_of("SFPMAD")[0];
  EXPECT_EQ(mad["modifiers"][0], json({{"field", "Mod1"},
                                       {"name", "NEGATE_VA"},
                                       {"value", 1},
                                       {"mask", 1},
                                       {"chips", {"bh"}}}));
  EXPECT_EQ(mad["modifiers"][2]["chips"], json::array({"bh", "wh"}));
  // The Wormhole row of SFPAND has no USE_VB.
  EXPECT_TRUE(rows_of("SFPAND")[1]["modifiers"].empty());
}

TEST(IsaJson, WhatIsUnknownIsNull) {
  const json replay = rows_of("REPLAY")[0];
  EXPECT_TRUE(replay["latency"].is_null());
  EXPECT_TRUE(replay["sub_unit"].is_null());
}

TEST(IsaJson, SurvivesAsText) {
  const json table = report::isa_json();
  EXPECT_EQ(json::parse(table.dump()), table);
}

} // namespace
} // namespace lanewise
