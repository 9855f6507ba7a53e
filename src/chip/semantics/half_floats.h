// FP16 as the packers and unpackers know it, in 16 bits: exponent 31 is an ordinary one, there are
// no infinities and NaNs (core.md 11). And what they need of BF16.
#pragma once

#include <cstdint>

#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

inline constexpr std::uint32_t kSign16 = 0x8000; ///< of BF16, too
inline constexpr std::uint32_t kMagnitude16 = 0x7FFF;
inline constexpr std::uint32_t kTopExponent5 = 31;
inline constexpr std::int32_t kFp16Rebias = 127 - 15; ///< from FP32's exponents
inline constexpr std::uint32_t kFp8Rebias = 15 - 7;   ///< from FP16's to FP8's of 4 bits

inline constexpr std::uint32_t kLeastNormalFp16 = 0x400;
inline constexpr std::uint32_t kLeastNormalBf16 = 0x80;
inline constexpr std::uint32_t kInfinityBf16 = 0x7F80;

/// An exponent field that may lie outside of its 5 bits: a zero or the largest number then.
constexpr std::uint32_t saturated_fp16(std::uint32_t sign, std::int32_t exponent,
                                       std::uint32_t mantissa) {
  if (exponent < 0) return sign;
  if (exponent > static_cast<std::int32_t>(kTopExponent5)) return sign | kMagnitude16;
  return sign | static_cast<std::uint32_t>(exponent) << 10 | mantissa;
}

/// An exponent field of FP32 as one of FP16.
constexpr std::int32_t fp16_exponent(std::uint32_t exponent) {
  return static_cast<std::int32_t>(exponent) - kFp16Rebias;
}

/// The mantissa is cut; what is a denormal then stays one.
constexpr std::uint32_t fp16_of_fp32(std::uint32_t fp32) {
  return saturated_fp16(fp32 >> 16 & kSign16, fp16_exponent(exponent_field(fp32)),
                        fp32 >> 13 & 0x3FF);
}

/// A denormal's bits stay where they are, and so mean a smaller number.
constexpr std::uint32_t fp32_of_fp16(std::uint32_t fp16) {
  const std::uint32_t sign = (fp16 & kSign16) << 16;
  const bool is_denormal = (fp16 & kMagnitude16) < kLeastNormalFp16;
  const std::uint32_t rebias = is_denormal ? 0 : std::uint32_t{kFp16Rebias} << 10;
  return sign | ((fp16 & kMagnitude16) + rebias) << 13;
}

/// Dst's order: sign, mantissa, exponent (MU 1.1).
constexpr std::uint32_t shuffle_fp16(std::uint32_t fp16) {
  return (fp16 & kSign16) | (fp16 & 0x3FF) << 5 | (fp16 >> 10 & kTopExponent5);
}
constexpr std::uint32_t unshuffle_fp16(std::uint32_t stored) {
  return (stored & kSign16) | (stored & kTopExponent5) << 10 | (stored >> 5 & 0x3FF);
}

/// What packers do with a number that is too small: +0, and so of a zero of any sign. `magnitude`
/// is the mask of all bits but the sign.
constexpr std::uint32_t zero_below(std::uint32_t pattern, std::uint32_t magnitude,
                                   std::uint32_t least) {
  return (pattern & magnitude) < least ? 0 : pattern;
}

} // namespace lanewise::semantics
