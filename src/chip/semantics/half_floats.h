// FP16 as the packers and unpackers know it, in 16 bits: exponent 31 is an ordinary one, there are
// no infinities and NaNs (core.md 11). And what they need of BF16.
#pragma once

#include <cstdint>

#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

inline constexpr std::uint32_t kSign16 = 0x8000; ///< of BF16, too
inline constexpr std::uint32_t kMagnitude16 = 0x7FFF;
inline constexpr std::uint32_t kTopExponent5 = 31;
inline constexpr std::uint32_t kFp16Rebias = 127 - 15; ///< from FP32's exponents
inline constexpr std::uint32_t kFp8Rebias = 15 - 7;    ///< from FP16's to FP8's of 4 bits

inline constexpr std::uint32_t kLeastNormalFp16 = 0x400;
inline constexpr std::uint32_t kLeastNormalBf16 = 0x80;
inline constexpr std::uint32_t kInfinityBf16 = 0x7F80;

/// An exponent field that may lie outside of its 5 bits, in two's complement: a zero or the largest
/// number then.
template <class U>
LANEWISE_INLINE constexpr U saturated_fp16(U sign, U exponent, U mantissa) {
  const U ordinary = sign | exponent << 10 | mantissa;
  const Mask<U> is_large = greater_signed<U>(exponent, splat<U>(kTopExponent5));
  return select<U>(negative(exponent), sign, select<U>(is_large, sign | kMagnitude16, ordinary));
}

/// An exponent field of FP32 as one of FP16, in two's complement.
template <class U>
LANEWISE_INLINE constexpr U fp16_exponent(U exponent) {
  return exponent - kFp16Rebias;
}

/// The mantissa is cut; what is a denormal then stays one.
template <class U>
LANEWISE_INLINE constexpr U fp16_of_fp32(U fp32) {
  return saturated_fp16<U>(fp32 >> 16 & kSign16, fp16_exponent(exponent_field(fp32)),
                           fp32 >> 13 & 0x3FF);
}

/// A denormal's bits stay where they are, and so mean a smaller number.
template <class U>
LANEWISE_INLINE constexpr U fp32_of_fp16(U fp16) {
  const U sign = (fp16 & kSign16) << 16, magnitude = fp16 & kMagnitude16;
  const Mask<U> is_normal = greater_signed<U>(magnitude, splat<U>(kLeastNormalFp16 - 1));
  return sign | (magnitude + keep_where<U>(is_normal, splat<U>(kFp16Rebias << 10))) << 13;
}

/// Dst's order: sign, mantissa, exponent (MU 1.1).
template <class U>
LANEWISE_INLINE constexpr U shuffle_fp16(U fp16) {
  return (fp16 & kSign16) | (fp16 & 0x3FF) << 5 | (fp16 >> 10 & kTopExponent5);
}
template <class U>
LANEWISE_INLINE constexpr U unshuffle_fp16(U stored) {
  return (stored & kSign16) | (stored & kTopExponent5) << 10 | (stored >> 5 & 0x3FF);
}

/// What packers do with a number that is too small: +0, and so of a zero of any sign. `magnitude`
/// is the mask of all bits but the sign.
template <class U>
LANEWISE_INLINE constexpr U zero_below(U pattern, Lane magnitude, Lane least) {
  return keep_where<U>(greater_signed<U>(pattern & magnitude, splat<U>(least - 1)), pattern);
}

} // namespace lanewise::semantics
