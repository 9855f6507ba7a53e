#include "number/references/point.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "number/references/evaluation.h"
#include "number/references/half.h"

namespace lanewise::references {
namespace {

/// The number that stands for an interval that has infinite ends or is wide for its size, if it is
/// next to nothing or too large for a double.
std::optional<double> extreme_of(Interval value) {
  if (value.low == value.high) return value.low;
  if (value.high <= kNegligible && value.low >= -kNegligible) return value.low == 0 ? 0.0 : -0.0;
  if (value.low >= kOverflow) return kInfinite;
  if (value.high <= -kOverflow) return -kInfinite;
  return std::nullopt;
}

/// The number that stands for an interval, or nothing if the interval is too wide for that.
std::optional<double> exact_of(Interval value) {
  const double width = value.high - value.low;
  const double size = std::min(std::fabs(value.low), std::fabs(value.high));
  if (width <= kExactMargin * size) return value.low + width / 2;
  return extreme_of(value);
}

/// Rounds what the interval decides.
std::optional<ReferenceValue> decided(Interval value, formats::Format format) {
  if (is_nan(value))
    return ReferenceValue{.exact = kNan, .bits = formats::round_to_bits(format, kNan)};
  if (lacks_bounds(value)) return std::nullopt;
  const std::uint32_t low = formats::round_to_bits(format, value.low);
  const std::optional<double> exact = exact_of(value);
  if (low != formats::round_to_bits(format, value.high) || !exact) return std::nullopt;
  return ReferenceValue{.exact = *exact, .bits = low};
}

} // namespace

ReferenceValue evaluate_at_point(const Expression& expression, const BlockProgram& program,
                                 formats::Format format, double x, double y) {
  if (const auto value = half_of_tiny(expression, format, x)) return *value;
  if (const auto value = decided(program.at(x, y), format)) return *value;
  return evaluate_precisely(expression, format, x, y);
}

} // namespace lanewise::references
