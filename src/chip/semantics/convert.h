// SFPCAST and SFPSTOCHRND: conversions between number formats inside an LReg (VU 3.5).
#pragma once

#include "chip/semantics/integer.h"

namespace lanewise::semantics {

/// SFPCAST 0: sign-magnitude integer to FP32, to nearest, ties to even; -0 keeps its sign.
template <class U>
LANEWISE_INLINE constexpr U cast_to_float_nearest(U x) {
  // Magnitudes have 31 bits, so they are two's complement numbers as they stand.
  return (x & kSign) | float_of_int(x & ~kSign);
}

/// SFPCAST 1: the same, rounded up where the seven highest dropped bits exceed PRNG[16:10].
template <class U>
LANEWISE_INLINE constexpr U cast_to_float_stochastic(U x, U random) {
  const U sign = x & kSign;
  const U magnitude = x & ~kSign;
  const U lz = leading_zeros(magnitude);
  const U normal = shift_left<U>(magnitude, lz & 31);
  const U up =
      keep_where<U>(greater_unsigned<U>((normal >> 1) & 0x7F, (random >> 10) & 0x7F), splat<U>(1));
  // The hidden one of normal >> 8 adds 1 to the exponent field.
  const U result = sign + ((splat<U>(157) - lz) << 23) + (normal >> 8) + up;
  return select(equal(magnitude, splat<U>(0)), sign, result);
}

/// SFPCAST 3: sign-magnitude to two's complement and back; -0 and -2^31 change places.
template <class U>
LANEWISE_INLINE constexpr U swap_integer_form(U x) {
  return select(negative(x), kSign | -x, x);
}

/// Thresholds that the discarded bits of SFPSTOCHRND are compared with, 23 bits.
inline constexpr Lane kRoundNearest = 0x400000U;
inline constexpr Lane kRoundZero = 0x7FFFFFU;
inline constexpr Lane kThresholdMask = 0x7FFFFFU;

/// SFPSTOCHRND flavor A: FP32 with `kDropped` low mantissa bits rounded away.
template <unsigned kDropped, class U>
LANEWISE_INLINE constexpr U round_mantissa(U x, U threshold) {
  const U dropped = x & ((1U << kDropped) - 1);
  const U down = x - dropped;
  const U up = keep_where<U>(at_most_unsigned<U>(threshold >> (23 - kDropped), dropped),
                             splat<U>(1U << kDropped));
  const U exponent = exponent_field(x);
  const U finite = select(equal(exponent, splat<U>(255)), (x & kSign) | kInfinity, down + up);
  return select(equal(exponent, splat<U>(0)), splat<U>(0), finite);
}

/// Clamps a magnitude, gives it the sign of `x` if wanted, and never a negative zero.
template <class U>
LANEWISE_INLINE constexpr U bounded_integer(U magnitude, Lane maximum, U x, bool keep_sign) {
  const U clamped =
      select(greater_unsigned(magnitude, splat<U>(maximum)), splat<U>(maximum), magnitude);
  if (!keep_sign) return clamped;
  return select(equal(clamped, splat<U>(0)), clamped, clamped | (x & kSign));
}

/// SFPSTOCHRND flavor B: FP32 to a sign-magnitude integer of at most `maximum`.
template <class U>
LANEWISE_INLINE constexpr U float_to_bounded_integer(U x, U threshold, Lane maximum,
                                                     bool keep_sign) {
  const U exponent = exponent_field(x);
  const U e = exponent - kBias;
  // 24 + 15 bits: integer part and 23 fraction bits apart. At e = -1 the lowest bit is lost.
  const U significant = (x & kMantissaMask) | kHiddenOne;
  const U scale = e & 31;
  const Mask<U> below_one = equal(e, splat<U>(~Lane{0}));
  const U integer = select(below_one, splat<U>(0), shift_right<U>(significant, (23 - scale) & 31));
  const U fraction =
      select<U>(below_one, significant >> 1, shift_left<U>(significant, scale) & kThresholdMask);
  const U rounded = integer + keep_where<U>(at_most_unsigned(threshold, fraction), splat<U>(1));
  const Mask<U> too_large = greater_signed(e, splat<U>(15));
  const U magnitude = select(too_large, splat<U>(maximum), rounded);
  const U result = bounded_integer(magnitude, maximum, x, keep_sign);
  return select(greater_signed(splat<U>(~Lane{0}), e), splat<U>(0), result);
}

/// SFPSTOCHRND flavor C: sign-magnitude integer shifted right by 0..31 and rounded.
template <class U>
LANEWISE_INLINE constexpr U shift_to_bounded_integer(U x, U count, U threshold, Lane maximum,
                                                     bool keep_sign) {
  const U magnitude = x & ~kSign;
  const U kept = shift_right<U>(magnitude, count);
  // Bits [22:0] of (magnitude << 23) >> count: the highest 23 of the dropped bits.
  const U few = shift_left<U>(magnitude, (23 - count) & 31) & kThresholdMask;
  const U many = shift_right<U>(magnitude, (count - 23) & 31) & kThresholdMask;
  const U fraction = select(greater_signed(count, splat<U>(23)), many, few);
  const U rounded = kept + keep_where<U>(at_most_unsigned(threshold, fraction), splat<U>(1));
  return bounded_integer(rounded, maximum, x, keep_sign);
}

} // namespace lanewise::semantics
