#include "study/tune/lane_conditions.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "study/tune/modes.h"

namespace lanewise::tune {

namespace {

using isa::Op;

bool contains(const std::vector<NodeId>& conditions, NodeId condition) {
  return std::ranges::find(conditions, condition) != conditions.end();
}

/// Whether a choice's conditions are all among those that hold.
bool is_decided(const Node& choice, const std::vector<NodeId>& holding) {
  return std::all_of(choice.operands.end() - choice.conditions, choice.operands.end(),
                     [&](NodeId condition) { return contains(holding, condition); });
}

/// Whether one of a choice's conditions is the opposite of one that holds.
bool is_excluded(const std::vector<Node>& nodes, const Node& choice,
                 const std::vector<NodeId>& holding) {
  return std::any_of(
      choice.operands.end() - choice.conditions, choice.operands.end(), [&](NodeId condition) {
        const auto other = opposite(nodes[condition]);
        return other &&
               std::ranges::any_of(holding, [&](NodeId each) { return nodes[each] == *other; });
      });
}

} // namespace

bool LaneConditions::pop() {
  if (saved_.empty()) return false;
  all_.resize(saved_.back());
  saved_.pop_back();
  return true;
}

bool LaneConditions::clear() {
  all_.clear();
  return saved_.empty();
}

bool LaneConditions::complement(const std::vector<Node>& nodes, const MakeNode& make) {
  const std::vector<NodeId> since(all_.begin() + static_cast<std::ptrdiff_t>(saved()), all_.end());
  if (since.empty()) return false;
  all_.resize(saved());
  const Node& first = nodes[since.front()];
  if (since.size() == 1 && first.op == Op::SFPCOMPC) {
    all_.insert(all_.end(), first.operands.begin(), first.operands.end());
    return true;
  }
  const auto single = since.size() == 1 ? opposite(first) : std::nullopt;
  all_.push_back(make(
      single ? *single : Node{.kind = NodeKind::Condition, .op = Op::SFPCOMPC, .operands = since}));
  return true;
}

std::optional<Node> opposite(const Node& condition) {
  Node other = condition;
  if (condition.op == Op::SFPSETCC) {
    other.mod ^= mod::kOtherTest;
    return other;
  }
  if (condition.op != Op::SFPGT && condition.op != Op::SFPLE) return std::nullopt;
  other.op = condition.op == Op::SFPGT ? Op::SFPLE : Op::SFPGT;
  return other;
}

NodeId value_under(const std::vector<Node>& nodes, NodeId value,
                   const std::vector<NodeId>& conditions) {
  while (value < nodes.size() && nodes[value].conditions != 0) {
    const Node& choice = nodes[value];
    if (is_decided(choice, conditions) && choice.op != Op::SFPMOV) break; // its own result
    if (is_decided(choice, conditions))
      value = choice.operands.front();
    else if (is_excluded(nodes, choice, conditions))
      value = kept_operand(choice);
    else
      break;
  }
  return value;
}

} // namespace lanewise::tune
