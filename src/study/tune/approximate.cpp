#include "study/tune/approximate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "study/tune/choices.h"
#include "study/tune/modes.h"
#include "study/tune/row_rewrite.h"

namespace lanewise::tune {

namespace {

using isa::Op;

double number(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

std::string number_text(std::uint32_t bits) {
  return fmt::format("{:.6g}", number(bits));
}

/// `value` in the place of `node`.
RowGraph with_other_value(const RowGraph& row, NodeId node, NodeId value) {
  return with_value(row, node,
                    [&](RowGraph&, const std::vector<NodeId>& numbers) { return numbers[value]; });
}

// ---------------------------------------------------------------- operations that are left out

bool rounds_to_16_bits(const Node& node) {
  return node.op == Op::SFPSTOCHRND && (isa::has_mode<Op::SFPSTOCHRND, "FP32_TO_FP16A">(node.mod) ||
                                        isa::has_mode<Op::SFPSTOCHRND, "FP32_TO_FP16B">(node.mod));
}

void add_without_choice(const RowGraph& row, NodeId id, std::vector<Approximation>& all) {
  const Node& node = row.nodes[id];
  all.push_back({with_other_value(row, id, kept_operand(node)),
                 "what a v_if computes is left out in all lanes"});
  RowGraph taken = row;
  taken.nodes[id].conditions = 0;
  taken.nodes[id].operands.resize(own_operands(node));
  const bool is_copy = node.op == Op::SFPMOV && node.mod == 0;
  all.push_back({is_copy ? with_other_value(row, id, node.operands[0]) : without_dead(taken),
                 "what a v_if computes is taken in all lanes"});
}

// ---------------------------------------------------------------- steps that are left out

/// How far a step may take a value, and for how many of the inputs that have one.
constexpr double kNear = 0.125, kMostInputs = 0.9;
/// Multiply-adds from an estimate to what is made of it.
constexpr unsigned kLongestStep = 3;

/// Ways from `from` down to `to` over at most `length` multiply-adds.
unsigned ways(const RowGraph& row, NodeId from, NodeId to, unsigned length) {
  if (from == to) return 1;
  if (length == 0 || row.nodes[from].operands.empty() || row.nodes[from].op != Op::SFPMAD ||
      row.nodes[from].conditions != 0)
    return 0;
  unsigned count = 0;
  for (const NodeId operand : row.nodes[from].operands) count += ways(row, operand, to, length - 1);
  return count;
}

bool are_near(const LaneBits& values, const LaneBits& estimates) {
  std::size_t counted = 0, near = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = number(values[i]), estimate = number(estimates[i]);
    if (!std::isfinite(value) || value == 0) continue;
    ++counted;
    if (std::fabs(value - estimate) <= kNear * std::fabs(value)) ++near;
  }
  return counted != 0 && static_cast<double>(near) >= kMostInputs * static_cast<double>(counted);
}

// ---------------------------------------------------------------- constants

/// A constant may become another one up to so far away.
constexpr double kNearConstant = 1.0 / 64;
constexpr std::uint32_t kLowerHalf = 0xFFFF;

RowGraph with_constant(const RowGraph& row, NodeId id, std::uint32_t bits) {
  return with_value(row, id, [&](RowGraph& result, const std::vector<NodeId>&) {
    return constant_in(result, bits);
  });
}

/// The upper half that is nearest, ties to even.
std::uint32_t rounded_to_upper_half(std::uint32_t bits) {
  return (bits + 0x7FFF + (bits >> 16 & 1)) & ~kLowerHalf;
}

bool is_float(std::uint32_t bits) {
  const double value = std::fabs(number(bits));
  return std::isnormal(value);
}

/// Whether somebody adds it to a value or multiplies one with it, and does nothing else.
bool may_be_immediate(const RowGraph& row, NodeId id) {
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    if (!is_multiply_add(node)) return false;
    const auto bits = [&](std::size_t k) {
      const Node& operand = row.nodes[node.operands[k]];
      return operand.kind == NodeKind::Constant ? std::optional(operand.bits) : std::nullopt;
    };
    const bool is_sum = bits(0) == kOneBits || bits(1) == kOneBits;
    const bool is_product = bits(2) == kZeroBits;
    return (is_sum && node.operands[2] == id) ||
           (is_product && (node.operands[0] == id || node.operands[1] == id));
  });
}

bool is_used_as_number(const RowGraph& row, NodeId id) {
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    return node.op == Op::SFPMAD && std::ranges::find(node.operands, id) != node.operands.end();
  });
}

// ---------------------------------------------------------------- joined operations

/// x * factor + added with constants.
struct Affine {
  NodeId value;
  double factor, added;
};

