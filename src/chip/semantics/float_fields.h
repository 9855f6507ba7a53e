// Sign, exponent and mantissa of an FP32 bit pattern.
#pragma once

#include "chip/semantics/lanes.h"

namespace lanewise::semantics {

inline constexpr Lane kSign = 0x80000000U;
inline constexpr Lane kExponentMask = 0x7F800000U;
inline constexpr Lane kMantissaMask = 0x007FFFFFU;
inline constexpr Lane kHiddenOne = 0x00800000U;
inline constexpr Lane kInfinity = 0x7F800000U;
inline constexpr Lane kCanonicalNan = 0x7FC00000U;
inline constexpr Lane kOne = 0x3F800000U;
inline constexpr Lane kBias = 127;

/// The 8-bit exponent field, 0..255.
template <class U>
LANEWISE_INLINE constexpr U exponent_field(U x) {
  return (x >> 23) & 255;
}

/// Mantissa with its hidden one; 0 for zeros and denormals, which the datapath does not tell apart.
template <class U>
LANEWISE_INLINE constexpr U significand(U x) {
  return keep_where<U>(any_common_bit(x, splat<U>(kExponentMask)),
                       (x & kMantissaMask) | kHiddenOne);
}

/// Key that orders FP32 patterns and sign-magnitude integers totally when compared as two's
/// complement: -NaN < -Inf < ... < -0 < +0 < ... < +Inf < +NaN (VU C32).
template <class U>
LANEWISE_INLINE constexpr U total_order_key(U x) {
  return x ^ (sign_extended(x) & 0x7FFFFFFFU);
}

} // namespace lanewise::semantics
