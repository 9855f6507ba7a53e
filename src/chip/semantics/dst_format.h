// How Dst stores numbers, and the conversions of SFPLOAD and SFPSTORE (VU 3.4).
//
// d16 is one 16-bit cell in the low half of a lane; d32 is a pair of cells, the high one in the
// upper half.
#pragma once

#include "chip/isa/arch.h"
#include "chip/isa/number_format.h"
#include "chip/semantics/convert.h"

namespace lanewise::semantics {

/// Dst keeps sign, mantissa, exponent (S M7 E8) where an LReg keeps sign, exponent, mantissa.
template <class U>
LANEWISE_INLINE constexpr U unshuffle_16(U d16) {
  return (d16 & 0x8000) | ((d16 & 0xFF) << 7) | ((d16 >> 8) & 0x7F);
}
template <class U>
LANEWISE_INLINE constexpr U shuffle_16(U v16) {
  return (v16 & 0x8000) | ((v16 & 0x7F) << 8) | ((v16 >> 7) & 0xFF);
}

/// The same shuffle of the upper half of a 32-bit datum.
template <class U>
LANEWISE_INLINE constexpr U unshuffle_32(U d32) {
  return (d32 & 0x8000'FFFF) | ((d32 << 7) & 0x7F80'0000) | ((d32 >> 8) & 0x007F'0000);
}
template <class U>
LANEWISE_INLINE constexpr U shuffle_32(U v) {
  return (v & 0x8000'FFFF) | ((v << 8) & 0x7F00'0000) | ((v >> 7) & 0x00FF'0000);
}

/// FP16 to FP32: exponent rebiased by 112, denormals keep their mantissa at exponent 0, exponent 31
/// is an ordinary one unless `infinity` (ENABLE_FP16A_INF) is set and all mantissa bits are.
template <class U>
LANEWISE_INLINE constexpr U load_fp16(U d16, Mask<U> infinity) {
  const U sign = (d16 & 0x8000) << 16;
  const U e5 = d16 & 31;
  const U m10 = (d16 >> 5) & 0x3FF;
  const U exponent = select(equal(e5, splat<U>(0)), splat<U>(0), e5 + 112);
  const Mask<U> is_infinity = both<Mask<U>>(infinity, equal<U>(d16 & 0x7FFF, splat<U>(0x7FFF)));
  return sign | select(is_infinity, splat<U>(kInfinity), (exponent << 23) | (m10 << 13));
}

/// FP32 to FP16: too small becomes a signed zero, too large all ones, the mantissa is truncated (VU
/// C24).
template <class U>
LANEWISE_INLINE constexpr U store_fp16(U v) {
  const U sign = (v >> 16) & 0x8000;
  const U e = exponent_field(v) - 112;
  const U ordinary = (((v >> 13) & 0x3FF) << 5) | (e & 31);
  const Mask<U> no_underflow = greater_signed(e, splat<U>(0));
  const Mask<U> overflow = greater_signed(e, splat<U>(31));
  return sign | keep_where<U>(no_underflow, select(overflow, splat<U>(0x7FFF), ordinary));
}

/// Denormals become zeros with their sign.
template <class U>
LANEWISE_INLINE constexpr U flush_denormal(U v) {
  return select(equal(v & kExponentMask, splat<U>(0)), v & kSign, v);
}

/// Sign-magnitude to two's complement; -0 becomes 0.
template <class U>
LANEWISE_INLINE constexpr U sign_magnitude_to_twos(U v) {
  return select(negative(v), -(v & ~kSign), v);
}
/// Two's complement to sign-magnitude; -2^31 becomes -0.
template <class U>
LANEWISE_INLINE constexpr U twos_to_sign_magnitude(U v) {
  return select(negative(v), kSign | -v, v);
}

/// Integer "8" as sign-magnitude: sign at 15, magnitude in the low `bits` of [14:5].
template <class U>
LANEWISE_INLINE constexpr U load_int8(U d16, unsigned bits) {
  return ((d16 & 0x8000) << 16) | ((d16 >> 5) & ((1U << bits) - 1));
}
/// Sign-magnitude of up to 10 bits as Integer "8", whose exponent field is always 16.
template <class U>
LANEWISE_INLINE constexpr U store_int8(U v) {
  return ((v >> 16) & 0x8000) | ((v & 0x3FF) << 5) | isa::kInt8Exponent;
}

/// Integer "16", sign at 15 and magnitude in [14:0].
template <class U>
LANEWISE_INLINE constexpr U load_int16(U d16) {
  return ((d16 & 0x8000) << 16) | (d16 & 0x7FFF);
}
template <class U>
LANEWISE_INLINE constexpr U store_int16(U v) {
  return ((v >> 16) & 0x8000) | (v & 0x7FFF);
}

/// SFPLOADI FLOATA: exponent + 112 always, so that 0 gives 2^-15.
constexpr Lane immediate_fp16(Lane imm16) {
  return ((imm16 & 0x8000) << 16) | ((((imm16 >> 10) & 31) + 112) << 23) | ((imm16 & 0x3FF) << 13);
}

} // namespace lanewise::semantics