std::optional<Affine> affine(const RowGraph& row, NodeId id) {
  const Node& node = row.nodes[id];
  if (!is_multiply_add(node) || !is_constant(row, node.operands[2])) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const NodeId factor = node.operands[k], value = node.operands[1 - k];
    if (is_constant(row, factor) && !is_constant(row, value))
      return Affine{value, number(row.nodes[factor].bits),
                    number(row.nodes[node.operands[2]].bits)};
  }
  return std::nullopt;
}

std::uint32_t rounded(double value) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

void add_joined_affine(const RowGraph& row, NodeId id, std::vector<Approximation>& all) {
  const auto outer = affine(row, id);
  if (!outer) return;
  const auto inner = affine(row, outer->value);
  if (!inner || uses_of(row, outer->value) != 1) return;
  all.push_back(
      {with_value(row, id,
                  [&](RowGraph& result, const std::vector<NodeId>& numbers) {
                    return multiply_add_in(
                        result, numbers[inner->value],
                        constant_in(result, rounded(inner->factor * outer->factor)),
                        constant_in(result, rounded(inner->added * outer->factor + outer->added)));
                  }),
       "two multiply-adds with constants are one"});
}

/// 1 * (a * b + 0) + c.
void add_joined_product(const RowGraph& row, NodeId id, std::vector<Approximation>& all) {
  const Node& sum = row.nodes[id];
  if (!is_multiply_add(sum)) return;
  const auto is_bits = [&](NodeId operand, std::uint32_t bits) {
    return is_constant(row, operand) && row.nodes[operand].bits == bits;
  };
  for (std::size_t k = 0; k < 2; ++k) {
    if (!is_bits(sum.operands[k], kOneBits)) continue;
    // Either term may be the product.
    for (const auto& [product, other] : {std::pair{sum.operands[1 - k], sum.operands[2]},
                                         std::pair{sum.operands[2], sum.operands[1 - k]}}) {
      const Node& node = row.nodes[product];
      if (!is_multiply_add(node) || !is_bits(node.operands[2], kZeroBits) ||
          uses_of(row, product) != 1)
        continue;
      all.push_back(
          {with_value(row, id,
                      [&, added = other](RowGraph& result, const std::vector<NodeId>& numbers) {
                        return multiply_add_in(result, numbers[node.operands[0]],
                                               numbers[node.operands[1]], numbers[added]);
                      }),
           "a product and the sum that takes it are one multiply-add"});
    }
  }
}

// ---------------------------------------------------------------- polynomials

/// What a result that depends on a value must notice.
constexpr double kDisturbance = 1.0 / 32;

LaneBits disturbed(const LaneBits& values, double factor) {
  LaneBits others(values.size());
  std::ranges::transform(values, others.begin(),
                         [&](std::uint32_t bits) { return rounded(number(bits) * factor); });
  return others;
}

std::string range_text(ArgumentRange range) {
  return fmt::format("{:.3g} to {:.3g}", range.low, range.high);
}

} // namespace

std::vector<Approximation> without_operations(const RowGraph& row) {
  std::vector<Approximation> all;
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    const Node& node = row.nodes[id];
    if (node.kind != NodeKind::Operation) continue;
    if (node.conditions != 0) {
      add_without_choice(row, id, all);
    } else if (node.op == Op::SFPSWAP && is_constant(row, node.operands[1])) {
      all.push_back(
          {with_other_value(row, id, node.operands[0]),
           fmt::format("the clamp to {} {} is left out", node.maximum ? "at least" : "at most",
                       number_text(row.nodes[node.operands[1]].bits))});
    } else if (rounds_to_16_bits(node)) {
      all.push_back({with_other_value(row, id, node.operands[0]),
                     "a rounding to 16 bits is left out, what is below is cut off"});
    }
  }
  return all;
}

std::vector<Approximation> without_steps(const RowGraph& row, const RowValues& values) {
  std::vector<Approximation> all;
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    if (row.nodes[id].kind != NodeKind::Operation || row.nodes[id].op != Op::SFPMAD) continue;
    for (NodeId estimate = 0; estimate < id; ++estimate) {
      if (is_constant(row, estimate) || row.nodes[estimate].kind == NodeKind::Condition ||
          ways(row, id, estimate, kLongestStep) < 2 ||
          !are_near(values.nodes[id], values.nodes[estimate]))
        continue;
      all.push_back({with_other_value(row, id, estimate), "one Newton step less"});
    }
  }
  return all;
}

std::vector<Approximation> with_cheaper_constants(const RowGraph& row) {
  std::vector<Approximation> all;
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    const std::uint32_t bits = row.nodes[id].bits;
    if (!is_constant(row, id) || !is_float(bits) || register_of_constant(bits) >= 0 ||
        !is_used_as_number(row, id))
      continue;
    for (const std::uint32_t held : {kOneBits, kMinusOneBits32, kEightBits}) {
      if (std::fabs(number(bits) / number(held) - 1) > kNearConstant) continue;
      all.push_back({with_constant(row, id, held),
                     fmt::format("{} becomes {:.6g}, which a register holds anyway",
                                 number_text(bits), number(held))});
    }
    if ((bits & kLowerHalf) == 0 || !may_be_immediate(row, id)) continue;
    const std::uint32_t short_bits = rounded_to_upper_half(bits);
    all.push_back({with_constant(row, id, short_bits),
                   fmt::format("{} becomes {}, which fits into an instruction", number_text(bits),
                               number_text(short_bits))});
  }
  return all;
}

