#include "study/tune/demand.h"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "study/tune/lane_conditions.h"

namespace lanewise::tune {

namespace {

using isa::Op;

/// A test that holds or does not hold.
struct Literal {
  NodeId test = kNoNode;
  bool holds = true;
  friend auto operator<=>(const Literal&, const Literal&) = default;
};

/// All of them: the lanes that have taken one way through a row's branches. Sorted.
using Way = std::vector<Literal>;

/// The lanes of any of these ways. Without a way it is no lane; an empty way is all lanes.
using Lanes = std::vector<Way>;

/// Of a value; with more it is said to be seen everywhere.
constexpr std::size_t kMostWays = 24;

bool implies(const Way& narrow, const Way& wide) {
  return std::ranges::includes(narrow, wide);
}

void add_way(Lanes& lanes, const Way& way) {
  if (std::ranges::any_of(lanes, [&](const Way& each) { return implies(way, each); })) return;
  std::erase_if(lanes, [&](const Way& each) { return implies(each, way); });
  lanes.push_back(way);
  if (lanes.size() > kMostWays) lanes = {Way{}};
}

class Seen {
 public:
  explicit Seen(RowGraph row) : row_(std::move(row)), lanes_(row_.nodes.size()) {}

  RowGraph run() {
    stored_ = seen_of(static_cast<NodeId>(row_.nodes.size() - 1), {Way{}});
    for (std::size_t i = row_.nodes.size(); i-- > 0;) spread(static_cast<NodeId>(i));
    return rebuilt();
  }

 private:
  const Node& node(NodeId id) const { return row_.nodes[id]; }

  /// A node's operands are what these lanes see of them.
  void spread(NodeId id) {
    Node& each = row_.nodes[id];
    Lanes lanes = lanes_[id], kept;
    if (lanes.empty()) return;
    for (std::size_t k = each.operands.size() - each.conditions; k < each.operands.size(); ++k) {
      const NodeId condition = each.operands[k];
      see(condition, lanes);
      for (const Way& way : narrowed(lanes, condition, false)) add_way(kept, way);
      lanes = narrowed(lanes, condition, true);
    }
    for (std::size_t k = 0; k < own_operands(each); ++k)
      each.operands[k] = seen_of(each.operands[k], lanes);
    if (each.conditions == 0) return;
    NodeId& keeps = each.operands[own_operands(each)];
    keeps = seen_of(keeps, kept);
  }

  void see(NodeId id, const Lanes& lanes) {
    for (const Way& way : lanes) add_way(lanes_[id], way);
  }

  /// What these lanes see of a value, which is marked.
  NodeId seen_of(NodeId id, const Lanes& lanes) {
    while (node(id).conditions != 0) {
      const Node& choice = node(id);
      const std::vector<NodeId> conditions(choice.operands.end() - choice.conditions,
                                           choice.operands.end());
      if (narrowed_by_all(lanes, conditions, false).empty())
        id = choice.operands.front();
      else if (narrowed_by_all(lanes, conditions, true).empty())
        id = kept_operand(choice);
      else
        break;
    }
    see(id, lanes);
    return id;
  }

  /// The lanes of `lanes` in which a condition holds, or does not hold.
  Lanes narrowed(const Lanes& lanes, NodeId condition, bool holds) {
    const Node& test = node(condition);
    if (test.op == Op::SFPCOMPC) return narrowed_by_all(lanes, test.operands, !holds);
    const Literal literal = literal_of(condition, holds);
    Lanes result;
    for (Way way : lanes) {
      if (std::ranges::binary_search(way, Literal{literal.test, !literal.holds})) continue;
      if (!std::ranges::binary_search(way, literal))
        way.insert(std::ranges::upper_bound(way, literal), literal);
      add_way(result, way);
    }
    return result;
  }

  /// Those in which all conditions hold, or not all of them.
  Lanes narrowed_by_all(Lanes lanes, const std::vector<NodeId>& conditions, bool hold) {
    Lanes others;
    for (const NodeId each : conditions) {
      for (const Way& way : narrowed(lanes, each, false)) add_way(others, way);
      lanes = narrowed(lanes, each, true);
    }
    return hold ? lanes : others;
  }

  /// A test and its opposite are one literal.
  Literal literal_of(NodeId condition, bool holds) {
    const auto [place, is_new] = tests_.try_emplace(condition, Literal{condition, true});
    if (is_new) {
      const Node& test = node(condition);
      const std::optional<Node> other = opposite(test);
      for (NodeId id = 0; id < condition; ++id) {
        if (node(id) == test || (other && node(id) == *other)) {
          place->second = {id, node(id) == test};
          break;
        }
      }
    }
    return {place->second.test, place->second.holds == holds};
  }

  RowGraph rebuilt() const {
    RowGraph result{.arch = row_.arch, .nodes = {}, .store_mode = row_.store_mode};
    std::vector<NodeId> numbers(row_.nodes.size(), kNoNode);
    for (NodeId id = 0; id < row_.nodes.size(); ++id) {
      if (lanes_[id].empty()) continue;
      Node each = node(id);
      for (NodeId& operand : each.operands) operand = numbers[operand];
      numbers[id] = find_or_add(result, each);
    }
    result.nodes.resize(std::size_t{numbers[stored_]} + 1);
    return result;
  }

  RowGraph row_;
  NodeId stored_ = kNoNode;
  std::vector<Lanes> lanes_; ///< in which each node is seen
  std::map<NodeId, Literal> tests_;
};

class OrderOfNeed {
 public:
  explicit OrderOfNeed(const RowGraph& row) : row_(row), numbers_(row.nodes.size(), kNoNode) {
    result_ = {.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  }

  RowGraph run() {
    number(static_cast<NodeId>(row_.nodes.size() - 1));
    return std::move(result_);
  }

 private:
  NodeId number(NodeId id) {
    if (numbers_[id] != kNoNode) return numbers_[id];
    Node node = row_.nodes[id];
    for (NodeId& operand : node.operands) operand = number(operand);
    result_.nodes.push_back(std::move(node));
    return numbers_[id] = static_cast<NodeId>(result_.nodes.size() - 1);
  }

  const RowGraph& row_;
  std::vector<NodeId> numbers_;
  RowGraph result_;
};

} // namespace

RowGraph without_unseen_choices(const RowGraph& row) {
  const bool has_choices =
      std::ranges::any_of(row.nodes, [](const Node& node) { return node.conditions != 0; });
  if (!has_choices) return row;
  RowGraph result = Seen(row).run();
  return result == row ? result : without_unseen_choices(result);
}

RowGraph in_order_of_need(const RowGraph& row) {
  return OrderOfNeed(row).run();
}

} // namespace lanewise::tune
