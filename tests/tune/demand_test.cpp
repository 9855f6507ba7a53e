// What no lane of a row's result shows is left out, and nothing else.
#include "study/tune/demand.h"

#include <gtest/gtest.h>

#include <random>

#include "study/tune/modes.h"

namespace lanewise::tune {
namespace {

using isa::Op;

/// One lane's value of each node, with operations and tests that are any functions: what is equal
/// for them is equal for all.
class AnyLane {
 public:
  AnyLane(const RowGraph& row, std::uint32_t seed) : row_(row), seed_(seed) {}

  std::uint32_t stored() {
    values_.assign(row_.nodes.size(), 0);
    for (NodeId id = 0; id < row_.nodes.size(); ++id) values_[id] = value(row_.nodes[id]);
    return values_.back();
  }

 private:
  std::uint32_t mixed(std::uint32_t a, std::uint32_t b) const {
    std::seed_seq sequence{seed_, a, b};
    std::array<std::uint32_t, 1> result{};
    sequence.generate(result.begin(), result.end());
    return result[0];
  }

  bool holds(NodeId condition) const {
    const Node& node = row_.nodes[condition];
    if (node.op == Op::SFPCOMPC) return !all_hold(node.operands);
    const bool is_opposite = node.mod == mod::kGte0 || node.mod == mod::kEq0;
    const unsigned test = is_opposite ? node.mod ^ mod::kOtherTest : node.mod;
    return ((mixed(test, values_[node.operands[0]]) & 1) != 0) != is_opposite;
  }
  bool all_hold(const std::vector<NodeId>& conditions) const {
    return std::ranges::all_of(conditions, [&](NodeId each) { return holds(each); });
  }

  std::uint32_t value(const Node& node) const {
    if (node.kind == NodeKind::Load) return mixed(1, static_cast<std::uint32_t>(node.offset));
    if (node.kind == NodeKind::Constant) return node.bits;
    if (node.kind == NodeKind::Condition) return 0;
    const std::vector<NodeId> conditions(node.operands.end() - node.conditions,
                                         node.operands.end());
    if (node.conditions != 0 && !all_hold(conditions)) return values_[kept_operand(node)];
    if (node.op == Op::SFPMOV) return values_[node.operands[0]];
    std::uint32_t result = node.immediate;
    for (std::size_t k = 0; k < own_operands(node); ++k)
      result = mixed(result, values_[node.operands[k]]);
    return result;
  }

