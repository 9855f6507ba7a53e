// How what was found in a case is compared with what the file expects.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "run/vectors/conformance.h"

namespace lanewise::vectors {

/// In so many hexadecimal digits.
inline Difference differ(std::string place, std::uint32_t expected, std::uint32_t found,
                         int digits) {
  return {.place = std::move(place),
          .expected = fmt::format("{:0{}x}", expected, digits),
          .found = fmt::format("{:0{}x}", found, digits)};
}

inline Difference differ_decimal(std::string place, std::uint32_t expected, std::uint32_t found) {
  return {.place = std::move(place),
          .expected = std::to_string(expected),
          .found = std::to_string(found)};
}

} // namespace lanewise::vectors
