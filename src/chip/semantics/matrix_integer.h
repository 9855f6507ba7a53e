// INT8 arithmetic of the Matrix Unit (MU 6): sign-magnitude operands of 10 bits, INT32 in Dst.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "chip/semantics/lanes.h"

namespace lanewise::semantics {

/// Magnitude bits that a phase multiplies, in place. Phase 3 has the low ones, against the order of
/// floating point; SrcA's bits 9:8 are never used.
LANEWISE_INLINE constexpr std::uint32_t int8_part_a(unsigned phase) {
  return (phase & 1) != 0 ? 0x01F : 0x0E0;
}
LANEWISE_INLINE constexpr std::uint32_t int8_part_b(unsigned phase) {
  return (phase & 2) != 0 ? 0x00F : 0x3F0;
}
/// What ELWADD and ELWSUB use.
inline constexpr std::uint32_t kInt8Magnitude = 0x3FF;

/// The value of a cell. A zero exponent field makes it zero, unless `keeps_denormals`, which only
/// counts for SrcB.
constexpr std::int32_t int8_operand(std::uint32_t cell, std::uint32_t magnitude_mask,
                                    bool keeps_denormals) {
  if ((cell >> 23 & 0xFF) == 0 && !keeps_denormals) return 0;
  const auto magnitude = static_cast<std::int32_t>(cell >> 13 & magnitude_mask);
  return (cell >> 31) != 0 ? -magnitude : magnitude;
}

/// Dst plus a sum, clamped to what sign and 31 bits can hold; Dst and result are in register form.
constexpr std::uint32_t accumulate_integer(std::int32_t sum, std::uint32_t dst) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  const auto magnitude = static_cast<std::int64_t>(dst & 0x7FFFFFFF);
  const std::int64_t value = (dst >> 31) != 0 ? -magnitude : magnitude;
  const std::int64_t result = std::clamp(value + sum, -kLargest, kLargest);
  return result < 0 ? 0x80000000U | static_cast<std::uint32_t>(-result)
                    : static_cast<std::uint32_t>(result);
}

} // namespace lanewise::semantics