  const RowGraph& row_;
  std::uint32_t seed_;
  std::vector<std::uint32_t> values_;
};

/// Loads, operations, tests and choices in any order, as nested and one behind the other as they
/// come.
RowGraph random_row(std::uint32_t seed) {
  std::mt19937 random(seed);
  RowGraph row;
  std::vector<NodeId> values, conditions;
  const auto add = [&](const Node& node) {
    row.nodes.push_back(node);
    return static_cast<NodeId>(row.nodes.size() - 1);
  };
  const auto any = [&](const std::vector<NodeId>& from) { return from[random() % from.size()]; };
  for (int i = 0; i < 3; ++i) values.push_back(add({.kind = NodeKind::Load, .offset = i}));
  for (unsigned i = 0; i < 24; ++i) {
    const std::array tests{mod::kLt0, mod::kGte0, mod::kNe0, mod::kEq0};
    if (i % 4 == 0 || conditions.empty()) {
      conditions.push_back(
          add({.kind = NodeKind::Condition,
               .op = Op::SFPSETCC,
               .mod = static_cast<std::uint8_t>(tests[random() % 4]),
               .operands = {values[random() % std::min<std::size_t>(4, values.size())]}}));
    } else if (i % 8 == 1) {
      conditions.push_back(add({.kind = NodeKind::Condition,
                                .op = Op::SFPCOMPC,
                                .operands = {any(conditions), any(conditions)}}));
    } else if (i % 4 == 2) {
      values.push_back(add({.kind = NodeKind::Operation,
                            .op = Op::SFPXOR,
                            .immediate = static_cast<std::int32_t>(i),
                            .operands = {any(values), any(values)}}));
    } else {
      Node choice{
          .kind = NodeKind::Operation, .op = Op::SFPMOV, .operands = {any(values), any(values)}};
      choice.conditions = static_cast<std::uint8_t>(1 + random() % 3);
      for (unsigned k = 0; k < choice.conditions; ++k) choice.operands.push_back(any(conditions));
      values.push_back(add(choice));
    }
  }
  if (row.nodes.back().kind == NodeKind::Condition)
    add({.kind = NodeKind::Operation, .op = Op::SFPXOR, .operands = {any(values), values.back()}});
  return row;
}

TEST(UnseenChoices, TheStoredValueStaysInEveryLane) {
  std::size_t shorter = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const RowGraph row = random_row(seed);
    const RowGraph seen = without_unseen_choices(row);
    shorter += seen.nodes.size() < row.nodes.size() ? 1 : 0;
    for (std::uint32_t lane = 0; lane < 64; ++lane)
      ASSERT_EQ(AnyLane(row, lane).stored(), AnyLane(seen, lane).stored())
          << seed << "\n"
          << to_text(row) << to_text(seen);
  }
  EXPECT_GT(shorter, 200U);
}

/// x = load 0, y = load 1; a test of x and its opposite.
struct Branches {
  RowGraph row{
      .nodes = {
          {.kind = NodeKind::Load, .offset = 0},
          {.kind = NodeKind::Load, .offset = 1},
          {.kind = NodeKind::Condition, .op = Op::SFPSETCC, .mod = mod::kLt0, .operands = {0}},
          {.kind = NodeKind::Condition, .op = Op::SFPSETCC, .mod = mod::kGte0, .operands = {0}}}};
  NodeId choose(NodeId taken, NodeId kept, std::vector<NodeId> conditions) {
    Node node{.kind = NodeKind::Operation, .op = Op::SFPMOV, .operands = {taken, kept}};
    node.conditions = static_cast<std::uint8_t>(conditions.size());
    node.operands.insert(node.operands.end(), conditions.begin(), conditions.end());
    row.nodes.push_back(node);
    return static_cast<NodeId>(row.nodes.size() - 1);
  }
  NodeId compute(NodeId a, NodeId b) {
    row.nodes.push_back({.kind = NodeKind::Operation, .op = Op::SFPXOR, .operands = {a, b}});
    return static_cast<NodeId>(row.nodes.size() - 1);
  }
};

// v_if (x < 0) { t = x; r = t ^ x } v_else { r = x }: what t held in the other lanes, y, is unseen.
TEST(UnseenChoices, ARegisterOfOneBranchKeepsNothing) {
  Branches of;
  const NodeId t = of.choose(0, 1, {2});
  const NodeId r = of.choose(of.compute(t, 0), 0, {2});
  of.choose(0, r, {3});
  const RowGraph seen = without_unseen_choices(of.row);
  for (const Node& node : seen.nodes)
    EXPECT_FALSE(node.kind == NodeKind::Load && node.offset == 1) << to_text(seen);
}

// v_if (x < 0) r = x; v_else r = y: both are seen.
TEST(UnseenChoices, WhatEitherBranchShowsStays) {
  Branches of;
  of.choose(1, of.choose(0, 1, {2}), {3});
  const RowGraph seen = without_unseen_choices(of.row);
  EXPECT_TRUE(std::ranges::any_of(seen.nodes, [](const Node& node) {
    return node.kind == NodeKind::Load && node.offset == 1;
  })) << to_text(seen);
}

// Rows that compute the same are equal, in whichever order they were written.
TEST(UnseenChoices, EqualRowsHaveOneForm) {
  Branches one, other;
  std::swap(other.row.nodes[0], other.row.nodes[1]);
  for (Node& node : other.row.nodes) {
    for (NodeId& operand : node.operands) operand = 1 - operand; // of the tests
  }
  one.choose(1, 0, {2});
  other.choose(0, 1, {2});
  EXPECT_EQ(in_order_of_need(without_unseen_choices(one.row)),
            in_order_of_need(without_unseen_choices(other.row)));
}

} // namespace
} // namespace lanewise::tune
