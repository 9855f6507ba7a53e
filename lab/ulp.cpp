#include "lab/ulp.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lab/number_line.h"

namespace lanewise::lab {

std::optional<std::int64_t> ulp_position(Format format, std::uint32_t value_bits) {
  return with_line(format, [&](auto line) -> std::optional<std::int64_t> {
    if (line.is_nan(value_bits)) return std::nullopt;
    return line.position(value_bits);
  });
}

std::optional<std::int64_t> ulp_distance(Format format, std::uint32_t expected,
                                         std::uint32_t found) {
  const auto from = ulp_position(format, expected);
  const auto to = ulp_position(format, found);
  if (!from && !to) return 0;
  if (!from || !to) return std::nullopt;
  return *to - *from;
}

double ulp(Format format, double number) {
  return with_line(format, [&](auto line) {
    if (line.kIsInteger) return 1.0;
    const int smallest = line.kSmallestExponent;
    const int exponent = number == 0 ? smallest : std::max(std::ilogb(number), smallest);
    return std::ldexp(1.0, exponent - line.kMantissaBits);
  });
}

double error_in_ulps(Format format, double wanted, double got) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(wanted) || std::isnan(got))
    return std::isnan(wanted) && std::isnan(got) ? 0 : kInfinity;
  if (wanted == got) return 0;
  if (std::isinf(wanted) || std::isinf(got)) return kInfinity;
  const double smallest =
      with_line(format, [](auto line) { return std::ldexp(1.0, line.kSmallestExponent); });
  if (!is_integer(format) && std::abs(wanted) < smallest && std::abs(got) < smallest) return 0;
  return std::abs(got - wanted) / ulp(format, wanted);
}

NumberClass number_class(Format format, std::uint32_t value_bits) {
  return with_line(format, [&](auto line) { return line.kind(value_bits); });
}

} // namespace lanewise::lab
