#include "study/tune/polynomials.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>

#include "number/fits/sollya_text.h"
#include "study/tune/row_rewrite.h"

namespace lanewise::tune {

namespace {

/// A step q * x + c of Horner's scheme.
struct HornerStep {
  NodeId argument, before;
  std::uint32_t added;
};

/// Both ways to read a multiply-add with a constant: either factor may be the argument.
std::vector<HornerStep> readings(const RowGraph& row, NodeId id) {
  const Node& node = row.nodes[id];
  if (!is_multiply_add(node) || !is_constant(row, node.operands[2])) return {};
  std::vector<HornerStep> all;
  for (std::size_t k = 0; k < 2; ++k) {
    const NodeId argument = node.operands[k], before = node.operands[1 - k];
    if (is_constant(row, argument) || argument == before) continue;
    all.push_back({argument, before, row.nodes[node.operands[2]].bits});
  }
  return all;
}

/// The chain that ends in `id` with this argument; one without degree where there is none.
PolynomialChain chain_to(const RowGraph& row, NodeId id, NodeId argument) {
  PolynomialChain chain{.argument = argument, .result = id, .coefficients = {}};
  for (NodeId at = id;;) {
    const std::vector<HornerStep> steps = readings(row, at);
    const auto step = std::ranges::find(steps, argument, &HornerStep::argument);
    if (step == steps.end() || (at != id && uses_of(row, at) != 1)) return {};
    chain.coefficients.push_back(step->added);
    if (is_constant(row, step->before)) {
      chain.coefficients.push_back(row.nodes[step->before].bits);
      return chain;
    }
    at = step->before;
  }
}

/// Whether a step of a longer chain.
bool goes_on(const std::vector<PolynomialChain>& longer, const RowGraph& row,
             const PolynomialChain& chain) {
  return std::ranges::any_of(longer, [&](const PolynomialChain& each) {
    if (each.argument != chain.argument || each.degree() <= chain.degree()) return false;
    NodeId at = each.result;
    for (std::size_t i = each.degree(); i > chain.degree(); --i) {
      const std::vector<HornerStep> steps = readings(row, at);
      at = std::ranges::find(steps, each.argument, &HornerStep::argument)->before;
    }
    return at == chain.result;
  });
}

double number_of(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}

/// The sum of c_i x^(i - shift), in Sollya's language.
std::string sollya_sum(const std::vector<std::uint32_t>& coefficients, std::size_t first,
                       std::size_t shift) {
  std::string sum;
  for (std::size_t i = first; i < coefficients.size(); ++i)
    sum += fmt::format("{}{} * x^{}", i == first ? "" : " + ",
                       fits::sollya_number(number_of(coefficients[i])), i - shift);
  return "(" + sum + ")";
}

double as_it_is(double coefficient) {
  return coefficient;
}

} // namespace

std::vector<PolynomialChain> polynomial_chains(const RowGraph& row) {
  std::vector<PolynomialChain> all;
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    for (const HornerStep& step : readings(row, id)) {
      PolynomialChain chain = chain_to(row, id, step.argument);
      if (chain.coefficients.size() > 2) all.push_back(std::move(chain));
    }
  }
  std::vector<PolynomialChain> longest;
  for (const PolynomialChain& chain : all) {
    if (!goes_on(all, row, chain)) longest.push_back(chain);
  }
  return longest;
}

RowGraph with_polynomial(const RowGraph& row, const PolynomialChain& chain,
                         const std::vector<std::uint32_t>& coefficients) {
  return with_value(row, chain.result, [&](RowGraph& result, const std::vector<NodeId>& numbers) {
    const NodeId argument = numbers[chain.argument];
    NodeId value = constant_in(result, coefficients.back());
    for (std::size_t i = coefficients.size() - 1; i-- > 0;)
      value = multiply_add_in(result, value, argument, constant_in(result, coefficients[i]));
    return value;
  });
}

RowGraph with_estrin(const RowGraph& row, const PolynomialChain& chain) {
  return with_value(row, chain.result, [&](RowGraph& result, const std::vector<NodeId>& numbers) {
    std::vector<NodeId> parts;
    for (const std::uint32_t each : chain.coefficients) parts.push_back(constant_in(result, each));
    NodeId power = numbers[chain.argument];
    while (parts.size() > 1) {
      std::vector<NodeId> pairs;
      for (std::size_t i = 0; i < parts.size(); i += 2)
        pairs.push_back(i + 1 < parts.size()
                            ? multiply_add_in(result, parts[i + 1], power, parts[i])
                            : parts[i]);
      parts = std::move(pairs);
      if (parts.size() > 1)
        power = multiply_add_in(result, power, power, constant_in(result, kZeroBits));
    }
    return parts.front();
  });
}

Expected<std::vector<std::uint32_t>> refit(const PolynomialChain& chain, ArgumentRange range,
                                           const RefitTask& task) {
  // What stays is taken off, and the power that all others have in common is taken out.
  const bool keeps_first = task.first.has_value() || (chain.coefficients[0] << 1) == 0;
  const std::uint32_t first = task.first.value_or(chain.coefficients[0]);
  const unsigned from = keeps_first ? 1 : 0;
  std::vector<unsigned> powers;
  for (unsigned power = from; power <= task.degree; ++power) powers.push_back(power);
  std::string function = sollya_sum(chain.coefficients, from, 0);
  const bool is_relative = task.error == fits::ErrorKind::Relative;
  if (task.first)
    function =
        fmt::format("({} + {})", function,
                    fits::sollya_number(number_of(chain.coefficients[0]) - number_of(*task.first)));
  if (is_relative && keeps_first && !task.first) {
    function = sollya_sum(chain.coefficients, from, from);
    for (unsigned& power : powers) power -= from;
  }
  const fits::PolynomialTask fit{.low = range.low,
                                 .high = range.high,
                                 .powers = powers,
                                 .error = task.error,
                                 .is_bounded = false};
  const auto fitted = fits::fit_polynomials(function, std::span(&fit, 1), as_it_is);
  if (!fitted) return Unexpected(fitted.error());
  std::vector<std::uint32_t> coefficients;
  if (keeps_first) coefficients.push_back(first);
  for (const double each : fitted->front().coefficients)
    coefficients.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(each)));
  return coefficients;
}

} // namespace lanewise::tune
