// Integer, bit and shift instructions of the Simple and MAD sub-units.
#pragma once

#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

/// Two's complement absolute value; -2^31 stays (seed 000, 3.15).
template <class U>
LANEWISE_INLINE constexpr U absolute_integer(U x) {
  return absolute_signed(x);
}

/// SFPABS float mode: clears the sign except of negative NaNs (VU C29).
template <class U>
LANEWISE_INLINE constexpr U absolute_float(U x) {
  return select(greater_unsigned(x, splat<U>(0xFF800000U)), x, x & ~kSign);
}

/// Number of leading zero bits, 32 for zero.
///
/// The exponent of x converted to FP32 names its highest bit, provided that rounding cannot reach
/// the next power of two: x & ~(x >> 1) keeps the highest bit and clears the one below it. AVX-512
/// can count by itself.
template <class U>
LANEWISE_INLINE constexpr U leading_zeros(U x) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_maskz_lzcnt_epi32(0xFFFF, (__m512i)x);
  } else {
    const U exponent = float_of_int(x & ~(x >> 1)) >> 23;
    const U count = splat<U>(kBias + 31) - exponent;
    return select(equal(x, splat<U>(0)), splat<U>(32), count & ~sign_extended(x));
  }
}

/// SFPSHFT, SFPSHFT2 5/6: a count >= 0 shifts left, a negative one right; counts work modulo 32 (VU
/// C36).
template <class U>
LANEWISE_INLINE constexpr U shift(U x, U count, bool arithmetic) {
  const U right = -count & 31;
  const U shifted_right = arithmetic ? shift_right_signed<U>(x, right) : shift_right<U>(x, right);
  return select<U>(negative(count), shifted_right, shift_left<U>(x, count & 31));
}

/// The same with one count for all lanes, which needs no shift of each lane by its own.
template <class U>
LANEWISE_INLINE constexpr U shift_all(U x, std::int32_t count, bool arithmetic) {
  if (count >= 0) return x << (count & 31);
  const int right = -count & 31;
  return arithmetic ? (U)((detail::Signed<U>)x >> right) : x >> right;
}

/// Low 23 bits, what SFPMUL24 reads of an operand.
inline constexpr Lane kMul24Mask = 0x7FFFFFU;

/// SFPMUL24: 23 bits of the 46-bit product of two 23-bit numbers (VU 3.7).
template <class U>
LANEWISE_INLINE constexpr U multiply_24(U a, U b, bool upper) {
  a &= kMul24Mask;
  b &= kMul24Mask;
  return upper ? multiply_high<U>(a << 9, b) : (a * b) & kMul24Mask;
}

/// SFPMUL24's adjustment by an addend whose exponent field is not zero (VU 3.7, NonContractual).
template <class U>
LANEWISE_INLINE constexpr U adjust_multiply_24(U d, U c) {
  const U ze = exponent_field(c);
  const U re = max_signed(ze, splat<U>(129));
  const U shifted_d = shift_right<U>(d, (re - 129) & 31);
  const U s = (re - ze) & 31;
  const U z = ((c & kMantissaMask) | kHiddenOne) << 3;
  const U w = shift_right<U>(z, s);
  const U rounding = keep_where<U>(greater_unsigned<U>(shift_left<U>(w, s) ^ z, splat<U>(0xFFFF)),
                                   splat<U>(0x10000));
  const U adjusted =
      select(equal(w, splat<U>(0)), shifted_d, (shifted_d + w + rounding) & kMul24Mask);
  return select(equal(ze, splat<U>(0)), d, adjusted);
}

} // namespace lanewise::semantics
