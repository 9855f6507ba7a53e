// Where the constants of a row are, and rows that are longer than what can be recorded.
#include "study/tune/constants.h"

#include <gtest/gtest.h>

#include <set>

#include "chip/isa/fields.h"
#include "study/tune/printed.h"
#include "study/tune/tune.h"
#include "study/tune/words.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

class RowsOfConstants : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, RowsOfConstants, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

/// Coefficient k of the polynomials below: none is another one's, and none fits into an immediate.
std::uint32_t coefficient(unsigned k) {
  return 0x3F001235U + (k << 12);
}

/// x * p + c for each coefficient, as kernels with many of them do it: the row loads them.
std::string polynomial(unsigned degree) {
  const auto load = [](unsigned lreg, std::uint32_t bits) {
    return fmt::format("SFPLOADI L{0}, USHORT, {1}\nSFPLOADI L{0}, UPPER, {2}\n", lreg,
                       bits & 0xFFFF, bits >> 16);
  };
  std::string body = load(1, coefficient(0));
  for (unsigned k = 1; k <= degree; ++k)
    body += load(2, coefficient(k)) + "SFPMAD L0, L1, L2, L1, 0\nSFPNOP\n";
  return body + "SFPMOV L1, L0, 2";
}

/// The same as a graph.
RowGraph polynomial_graph(Arch arch, unsigned degree) {
  RowGraph row{.arch = arch, .nodes = {{.kind = NodeKind::Load}}};
  const auto add = [&](const Node& node) {
    row.nodes.push_back(node);
    return static_cast<NodeId>(row.nodes.size() - 1);
  };
  NodeId value = add({.bits = coefficient(0)});
  for (unsigned k = 1; k <= degree; ++k) {
    const NodeId next = add({.bits = coefficient(k)});
    value = add({.kind = NodeKind::Operation, .op = isa::Op::SFPMAD, .operands = {0, value, next}});
  }
  return row;
}

/// Bits that a row's SFPLOADIs make, one half after the other.
std::set<std::uint32_t> loaded_constants(const RowGraph& row) {
  constexpr unsigned kUpper = isa::kMode<isa::Op::SFPLOADI, "UPPER">;
  constexpr unsigned kFloatB = isa::kMode<isa::Op::SFPLOADI, "FLOATB">;
  std::set<std::uint32_t> all;
  for (const Node& node : row.nodes) {
    if (node.op != isa::Op::SFPLOADI) continue;
    const auto bits = static_cast<std::uint32_t>(node.immediate);
    if (node.mod == kUpper) {
      const Node& lower = row.nodes[node.operands.at(0)];
      all.erase(static_cast<std::uint32_t>(lower.immediate));
      all.insert(bits << 16 | static_cast<std::uint32_t>(lower.immediate));
    } else {
      all.insert(node.mod == kFloatB ? bits << 16 : bits);
    }
  }
  return all;
}

// Each way to keep constants keeps all of them, and each once.
TEST_P(RowsOfConstants, EveryPlanKeepsEveryConstant) {
  constexpr unsigned kDegree = 9;
  std::set<std::uint32_t> wanted;
  for (unsigned k = 0; k <= kDegree; ++k) wanted.insert(coefficient(k));
  std::set<std::size_t> loaded_counts;
  for (const ConstantPlan& plan : constant_plans(polynomial_graph(GetParam(), kDegree))) {
    std::set<std::uint32_t> kept = loaded_constants(plan.row);
    EXPECT_EQ(kept.size(), plan.loaded);
    kept.insert(plan.in_registers.begin(), plan.in_registers.end());
    EXPECT_EQ(kept, wanted);
    EXPECT_EQ(plan.loaded + plan.in_registers.size() + plan.immediates.size(), wanted.size());
    loaded_counts.insert(plan.loaded);
  }
  EXPECT_EQ(loaded_counts.size(), 8U); // none up to all but those of LReg[12..14]
}

// What takes one instruction is loaded before what takes two, and before what is used twice.
TEST_P(RowsOfConstants, TheCheapestAreLoadedFirst) {
  RowGraph row = polynomial_graph(GetParam(), 4);
  row.nodes[4].bits = 0x41200000U; // 10.0: one SFPLOADI
  const auto plans = constant_plans(row);
  const auto one = std::ranges::find(plans, std::size_t{1}, &ConstantPlan::loaded);
  ASSERT_NE(one, plans.end());
  EXPECT_EQ(loaded_constants(one->row), std::set<std::uint32_t>{0x41200000U});
}

// Twelve constants: three in LReg[12..14], the others in LReg[0..7] would leave nothing to values.
TEST_P(RowsOfConstants, WhatHasNoRegisterIsLoadedByTheRow) {
  const Plain plain = plain_rows(GetParam(), polynomial(11));
  const auto result = tune(plain, {.macros = false, .steps_per_interval = 4'000});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_TRUE(result->proof.holds);
  EXPECT_EQ(result->proof.inputs, 65536U);
}

// ------------------------------------------------------------------ bodies that are pushed
// 40 operations do not fit into the replay buffer.
TEST_P(RowsOfConstants, LongRowsArePushedByTheCore) {
  const Plain plain = plain_rows(GetParam(), polynomial(20));
  const auto result =
      tune(plain, {.macros = false, .steps_per_interval = 2'000, .form = Form::Tti});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_GT(result->interval, kReplaySlots);
  EXPECT_FALSE(result->tuned->is_recorded);
  EXPECT_EQ(result->text.find("REPLAY"), std::string::npos);
  EXPECT_TRUE(result->proof.holds); // of the function with the loop
  EXPECT_NE(result->text.find("for (int i = 0; i < 1"), std::string::npos) << result->text;
}

// The loop in C++ is the words that assembly has in full.
TEST_P(RowsOfConstants, TheLoopHasTheWordsOfAllRows) {
  const Plain plain = plain_rows(GetParam(), polynomial(20));
  const auto result = tune(plain, {.macros = false, .steps_per_interval = 2'000});
  ASSERT_TRUE(result && result->tuned);
  const auto read = read_printed(plain.arch, Form::Tti, to_tti(*result->tuned, "tuned"), "tuned");
  ASSERT_TRUE(read) << to_string(read.error());
  ASSERT_EQ(read->program.words.size(), result->tuned->words.size());
  for (std::size_t i = 0; i < read->program.words.size(); ++i)
    EXPECT_EQ(read->program.words[i].word, result->tuned->words[i].word) << i;
}

} // namespace
} // namespace lanewise::tune
