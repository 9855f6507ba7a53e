// Choices without flags: the same bits for every value, by an evaluation of graphs of its own.
#include "study/tune/selects.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "study/tune/modes.h"
#include "study/tune/tune.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

using isa::Op;

/// SFPGT and SFPLE order signs and magnitudes (VU C32).
std::int64_t order(std::uint32_t bits) {
  const std::int64_t magnitude = bits & 0x7FFFFFFFU;
  return bits >> 31 != 0 ? -1 - magnitude : magnitude;
}

/// What the rows of these tests are made of, for one lane.
class Lane {
 public:
  Lane(const RowGraph& row, std::uint32_t x) : row_(row), x_(x) {}

  std::uint32_t stored() {
    for (const Node& node : row_.nodes) values_.push_back(value(node));
    return values_.back();
  }

 private:
  std::uint32_t operand(const Node& node, std::size_t k) const { return values_[node.operands[k]]; }

  bool holds(NodeId id) const {
    const Node& node = row_.nodes[id];
    if (node.op == Op::SFPCOMPC)
      return !std::ranges::all_of(node.operands, [&](NodeId each) { return holds(each); });
    if (node.op == Op::SFPGT) return order(operand(node, 1)) > order(operand(node, 0));
    if (node.op == Op::SFPLE) return order(operand(node, 1)) <= order(operand(node, 0));
    const std::uint32_t tested = operand(node, 0);
    if (node.mod == mod::kLt0) return tested >> 31 != 0;
    if (node.mod == mod::kGte0) return tested >> 31 == 0;
    return (tested == 0) == (node.mod == mod::kEq0);
  }

  std::uint32_t shifted(std::uint32_t value, unsigned mode, std::int32_t immediate) const {
    const int by = immediate >= 0x800 ? immediate - 0x1000 : immediate;
    if (by >= 0) return value << by;
    if ((mode & mod::kShiftArithmetic) == 0) return value >> -by;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value) >> -by);
  }

  std::uint32_t value(const Node& node) const {
    if (node.kind == NodeKind::Load) return x_;
    if (node.kind == NodeKind::Constant) return node.bits;
    if (node.kind == NodeKind::Condition) return 0;
    for (std::size_t k = node.operands.size() - node.conditions; k < node.operands.size(); ++k) {
      if (!holds(node.operands[k])) return values_[kept_operand(node)];
    }
    switch (node.op) {
      case Op::SFPMOV: return operand(node, 0);
      case Op::SFPAND: return operand(node, 0) & operand(node, 1);
      case Op::SFPOR: return operand(node, 0) | operand(node, 1);
      case Op::SFPXOR: return operand(node, 0) ^ operand(node, 1);
      case Op::SFPSETSGN: return operand(node, 0) & 0x7FFFFFFFU;
      case Op::SFPIADD: return operand(node, 0) - operand(node, 1);
      case Op::SFPSHFT: return shifted(operand(node, 0), node.mod, node.immediate);
      case Op::SFPLZ: {
        const bool whole = (node.mod & mod::kWithoutSign) == 0;
        return static_cast<std::uint32_t>(
            std::countl_zero(whole ? operand(node, 0) : operand(node, 0) & 0x7FFFFFFFU));
      }
      case Op::SFPCAST: return std::bit_cast<std::uint32_t>(static_cast<float>(operand(node, 0)));
      case Op::SFPMAD:
        return std::bit_cast<std::uint32_t>(std::fma(std::bit_cast<float>(operand(node, 0)),
                                                     std::bit_cast<float>(operand(node, 1)),
                                                     std::bit_cast<float>(operand(node, 2))));
      case Op::SFPGT: return order(operand(node, 1)) > order(operand(node, 0)) ? ~0U : 0;
      case Op::SFPLE: return order(operand(node, 1)) <= order(operand(node, 0)) ? ~0U : 0;
      default: ADD_FAILURE() << "an operation that no choice becomes"; return 0;
    }
  }

  const RowGraph& row_;
  std::uint32_t x_;
  std::vector<std::uint32_t> values_;
};

/// Choices of constants and values, one after the other, under one to three tests.
RowGraph random_row(Arch arch, std::uint32_t seed) {
  std::mt19937 random(seed);
  RowGraph row{.arch = arch, .nodes = {{.kind = NodeKind::Load}}};
  const auto add = [&](const Node& node) {
    row.nodes.push_back(node);
    return static_cast<NodeId>(row.nodes.size() - 1);
  };
  const auto any = [&](const std::vector<NodeId>& from) { return from[random() % from.size()]; };
  std::vector<NodeId> constants;
  for (const std::uint32_t bits :
       {0U, 0x3F800000U, 0xBF800000U, 0x40A00000U, 0x7F800000U, 0x80000000U})
    constants.push_back(add({.bits = bits}));
  const NodeId magnitude = add(
      {.kind = NodeKind::Operation, .op = Op::SFPSETSGN, .mod = mod::kImmediate, .operands = {0}});
  const NodeId difference = add({.kind = NodeKind::Operation,
                                 .op = Op::SFPIADD,
                                 .mod = mod::kNoFlags | mod::kSubtract,
                                 .operands = {constants[4], magnitude}});
  std::vector<NodeId> values{0, magnitude, difference}, tests;
  for (unsigned i = 0; i < 4; ++i) {
    const std::array modes{mod::kLt0, mod::kGte0, mod::kNe0, mod::kEq0};
    tests.push_back(add({.kind = NodeKind::Condition,
                         .op = Op::SFPSETCC,
                         .mod = static_cast<std::uint8_t>(modes[random() % 4]),
                         .operands = {any(values)}}));
  }
  if (arch == Arch::Blackhole)
    tests.push_back(add({.kind = NodeKind::Condition,
                         .op = random() % 2 == 0 ? Op::SFPGT : Op::SFPLE,
                         .mod = mod::kCompareFlags,
                         .operands = {any(constants), any(values)}}));
  tests.push_back(
      add({.kind = NodeKind::Condition, .op = Op::SFPCOMPC, .operands = {tests[0], any(tests)}}));
  for (unsigned i = 0; i < 2; ++i) {
    const auto source = [&] { return random() % 2 == 0 ? any(constants) : any(values); };
    Node choice{.kind = NodeKind::Operation, .op = Op::SFPMOV, .operands = {source(), source()}};
    choice.conditions = static_cast<std::uint8_t>(1 + random() % 3);
    for (unsigned k = 0; k < choice.conditions; ++k) choice.operands.push_back(any(tests));
    values.push_back(add(choice));
  }
  return row;
}

