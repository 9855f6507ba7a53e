// SFPARECIP: Blackhole's table look-ups for 1/x and e^x (VU 3.9). One lane at a time: these are
// tables.
#pragma once

#include <array>
#include <cstdint>

#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

// The tables are defined in arecip.cpp. As inline variables they would be symbols that the lane
// kernels of all levels share, and tests/scripts/check_kernel_symbols.sh allows none of those.

/// 128 mantissas of the reciprocal: round(65536 / (257 + 2i)) - 128, the reciprocal at the middle
/// of interval i.
extern const std::array<std::uint8_t, 128> kReciprocalTable;

/// 896 upper halves of e^b truncated to BF16, for b with upper half 3C80 + i and lower half 0.
extern const std::array<std::uint16_t, 896> kExponentialTable;

inline constexpr Lane kFirstExponential = 0x3C80; ///< upper half of 2^-6
inline constexpr Lane kLastExponential = 0x3FFF;  ///< upper half of the last value below 2

/// About 1/x for x >= 0, given without sign.
LANEWISE_INLINE Lane approximate_reciprocal(Lane x) {
  if (x < kHiddenOne) return kInfinity; // zero and denormals
  if (x >= 0x7E800000U) return 0;       // 2^126 and more: the result would be denormal
  const Lane exponent = 253 - exponent_field(x);
  return (exponent << 23) | (static_cast<Lane>(kReciprocalTable[(x >> 16) & 0x7F]) << 16);
}

/// About e^x for x >= 0, given without sign. The low 16 bits of x are copied, not used.
LANEWISE_INLINE Lane approximate_exponential(Lane x) {
  constexpr Lane kSmall = kFirstExponential << 16;
  if (x < kHiddenOne) return kOne;
  if (x < kSmall) return 0x3F810000U | (x & 0xFFFF);
  if (x >= 0x40000000U) return 0x40800000U | (x & 0xFFFF);
  return (static_cast<Lane>(kExponentialTable[(x - kSmall) >> 16]) << 16) | (x & 0xFFFF);
}

} // namespace lanewise::semantics
