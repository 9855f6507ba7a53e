// Coefficients of SFPLUT and SFPLUTFP32 (VU 3.6, C44).
#pragma once

#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

/// Magnitudes at which the next piece starts, as FP32 patterns; compared as integers, so that NaN
/// is in the last.
inline constexpr Lane kHalf = 0x3F000000U;
inline constexpr Lane kOneAndHalf = 0x3FC00000U;
inline constexpr Lane kTwo = 0x40000000U;
inline constexpr Lane kThree = 0x40400000U;
inline constexpr Lane kFour = 0x40800000U;

/// All ones where `magnitude` has reached `bound`; both below 2^31.
template <class U>
LANEWISE_INLINE constexpr Mask<U> reaches(U magnitude, Lane bound) {
  return greater_signed(magnitude, splat<U>(bound - 1));
}

/// One of three register values: pieces [0, 1), [1, 2), [2, inf).
template <class U>
LANEWISE_INLINE constexpr U choose_piece(U magnitude, U first, U second, U third) {
  return select(reaches(magnitude, kTwo), third, select(reaches(magnitude, kOne), second, first));
}

/// All ones in the pieces of a six-entry table that take the high half of their register.
template <class U>
LANEWISE_INLINE constexpr Mask<U> takes_high_half(U magnitude, Lane last_cut) {
  const Mask<U> below_one = and_not(reaches(magnitude, kHalf), reaches(magnitude, kOne));
  const Mask<U> below_two = and_not(reaches(magnitude, kOneAndHalf), reaches(magnitude, kTwo));
  return either(either(below_one, below_two), reaches(magnitude, last_cut));
}

/// The 8-bit format of SFPLUT: FF is +0, else sign, exponent 127 - b[6:4], mantissa b[3:0].
template <class U>
LANEWISE_INLINE constexpr U decode_lut8(U b) {
  b &= 0xFF;
  const U value = ((b & 0x80) << 24) | ((splat<U>(127) - ((b >> 4) & 7)) << 23) | ((b & 15) << 19);
  return select(equal(b, splat<U>(0xFF)), splat<U>(0), value);
}

/// The 16-bit format of SFPLUTFP32: like FP16 without denormals; exponent 31 gives an FP32
/// denormal, which the multiply-add takes for zero.
template <class U>
LANEWISE_INLINE constexpr U decode_lut16(U h) {
  const U e5 = (h >> 10) & 31;
  const U exponent = select(equal(e5, splat<U>(31)), splat<U>(0), e5 + 112);
  return ((h & 0x8000) << 16) | (exponent << 23) | ((h & 0x3FF) << 13);
}

} // namespace lanewise::semantics
