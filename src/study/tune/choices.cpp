#include "study/tune/choices.h"

#include <algorithm>
#include <array>
#include <optional>

#include "chip/isa/arch.h"
#include "study/tune/lane_conditions.h"
#include "study/tune/modes.h"
#include "study/tune/row_rewrite.h"

namespace lanewise::tune {

namespace {

using isa::Op;

bool is_choice(const Node& node) {
  return node.kind == NodeKind::Operation && node.op == Op::SFPMOV && node.conditions != 0;
}

bool is_operation(const Node& node, Op op) {
  return node.kind == NodeKind::Operation && node.op == op && node.conditions == 0;
}

/// The one condition of a choice, if it has no more.
const Node* only_condition(const RowGraph& row, const Node& choice) {
  return choice.conditions == 1 ? &row.nodes[choice.operands.back()] : nullptr;
}

Node extreme(bool maximum, NodeId a, NodeId b) {
  return {.kind = NodeKind::Operation, .op = Op::SFPSWAP, .maximum = maximum, .operands = {a, b}};
}

/// SFPSWAP's second operand is the constant one.
Node ordered(const RowGraph& row, Node node) {
  if (is_constant(row, node.operands[0])) std::swap(node.operands[0], node.operands[1]);
  return node;
}

/// v_if (a > b) takes a: the larger of both; b: the smaller one.
std::optional<Node> compared(const RowGraph& row, const Node& choice, const Node& condition) {
  const bool greater = condition.op == Op::SFPGT;
  if (!greater && condition.op != Op::SFPLE) return std::nullopt;
  const NodeId larger = condition.operands[1], smaller = condition.operands[0]; // VD > VC
  const NodeId taken = choice.operands[0], kept = kept_operand(choice);
  if (is_constant(row, larger) && is_constant(row, smaller)) return std::nullopt;
  if (taken == larger && kept == smaller) return ordered(row, extreme(greater, taken, kept));
  if (taken == smaller && kept == larger) return ordered(row, extreme(!greater, taken, kept));
  return std::nullopt;
}

/// v_if (x < 0) takes 0, -x or |x|, for x.
std::optional<Node> by_sign(const RowGraph& row, const Node& choice, const Node& condition) {
  const NodeId value = condition.operands[0];
  if (condition.op != Op::SFPSETCC || kept_operand(choice) != value) return std::nullopt;
  if (condition.mod != mod::kLt0 && condition.mod != mod::kGte0) return std::nullopt;
  const bool negative = condition.mod == mod::kLt0;
  const Node& taken = row.nodes[choice.operands[0]];
  if (taken.kind == NodeKind::Constant && taken.bits == kZeroBits)
    return extreme(negative, value, choice.operands[0]);
  if (!negative || taken.operands.empty() || taken.operands[0] != value) return std::nullopt;
  // Negative NaNs keep their sign (VU C29).
  if (is_operation(taken, Op::SFPABS) && taken.mod == mod::kAbsFloat) return taken;
  const bool negates = is_operation(taken, Op::SFPMOV) && taken.mod == mod::kMoveNegate;
  const bool clears =
      is_operation(taken, Op::SFPSETSGN) && taken.mod == mod::kImmediate && taken.immediate == 0;
  if (!negates && !clears) return std::nullopt;
  return Node{.kind = NodeKind::Operation,
              .op = Op::SFPSETSGN,
              .mod = mod::kImmediate,
              .operands = {value}};
}

/// Marks what a value depends on.
void mark(const RowGraph& row, NodeId id, std::vector<bool>& alive) {
  if (alive[id]) return;
  alive[id] = true;
  for (const NodeId operand : row.nodes[id].operands) mark(row, operand, alive);
}

/// A choice whose value is computed for it alone: the operation with the choice's conditions.
std::optional<Node> joined(const RowGraph& row, const Node& choice) {
  const NodeId value = choice.operands[0];
  Node node = row.nodes[value];
  if (node.kind != NodeKind::Operation || node.conditions != 0 || uses_of(row, value) != 1 ||
      !has_own_destination(row, node))
    return std::nullopt;
  const std::vector<NodeId> holding(choice.operands.end() - choice.conditions,
                                    choice.operands.end());
  // What is kept has in these lanes what an earlier choice has left alone.
  for (NodeId& operand : node.operands) {
    if (value_under(row.nodes, kept_operand(choice), holding) == operand)
      operand = kept_operand(choice);
  }
  node.conditions = choice.conditions;
  node.operands.insert(node.operands.end(), choice.operands.begin() + 1, choice.operands.end());
  return node;
}

/// A test in the lanes where `holding` holds, on `kept` instead of values that it is equal to.
Node tested_on(const RowGraph& row, Node test, NodeId kept, const std::vector<NodeId>& holding) {
  if (test.op == Op::SFPCOMPC) return test;
  for (NodeId& operand : test.operands) {
    if (value_under(row.nodes, kept, holding) == operand) operand = kept;
  }
  return test;
}

/// SFPGT and SFPLE order signs and magnitudes as integers (VU C32).
std::int64_t order_of(std::uint32_t bits) {
  const std::int64_t magnitude = bits & 0x7FFFFFFFU;
  return bits >> 31 != 0 ? -magnitude - 1 : magnitude;
}

/// Whether a comparison fails for a constant in the place of `value`.
bool fails_for(const RowGraph& row, const Node& test, NodeId value, std::uint32_t bits) {
  if (test.op != Op::SFPGT && test.op != Op::SFPLE) return false;
  std::array<std::int64_t, 2> order{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Node& operand = row.nodes[test.operands[k]];
    if (test.operands[k] != value && operand.kind != NodeKind::Constant) return false;
    order[k] = order_of(test.operands[k] == value ? bits : operand.bits);
  }
  const bool greater = order[1] > order[0]; // VD > VC
  return test.op == Op::SFPGT ? !greater : greater;
}

/// Of two conditions the first is that of the other branch, and the second fails for the constant
/// that this branch has taken: then the second one is enough.
void leave_out_other_branch(RowGraph& row, Node& choice) {
  if (choice.conditions != 2) return;
  const NodeId kept = kept_operand(choice), first = *(choice.operands.end() - 2);
  const Node& before = row.nodes[kept];
  if (!is_choice(before) || before.conditions != 1 || !is_constant(row, before.operands[0])) return;
  const auto other = opposite(row.nodes[before.operands.back()]);
  if (!other || !(*other == row.nodes[first])) return;
  const std::uint32_t bits = row.nodes[before.operands[0]].bits;
  if (!fails_for(row, row.nodes[choice.operands.back()], kept, bits)) return;
  choice.operands.erase(choice.operands.end() - 2);
  choice.conditions = 1;
}

} // namespace

bool has_own_destination(const RowGraph& row, const Node& node) {
  if (is_multiply(node) || node.op == Op::SFPSHFT2) return true;
  if (node.op == Op::SFPSWAP || own_operands(node) != 1) return false;
  return node.op != Op::SFPSHFT || arch_params(row.arch).vector.shift_has_modes;
}

RowGraph without_dead(const RowGraph& row) {
  std::vector<bool> alive(row.nodes.size(), false);
  mark(row, static_cast<NodeId>(row.nodes.size() - 1), alive);
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    if (!alive[id]) continue;
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) operand = numbers[operand];
    numbers[id] = static_cast<NodeId>(result.nodes.size());
    result.nodes.push_back(std::move(node));
  }
  return result;
}

