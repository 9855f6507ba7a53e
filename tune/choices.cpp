#include "tune/choices.h"

#include <algorithm>
#include <optional>

#include "isa/arch.h"
#include "tune/lane_conditions.h"

namespace lanewise::tune {

namespace {

using isa::Op;

constexpr unsigned kNegate = 1;                          // SFPMOV
constexpr unsigned kTestLt0 = 0, kTestGte0 = 4;          // SFPSETCC
constexpr unsigned kAbsFloat = 1, kSignFromImmediate = 1; // SFPABS, SFPSETSGN

bool is_choice(const Node& node) {
  return node.kind == NodeKind::Operation && node.op == Op::SFPMOV && node.conditions != 0;
}

bool is_operation(const Node& node, Op op) {
  return node.kind == NodeKind::Operation && node.op == op && node.conditions == 0;
}

std::size_t users(const RowGraph& row, NodeId value) {
  std::size_t count = 0;
  for (const Node& node : row.nodes)
    count += static_cast<std::size_t>(std::ranges::count(node.operands, value));
  return count;
}

/// The one condition of a choice, if it has no more.
const Node* only_condition(const RowGraph& row, const Node& choice) {
  return choice.conditions == 1 ? &row.nodes[choice.operands.back()] : nullptr;
}

Node extreme(bool maximum, NodeId a, NodeId b) {
  return {.kind = NodeKind::Operation, .op = Op::SFPSWAP, .maximum = maximum, .operands = {a, b}};
}

bool is_constant_node(const RowGraph& row, NodeId id) {
  return row.nodes[id].kind == NodeKind::Constant;
}

/// SFPSWAP's second operand is the constant one.
Node ordered(const RowGraph& row, Node node) {
  if (is_constant_node(row, node.operands[0])) std::swap(node.operands[0], node.operands[1]);
  return node;
}

/// v_if (a > b) takes a: the larger of both; b: the smaller one.
std::optional<Node> compared(const RowGraph& row, const Node& choice, const Node& condition) {
  const bool greater = condition.op == Op::SFPGT;
  if (!greater && condition.op != Op::SFPLE) return std::nullopt;
  const NodeId larger = condition.operands[1], smaller = condition.operands[0]; // VD > VC
  const NodeId taken = choice.operands[0], kept = kept_operand(choice);
  if (is_constant_node(row, larger) && is_constant_node(row, smaller)) return std::nullopt;
  if (taken == larger && kept == smaller) return ordered(row, extreme(greater, taken, kept));
  if (taken == smaller && kept == larger) return ordered(row, extreme(!greater, taken, kept));
  return std::nullopt;
}

/// v_if (x < 0) takes 0 or -x, for x.
std::optional<Node> by_sign(const RowGraph& row, const Node& choice, const Node& condition) {
  const NodeId value = condition.operands[0];
  if (condition.op != Op::SFPSETCC || kept_operand(choice) != value) return std::nullopt;
  if (condition.mod != kTestLt0 && condition.mod != kTestGte0) return std::nullopt;
  const bool negative = condition.mod == kTestLt0;
  const Node& taken = row.nodes[choice.operands[0]];
  if (taken.kind == NodeKind::Constant && taken.bits == kZeroBits)
    return extreme(negative, value, choice.operands[0]);
  const bool negates = is_operation(taken, Op::SFPMOV) && taken.mod == kNegate;
  const bool clears = (is_operation(taken, Op::SFPABS) && taken.mod == kAbsFloat) ||
                      (is_operation(taken, Op::SFPSETSGN) && taken.mod == kSignFromImmediate &&
                       taken.immediate == 0);
  if (!negative || !(negates || clears) || taken.operands[0] != value) return std::nullopt;
  return Node{.kind = NodeKind::Operation,
              .op = Op::SFPSETSGN,
              .mod = kSignFromImmediate,
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
  if (node.kind != NodeKind::Operation || node.conditions != 0 || users(row, value) != 1 ||
      !has_own_destination(row, node))
    return std::nullopt;
  node.conditions = choice.conditions;
  node.operands.insert(node.operands.end(), choice.operands.begin() + 1, choice.operands.end());
  return node;
}

} // namespace

bool has_own_destination(const RowGraph& row, const Node& node) {
  if (node.op == Op::SFPMAD) return true;
  if (node.op == Op::SFPSWAP || own_operands(node) != 1) return false;
  return node.op != Op::SFPSHFT || arch_params(row.arch).shift_has_modes;
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

RowGraph with_kept_copies(const RowGraph& row) {
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) operand = numbers[operand];
    if (node.conditions != 0 && is_constant_node(result, kept_operand(node))) {
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
