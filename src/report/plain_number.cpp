#include "report/plain_number.h"

#include <fmt/format.h>

#include <cmath>

namespace lanewise::report {

std::string number(double value) {
  if (std::isnan(value)) return "unknown";
  if (std::abs(value - std::round(value)) < 1e-9) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3f}", value);
}

std::string percent_of(double part, double whole) {
  return whole == 0 ? "" : fmt::format("{:.0f} %", 100 * part / whole);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace lanewise::report