std::vector<std::uint32_t> special_values() {
  std::vector<std::uint32_t> all;
  for (const std::uint32_t magnitude :
       {0U, 1U, 2U, 0x007FFFFFU, 0x00800000U, 0x3F7FFFFFU, 0x3F800000U, 0x3F800001U, 0x40A00000U,
        0x7F7FFFFFU, 0x7F800000U, 0x7F800001U, 0x7FC00000U, 0x7FFFFFFFU}) {
    all.push_back(magnitude);
    all.push_back(magnitude | 0x80000000U);
  }
  return all;
}

class Selects : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, Selects, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

std::size_t choices(const RowGraph& row) {
  return static_cast<std::size_t>(
      std::ranges::count_if(row.nodes, [](const Node& node) { return node.conditions != 0; }));
}

TEST_P(Selects, GiveTheSameBits) {
  std::size_t without = 0;
  for (std::uint32_t seed = 0; seed < 2'000; ++seed) {
    const RowGraph row = random_row(GetParam(), seed);
    const RowGraph clear = with_fewer_conditions(row), other = without_flags(clear);
    without += choices(row) != 0 && choices(other) == 0 ? 1 : 0;
    for (const std::uint32_t x : special_values()) {
      const std::uint32_t stored = Lane(row, x).stored();
      ASSERT_EQ(Lane(clear, x).stored(), stored) << seed << "\n" << to_text(row) << to_text(clear);
      ASSERT_EQ(Lane(other, x).stored(), stored) << seed << "\n" << to_text(row) << to_text(other);
    }
  }
  EXPECT_GT(without, GetParam() == Arch::Blackhole ? 400U : 20U);
}

// v_if (x < 0) 1.0 else 0.0: a load, two operations and a store, of which no macro is left out.
TEST_P(Selects, ASignIsANumberInTwoOperations) {
  const Plain plain =
      plain_rows(GetParam(),
                 "SFPSETCC 0, L0, 0, 0\nSFPLOADI L1, FLOATB, 0x3f80\n"
                 "SFPCOMPC\nSFPLOADI L1, FLOATB, 0\nSFPENCC 3, 0, 10\nSFPMOV L1, L0, 2",
                 "SFPENCC 3, 0, 10");
  const auto result = tune(plain, {.macros = false});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_EQ(result->interval, 4U);
  EXPECT_TRUE(result->proof.holds);
}

// Blackhole: x > 0.5 is one SFPGT, whose mask is what SFPAND takes.
TEST(SelectsOfBlackhole, AComparisonIsAMask) {
  const Plain plain = plain_rows(Arch::Blackhole,
                                 "SFPLOADI L1, FLOATB, 0\nSFPLOADI L2, FLOATB, 0x3f00\n"
                                 "SFPGT L2, L0, 1\nSFPLOADI L1, FLOATB, 0x4000\nSFPENCC 3, 0, 10\n"
                                 "SFPMOV L1, L0, 2",
                                 "SFPENCC 3, 0, 10");
  const auto result = tune(plain, {.macros = false});
  ASSERT_TRUE(result) << to_string(result.error());
  ASSERT_TRUE(result->tuned);
  EXPECT_EQ(result->interval, 4U);
  EXPECT_TRUE(result->proof.holds);
}

// A condition that follows from the others is not tested: zero has no sign, and of "not both" the
// one that holds is no more in question.
TEST(FewerConditions, WhatFollowsIsNotTested) {
  RowGraph row{.nodes = {{.kind = NodeKind::Load}, {.bits = 1}, {.bits = 2}}};
  const auto test = [&](unsigned mode) {
    row.nodes.push_back({.kind = NodeKind::Condition,
                         .op = Op::SFPSETCC,
                         .mod = static_cast<std::uint8_t>(mode),
                         .operands = {0}});
    return static_cast<NodeId>(row.nodes.size() - 1);
  };
  const NodeId positive = test(mod::kGte0), not_zero = test(mod::kNe0);
  row.nodes.push_back(
      {.kind = NodeKind::Condition, .op = Op::SFPCOMPC, .operands = {positive, not_zero}});
  const NodeId not_both = static_cast<NodeId>(row.nodes.size() - 1);
  Node choice{.kind = NodeKind::Operation,
              .op = Op::SFPMOV,
              .operands = {1, 2, positive, positive, not_both}};
  choice.conditions = 3;
  row.nodes.push_back(choice);
  const RowGraph fewer = with_fewer_conditions(row);
  ASSERT_EQ(fewer.nodes.back().conditions, 1U) << to_text(fewer);
  EXPECT_EQ(fewer.nodes[fewer.nodes.back().operands.back()].mod, mod::kEq0);
}

} // namespace
} // namespace lanewise::tune