RowGraph without_choices(const RowGraph& row) {
  RowGraph result = row;
  for (Node& node : result.nodes) {
    const Node* condition = is_choice(node) ? only_condition(result, node) : nullptr;
    if (condition == nullptr) continue;
    auto other = compared(result, node, *condition);
    if (!other) other = by_sign(result, node, *condition);
    if (other) node = *other;
  }
  return without_dead(result);
}

RowGraph joined_choices(const RowGraph& row) {
  RowGraph result = row;
  for (Node& node : result.nodes) {
    if (!is_choice(node)) continue;
    if (auto other = joined(result, node)) node = *other;
  }
  return without_dead(result);
}

RowGraph with_kept_tests(const RowGraph& row) {
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) operand = numbers[operand];
    std::vector<NodeId> holding;
    for (std::size_t k = node.operands.size() - node.conditions; k < node.operands.size(); ++k) {
      const NodeId test = node.operands[k];
      node.operands[k] =
          find_or_add(result, tested_on(result, result.nodes[test], kept_operand(node), holding));
      holding.push_back(test);
    }
    leave_out_other_branch(result, node);
    result.nodes.push_back(std::move(node));
    numbers[id] = static_cast<NodeId>(result.nodes.size() - 1);
  }
  return without_dead(result);
}

RowGraph with_kept_copies(const RowGraph& row) {
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) operand = numbers[operand];
    if (node.conditions != 0 && is_constant(result, kept_operand(node))) {
      result.nodes.push_back(
          {.kind = NodeKind::Operation, .op = Op::SFPMOV, .operands = {kept_operand(node)}});
      node.operands[own_operands(node)] = static_cast<NodeId>(result.nodes.size() - 1);
    }
    result.nodes.push_back(std::move(node));
    numbers[id] = static_cast<NodeId>(result.nodes.size() - 1);
  }
  return result;
}

} // namespace lanewise::tune
