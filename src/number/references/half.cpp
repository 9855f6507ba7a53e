#include "number/references/half.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "number/references/interval.h"

namespace lanewise::references {
namespace {

/// Those that are x g(x) with a g that rises strictly, has g(0) = 1/2, and differs from that by at
/// most |x| / 2. So they are above x / 2 for all x but 0, by at most x^2 / 2: the derivatives of g
/// at 0 are 1/4 (silu), 1/6 (hardswish), 0.3989... (gelu, gelu_tanh), and no larger one is near.
constexpr std::array<std::string_view, 4> kHalvesAtZero{"gelu", "gelu_tanh", "silu", "hardswish"};

bool is_half_at_zero(const Expression& expression) {
  const ExpressionNode& result = expression.nodes.back();
  return result.kind == ExpressionNode::Kind::Call &&
         std::ranges::find(kHalvesAtZero, result.function->name) != kHalvesAtZero.end() &&
         expression.nodes[result.operands[0]].kind == ExpressionNode::Kind::X;
}

/// The double that every format rounds like the numbers between `number` and the next double above
/// it: of the two the one whose last bit is set (rounding to odd).
double just_above(double number) {
  const bool is_odd = (std::bit_cast<std::uint64_t>(number) & 1) != 0;
  return is_odd ? number : std::nextafter(number, kInfinite);
}

} // namespace

std::optional<ReferenceValue> half_of_tiny(const Expression& expression, formats::Format format,
                                           double x) {
  // x^2 / 2 is at most 2^-60 of x / 2, and a double's step at least 2^-53.
  constexpr double kLargest = 0x1p-60, kSmallest = kTiny;
  const double size = std::fabs(x), half = x / 2;
  if (!(size >= kSmallest && size <= kLargest) || !is_half_at_zero(expression)) return std::nullopt;
  return ReferenceValue{.exact = half, .bits = formats::round_to_bits(format, just_above(half))};
}

} // namespace lanewise::references
