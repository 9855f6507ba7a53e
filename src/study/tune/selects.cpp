#include "study/tune/selects.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "chip/isa/arch.h"
#include "study/tune/choices.h"
#include "study/tune/lane_conditions.h"
#include "study/tune/modes.h"

namespace lanewise::tune {

namespace {

using isa::Op;

constexpr std::uint32_t kNegativeZero = 0x80000000U;
constexpr unsigned kSignShift = 31;
constexpr std::int32_t kImmediateMask = 0xFFF;

bool is_test(const Node& node, unsigned test) {
  return node.op == Op::SFPSETCC && node.mod == test;
}

/// A row that is put together anew, node by node.
class Rebuilt {
 public:
  explicit Rebuilt(const RowGraph& row) {
    graph_ = {.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  }

  NodeId add(const Node& node) { return find_or_add(graph_, node); }
  NodeId constant(std::uint32_t bits) { return add({.bits = bits}); }
  NodeId operation(Op op, unsigned mode, std::vector<NodeId> operands, std::int32_t immediate = 0) {
    return add({.kind = NodeKind::Operation,
                .op = op,
                .mod = static_cast<std::uint8_t>(mode),
                .immediate = immediate,
                .operands = std::move(operands)});
  }

  const Node& at(NodeId id) const { return graph_.nodes[id]; }
  std::optional<std::uint32_t> bits(NodeId id) const {
    return at(id).kind == NodeKind::Constant ? std::optional(at(id).bits) : std::nullopt;
  }

  /// With this value as the one that is stored.
  RowGraph take(NodeId stored) {
    graph_.nodes.resize(std::size_t{stored} + 1);
    return without_dead(graph_);
  }

 private:
  RowGraph graph_;
};

/// Rebuilds a row; `choose` makes something else of a choice, whose operands are new already.
template <class Choose>
RowGraph rebuilt(const RowGraph& row, Choose choose) {
  Rebuilt result(row);
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    Node node = row.nodes[id];
    for (NodeId& operand : node.operands) operand = numbers[operand];
    const bool is_choice = node.op == Op::SFPMOV && node.conditions != 0;
    const auto other = is_choice ? choose(result, node) : std::nullopt;
    numbers[id] = other ? *other : result.add(node);
  }
  return result.take(numbers.back());
}

std::vector<NodeId> conditions_of(const Node& choice) {
  return {choice.operands.end() - choice.conditions, choice.operands.end()};
}

bool contains(const std::vector<NodeId>& all, NodeId each) {
  return std::ranges::find(all, each) != all.end();
}

/// The conditions without those that are there already; of "not all of these", those that hold
/// leave less to fail.
std::vector<NodeId> fewer(Rebuilt& row, const std::vector<NodeId>& conditions) {
  std::vector<NodeId> result;
  for (const NodeId each : conditions) {
    if (contains(result, each)) continue;
    Node condition = row.at(each);
    if (condition.op == Op::SFPCOMPC) {
      std::erase_if(condition.operands, [&](NodeId operand) { return contains(result, operand); });
      const auto other =
          condition.operands.size() == 1 ? opposite(row.at(condition.operands[0])) : std::nullopt;
      if (other || !condition.operands.empty()) {
        result.push_back(row.add(other ? *other : condition));
        continue;
      }
    }
    result.push_back(each);
  }
  // What is zero has no sign.
  const auto is_implied = [&](NodeId each) {
    return is_test(row.at(each), mod::kGte0) && std::ranges::any_of(result, [&](NodeId zero) {
             return is_test(row.at(zero), mod::kEq0) &&
                    row.at(zero).operands == row.at(each).operands;
           });
  };
  std::erase_if(result, is_implied);
  return result;
}

/// Whether a value's sign is never set.
bool is_never_negative(const Rebuilt& row, NodeId id) {
  const Node& node = row.at(id);
  if (node.kind == NodeKind::Constant) return node.bits >> kSignShift == 0;
  if (node.kind != NodeKind::Operation || node.conditions != 0) return false;
  if (node.op == Op::SFPSETSGN) return node.mod == mod::kImmediate && node.immediate == 0;
  if (node.op == Op::SFPEXEXP) return isa::has_mode<Op::SFPEXEXP, "NODEBIAS">(node.mod);
  return node.op == Op::SFPLZ || node.op == Op::SFPEXMAN;
}

/// constant - value, neither of which is negative: its sign compares both.
struct Limit {
  NodeId value;
  std::uint32_t bits;
};
std::optional<Limit> lower_limit(const Rebuilt& row, NodeId difference) {
  const Node& node = row.at(difference);
  if (node.op != Op::SFPIADD || node.mod != (mod::kNoFlags | mod::kSubtract) ||
      node.operands.size() != 2 || node.conditions != 0)
    return std::nullopt;
  const auto bits = row.bits(node.operands[0]);
  if (!bits || *bits >> kSignShift != 0 || !is_never_negative(row, node.operands[1]))
    return std::nullopt;
  return Limit{node.operands[1], *bits};
}

// ------------------------------------------------------------------ ranges
/// Numbers in the order of SFPGT and SFPLE, as integers: -0 is -1.
struct Range {
  std::int64_t first, last;
};
constexpr Range kAllNumbers{-(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1};

std::int64_t order_number(std::uint32_t bits) {
  const std::int64_t magnitude = bits & ~kNegativeZero;
  return bits >> kSignShift != 0 ? -1 - magnitude : magnitude;
}
std::uint32_t bits_of_order(std::int64_t number) {
  return number >= 0 ? static_cast<std::uint32_t>(number)
                     : static_cast<std::uint32_t>(-1 - number) | kNegativeZero;
}

/// Disjoint, in order.
using Ranges = std::vector<Range>;

Ranges complement(const Ranges& ranges) {
  Ranges result;
  std::int64_t next = kAllNumbers.first;
  for (const Range& each : ranges) {
    if (each.first > next) result.push_back({next, each.first - 1});
    next = each.last + 1;
  }
  if (next <= kAllNumbers.last) result.push_back({next, kAllNumbers.last});
  return result;
}

Ranges intersection(const Ranges& some, const Ranges& others) {
  Ranges result;
  for (const Range& a : some) {
    for (const Range& b : others) {
      const Range both{std::max(a.first, b.first), std::min(a.last, b.last)};
      if (both.first <= both.last) result.push_back(both);
    }
  }
  return result;
}

/// Which numbers fulfil conditions, all of which are on one value or on what it is without its
/// sign.
class TestedRange {
 public:
  explicit TestedRange(const Rebuilt& row) : row_(row) {}

  std::optional<Ranges> all(const std::vector<NodeId>& conditions) {
    Ranges ranges{kAllNumbers};
    for (const NodeId each : conditions) {
      const auto next = of(row_.at(each));
      if (!next) return std::nullopt;
      ranges = intersection(ranges, *next);
    }
    return ranges;
  }
  /// kNoNode if nothing was tested.
  NodeId value() const { return value_; }
  std::size_t tests() const { return tests_; }

 private:
  std::optional<Ranges> of(const Node& condition) {
    if (condition.op == Op::SFPCOMPC) {
      const auto inner = all(condition.operands);
      return inner ? std::optional(complement(*inner)) : std::nullopt;
    }
    ++tests_;
    if (condition.op == Op::SFPGT || condition.op == Op::SFPLE) {
      const auto limit = row_.bits(condition.operands[0]);
      if (!limit) return std::nullopt;
      return tested(condition.operands[1], order_number(*limit), condition.op == Op::SFPGT);
    }
    if (const auto limit = lower_limit(row_, condition.operands[0]);
        limit && (condition.mod == mod::kLt0 || condition.mod == mod::kGte0))
      return tested(limit->value, limit->bits, condition.mod == mod::kLt0);
    if (condition.mod == mod::kLt0 || condition.mod == mod::kGte0)
      return tested(condition.operands[0], -1, condition.mod == mod::kGte0);
    const auto above = tested(condition.operands[0], 0, true);
    const auto below = tested(condition.operands[0], -1, false);
    if (!above || !below) return std::nullopt;
    const Ranges zero = intersection(complement(*above), complement(*below));
    return condition.mod == mod::kEq0 ? zero : complement(zero);
  }

  /// value > limit, or value <= limit.
  std::optional<Ranges> tested(NodeId value, std::int64_t limit, bool greater) {
    const Node& node = row_.at(value);
    const bool is_magnitude =
        node.op == Op::SFPSETSGN && node.conditions == 0 && is_never_negative(row_, value);
    const NodeId base = is_magnitude ? node.operands[0] : value;
    if (row_.bits(base) || (value_ != kNoNode && value_ != base)) return std::nullopt;
    value_ = base;
    Ranges above;
    if (is_magnitude && limit >= 0 && limit < kAllNumbers.last)
      above = {{kAllNumbers.first, -2 - limit}, {limit + 1, kAllNumbers.last}};
    else if (is_magnitude && limit < 0)
      above = {kAllNumbers};
    else if (!is_magnitude && limit < kAllNumbers.last)
      above = {{limit + 1, kAllNumbers.last}};
    return greater ? above : complement(above);
  }

  const Rebuilt& row_;
  NodeId value_ = kNoNode;
  std::size_t tests_ = 0;
};

// ------------------------------------------------------------------ masks
/// Masks of all ones where conditions hold, of SFPGT and SFPLE.
class Masks {
 public:
  explicit Masks(Rebuilt& row) : row_(row) {}

  /// Where all hold.
  std::optional<NodeId> all(const std::vector<NodeId>& conditions) {
    const auto range = in_range(conditions, true);
    return range ? range : joined(conditions, true);
  }
  /// Where not all hold.
  std::optional<NodeId> not_all(const std::vector<NodeId>& conditions) {
    const auto range = in_range(conditions, false);
    return range ? range : joined(conditions, false);
  }

 private:
  /// Several tests of one value, as the comparisons that are left of them: two at most.
  std::optional<NodeId> in_range(const std::vector<NodeId>& conditions, bool hold) {
    TestedRange range(row_);
    auto ranges = range.all(conditions);
    if (!ranges || range.tests() < 2) return std::nullopt;
    if (!hold) ranges = complement(*ranges);
    const auto inside = masked(range.value(), *ranges);
    return inside ? inside : masked_outside(range.value(), complement(*ranges));
  }

  /// Of one range.
  std::optional<NodeId> masked(NodeId value, const Ranges& ranges) {
    if (ranges.size() != 1) return std::nullopt;
    std::optional<NodeId> above, below;
    if (ranges[0].first > kAllNumbers.first)
      above = compared(value, true, row_.constant(bits_of_order(ranges[0].first - 1)));
    if (ranges[0].last < kAllNumbers.last)
      below = compared(value, false, row_.constant(bits_of_order(ranges[0].last)));
    if (above && below) return row_.operation(Op::SFPAND, 0, {*above, *below});
    return above ? above : below;
  }
  /// Of all but one range in the middle.
  std::optional<NodeId> masked_outside(NodeId value, const Ranges& ranges) {
    const bool is_inside = ranges.size() == 1 && ranges[0].first > kAllNumbers.first &&
                           ranges[0].last < kAllNumbers.last;
    if (!is_inside) return std::nullopt;
    const auto below = compared(value, false, row_.constant(bits_of_order(ranges[0].first - 1)));
    const auto above = compared(value, true, row_.constant(bits_of_order(ranges[0].last)));
    return row_.operation(Op::SFPOR, 0, {*below, *above});
  }

  std::optional<NodeId> joined(const std::vector<NodeId>& conditions, bool hold) {
    std::optional<NodeId> mask;
    for (const NodeId each : conditions) {
      const auto next = of(each, hold);
      if (!next) return std::nullopt;
      mask = mask ? row_.operation(hold ? Op::SFPAND : Op::SFPOR, 0, {*mask, *next}) : *next;
    }
    return mask;
  }

  /// Of one condition, where it holds or where it does not.
  std::optional<NodeId> of(NodeId id, bool holds) {
    const Node condition = row_.at(id);
    if (condition.op == Op::SFPCOMPC)
      return holds ? not_all(condition.operands) : all(condition.operands);
    if (condition.op == Op::SFPGT || condition.op == Op::SFPLE) {
      const bool greater = (condition.op == Op::SFPGT) == holds;
      return compared(condition.operands[1], greater, condition.operands[0]);
    }
    const NodeId value = condition.operands[0];
    const bool opposite = condition.mod == mod::kGte0 || condition.mod == mod::kNe0;
    const bool is_true = holds != opposite; // of "is negative" or "is zero"
    if (condition.mod == mod::kLt0 || condition.mod == mod::kGte0) return sign(value, is_true);
    if (!is_never_negative(row_, value)) return std::nullopt;
    return compared(value, !is_true, row_.constant(kZeroBits));
  }

  std::optional<NodeId> sign(NodeId value, bool is_negative) {
    if (row_.bits(value)) return std::nullopt;
    if (const auto limit = lower_limit(row_, value))
      return compared(limit->value, is_negative, row_.constant(limit->bits));
    if (!is_negative) return compared(value, true, row_.constant(kNegativeZero));
    return row_.operation(Op::SFPSHFT, mod::kImmediate | mod::kShiftArithmetic, {value},
                          -static_cast<std::int32_t>(kSignShift) & kImmediateMask);
  }

  /// value > limit, or value <= limit. The result takes the value's register.
  std::optional<NodeId> compared(NodeId value, bool greater, NodeId limit) {
    if (row_.bits(value)) return std::nullopt;
    return row_.operation(greater ? Op::SFPGT : Op::SFPLE, mod::kCompareValue, {limit, value});
  }

  Rebuilt& row_;
};

std::optional<NodeId> selected_by_mask(Rebuilt& row, const Node& choice) {
  const NodeId taken = choice.operands[0], kept = kept_operand(choice);
  const std::vector<NodeId> conditions = conditions_of(choice);
  Masks masks(row);
  if (row.bits(taken) == kZeroBits) {
    const auto mask = masks.not_all(conditions);
    return mask ? std::optional(row.operation(Op::SFPAND, 0, {*mask, kept})) : std::nullopt;
  }
  const auto mask = masks.all(conditions);
  if (!mask) return std::nullopt;
  if (row.bits(kept) == kZeroBits) return row.operation(Op::SFPAND, 0, {*mask, taken});
  const auto a = row.bits(taken), b = row.bits(kept);
  const NodeId both = a && b ? row.constant(*a ^ *b) : row.operation(Op::SFPXOR, 0, {taken, kept});
  return row.operation(Op::SFPXOR, 0, {row.operation(Op::SFPAND, 0, {*mask, both}), kept});
}

// ------------------------------------------------------------------ bits
/// 1 where a test holds, or where it does not; `holds` says which.
struct Bit {
  NodeId value;
  bool holds = true;
};

std::optional<Bit> tested_bit(Rebuilt& row, const Node& test) {
  const auto shifted = [&](NodeId value, std::int32_t by) {
    return row.operation(Op::SFPSHFT, mod::kImmediate, {value}, -by & kImmediateMask);
  };
  if (test.op != Op::SFPSETCC || row.bits(test.operands[0])) return std::nullopt;
  const NodeId value = test.operands[0];
  if (test.mod == mod::kLt0 || test.mod == mod::kGte0)
    return Bit{shifted(value, kSignShift), test.mod == mod::kLt0};
  constexpr std::int32_t kZerosShift = 5; // 32 is the one number of them with this bit
  const Node& node = row.at(value);
  const bool has_no_sign =
      node.kind == NodeKind::Operation && node.op == Op::SFPSETSGN && is_never_negative(row, value);
  const NodeId counted = has_no_sign ? node.operands[0] : value;
  const NodeId zeros = row.operation(Op::SFPLZ, has_no_sign ? mod::kWithoutSign : 0U, {counted});
  return Bit{shifted(zeros, kZerosShift), test.mod == mod::kEq0};
}

bool is_finite(std::uint32_t bits) {
  constexpr std::uint32_t kExponent = 0x7F800000U;
  return (bits & kExponent) != kExponent && (bits & kExponent) != 0;
}

/// The bit as a number n is n * (a - b) + b.
std::optional<NodeId> selected_by_bit(Rebuilt& row, const Node& choice) {
  if (choice.conditions != 1) return std::nullopt;
  const auto bit = tested_bit(row, row.at(choice.operands.back()));
  auto taken = row.bits(choice.operands[0]), kept = row.bits(kept_operand(choice));
  if (!bit || !taken || !kept) return std::nullopt;
  if (!bit->holds) std::swap(taken, kept);
  const NodeId number = row.operation(Op::SFPCAST, 0, {bit->value});
  const auto is_number = [](std::uint32_t bits) { return bits == kZeroBits || is_finite(bits); };
  if (!is_number(*taken) || !is_number(*kept)) return std::nullopt;
  const float a = std::bit_cast<float>(*taken), b = std::bit_cast<float>(*kept);
  const float slope = a - b;
  const auto slope_bits = std::bit_cast<std::uint32_t>(slope);
  if (static_cast<double>(slope) != static_cast<double>(a) - b || !is_number(slope_bits))
    return std::nullopt;
  if (slope == 1 && *kept == kZeroBits) return number;
  return row.operation(Op::SFPMAD, 0, {number, row.constant(slope_bits), row.constant(*kept)});
}

} // namespace

RowGraph with_fewer_conditions(const RowGraph& row) {
  return rebuilt(row, [](Rebuilt& result, const Node& choice) -> std::optional<NodeId> {
    Node other = choice;
    const std::vector<NodeId> conditions = fewer(result, conditions_of(choice));
    other.operands.resize(other.operands.size() - other.conditions);
    other.operands.insert(other.operands.end(), conditions.begin(), conditions.end());
    other.conditions = static_cast<std::uint8_t>(conditions.size());
    return result.add(other);
  });
}

RowGraph without_flags(const RowGraph& row) {
  const bool compares = isa::find_row(row.arch, Op::SFPGT) != nullptr;
  return rebuilt(row, [compares](Rebuilt& result, const Node& choice) {
    const auto by_bit = selected_by_bit(result, choice);
    return by_bit || !compares ? by_bit : selected_by_mask(result, choice);
  });
}

} // namespace lanewise::tune