std::vector<Approximation> with_joined_operations(const RowGraph& row) {
  std::vector<Approximation> all;
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    add_joined_affine(row, id, all);
    add_joined_product(row, id, all);
  }
  return all;
}

Expected<std::vector<Approximation>> Approximator::changed_once(const RowGraph& row,
                                                                const RowValues& values) {
  std::vector<Approximation> all = without_operations(row);
  for (auto& some :
       {without_steps(row, values), with_cheaper_constants(row), with_joined_operations(row)})
    all.insert(all.end(), some.begin(), some.end());
  if (auto done = add_polynomials(row, values, all); !done) return Unexpected(done.error());
  return all;
}

Expected<std::optional<ArgumentRange>> Approximator::range_of(const RowGraph& row,
                                                              const RowValues& values,
                                                              const PolynomialChain& chain) {
  std::vector<bool> counts(values.results.size(), false);
  for (const double factor : {1 - kDisturbance, 1 + kDisturbance}) {
    const auto other = evaluator_.evaluate(
        row, {.node = chain.result, .values = disturbed(values.nodes[chain.result], factor)});
    if (!other) return Unexpected(other.error());
    for (std::size_t i = 0; i < counts.size(); ++i)
      counts[i] = counts[i] || other->results[i] != values.results[i];
  }
  std::optional<ArgumentRange> range;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double argument = number(values.nodes[chain.argument][i]);
    if (!counts[i] || !std::isfinite(argument)) continue;
    if (!range) range = ArgumentRange{argument, argument};
    range->low = std::min(range->low, argument);
    range->high = std::max(range->high, argument);
  }
  if (range && range->low == range->high) return std::optional<ArgumentRange>();
  return range;
}

Expected<void> Approximator::add_polynomials(const RowGraph& row, const RowValues& values,
                                             std::vector<Approximation>& all) {
  for (const PolynomialChain& chain : polynomial_chains(row)) {
    all.push_back({with_estrin(row, chain),
                   fmt::format("the polynomial of degree {} by Estrin's scheme", chain.degree())});
    const auto range = range_of(row, values, chain);
    if (!range) return Unexpected(range.error());
    if (*range) add_refits(row, chain, **range, all);
  }
  return {};
}

void Approximator::add_refits(const RowGraph& row, const PolynomialChain& chain,
                              ArgumentRange range, std::vector<Approximation>& all) {
  constexpr std::size_t kMostLeftOut = 3;
  const std::size_t lowest = chain.degree() - std::min(chain.degree() - 1, kMostLeftOut);
  const std::uint32_t first = chain.coefficients[0];
  std::vector<RefitTask> tasks;
  for (std::size_t degree = lowest; degree <= chain.degree(); ++degree) {
    for (const auto error : {fits::ErrorKind::Relative, fits::ErrorKind::Absolute}) {
      if (degree < chain.degree()) tasks.push_back({.degree = degree, .error = error});
    }
    for (const std::uint32_t held : {kOneBits, kMinusOneBits32}) {
      if (first == held || std::fabs(number(first) / number(held) - 1) > kNearConstant) continue;
      tasks.push_back({.degree = degree, .first = held, .error = fits::ErrorKind::Absolute});
    }
  }
  for (const RefitTask& task : tasks) {
    const std::vector<std::uint32_t>& found = refitted(chain, range, task);
    if (found.empty()) continue;
    const std::string held =
        task.first ? fmt::format(" that begins with {:.0f}", number(*task.first)) : "";
    all.push_back(
        {with_polynomial(row, chain, found),
         fmt::format("the polynomial of degree {} becomes one of degree {}{}, fitted again from {}",
                     chain.degree(), task.degree, held, range_text(range))});
  }
}

const std::vector<std::uint32_t>& Approximator::refitted(const PolynomialChain& chain,
                                                         ArgumentRange range,
                                                         const RefitTask& task) {
  const std::string key =
      fmt::format("{} {:a} {:a} {} {} {}", fmt::join(chain.coefficients, ","), range.low,
                  range.high, task.degree, task.first.value_or(0), static_cast<int>(task.error));
  const auto known = refits_.find(key);
  if (known != refits_.end()) return known->second;
  auto fitted = refit(chain, range, task);
  return refits_[key] = fitted ? std::move(*fitted) : std::vector<std::uint32_t>();
}

} // namespace lanewise::tune
