#include "number/formats/ulp.h"

#include <algorithm>
#include <cmath>

#include "number/formats/number_line.h"

namespace lanewise::formats {

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

NumberClass number_class(Format format, std::uint32_t value_bits) {
  return with_line(format, [&](auto line) { return line.kind(value_bits); });
}

} // namespace lanewise::formats
