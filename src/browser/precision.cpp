// What references ask of MPFR, which the module does not have: constants, by doubles; and points
// that doubles leave open, which are refused.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "number/references/evaluation.h"
#include "number/references/expression.h"
#include "number/references/interval.h"

namespace lanewise::references {

namespace {

Interval between_neighbours(double low) {
  return {low, std::nextafter(low, kInfinite)};
}

/// The digits of a decimal number as one whole number, and the power of ten behind it.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// Of a number with few enough digits.
std::optional<Decimal> parse_decimal(std::string_view text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  Decimal decimal;
  bool behind_point = false;
  std::size_t at = 0;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    if (text[at] == '.') {
      behind_point = true;
      continue;
    }
    if (text[at] < '0' || text[at] > '9' || decimal.digits > kMost / 10) return std::nullopt;
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(text[at] - '0');
    if (behind_point) --decimal.exponent;
  }
  if (at == text.size()) return decimal;
  int exponent = 0;
  const std::size_t sign = at + 1 < text.size() && text[at + 1] == '+' ? 2 : 1;
  const auto read = std::from_chars(text.data() + at + sign, text.data() + text.size(), exponent);
  constexpr int kLargest = 400; // of doubles, and some
  if (read.ec != std::errc() || std::abs(exponent) > kLargest) return std::nullopt;
  decimal.exponent += exponent;
  return decimal;
}

/// Whether the number is certainly the double that is nearest to it.
bool is_double(std::string_view text, double nearest) {
  constexpr std::size_t kHexDigits = 13; // 52 bits
  if (text.starts_with("0x") || text.starts_with("0X"))
    return text.size() <= kHexDigits && std::isnormal(nearest);
  auto decimal = parse_decimal(text);
  if (!decimal) return false;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  for (; decimal->exponent > 0 && decimal->digits <= kMost; --decimal->exponent)
    decimal->digits *= 10;
  // A tenth is half of a fifth.
  for (; decimal->exponent < 0 && decimal->digits % 5 == 0; ++decimal->exponent)
    decimal->digits /= 5;
  return decimal->digits == 0 || (decimal->exponent == 0 && decimal->digits <= kMost);
}

Interval interval_of(const std::string& text) {
  const double nearest = std::strtod(text.c_str(), nullptr);
  if (is_double(text, nearest)) return point(nearest);
  return {std::nextafter(nearest, -kInfinite), std::nextafter(nearest, kInfinite)};
}

/// The function that a fault is about: the outermost one, unless it is an operator.
std::string_view name_of(const Expression& expression) {
  const ExpressionNode& last = expression.nodes.back();
  const bool has_name =
      last.kind == ExpressionNode::Kind::Call && last.function->group != FunctionGroup::Operator;
  return has_name ? last.function->name : "the reference";
}

} // namespace

Interval evaluate_constant(const Expression& expression, std::size_t node) {
  using NodeKind = ExpressionNode::Kind;
  const ExpressionNode& at = expression.nodes[node];
  switch (at.kind) {
    case NodeKind::X:
    case NodeKind::Y: return kUnknownInterval; // a constant has none
    case NodeKind::Number: return interval_of(at.digits);
    case NodeKind::Pi: return between_neighbours(0x1.921fb54442d18p+1);
    case NodeKind::E: return between_neighbours(0x1.5bf0a8b145769p+1);
    case NodeKind::Infinity: return point(kInfinite);
    case NodeKind::NaN: return kNanInterval;
    case NodeKind::Call: break;
  }
  std::array<Interval, kMostOperands> operands;
  for (unsigned i = 0; i < at.function->operands; ++i)
    operands[i] = evaluate_constant(expression, at.operands[i]);
  return at.function->evaluate_interval(operands.data());
}

ReferenceValue evaluate_precisely(const Expression& expression, formats::Format /*format*/,
                                  double x, double y) {
  std::string where = fmt::format("x = {} ({:a})", x, x);
  if (expression.uses_y) where += fmt::format(", y = {} ({:a})", y, y);
  throw std::runtime_error(
      fmt::format("{} at {} needs MPFR, which a page does not have: leave such inputs out by a "
                  "domain, or take the program on a machine",
                  name_of(expression), where));
}

} // namespace lanewise::references
