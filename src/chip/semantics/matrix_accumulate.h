// What every floating-point instruction of the Matrix Unit ends with: terms and Dst are aligned,
// added, normalised and rounded (MU 5.5).
#pragma once

#include <algorithm>
#include <bit>

#include "chip/semantics/matrix.h"

namespace lanewise::semantics {

namespace detail {

/// Significant bits of a result, with the hidden one.
constexpr int result_bits(const MatrixFloat& mode) {
  if (mode.wide) return 24;
  return mode.exponent_5 ? 11 : 8;
}

/// Sign, exponent and mantissa with underflow and overflow (MU 5.5, step 6): neither denormals nor
/// -0 come out, and FP16 saturates where the others become infinite.
constexpr std::uint32_t pack_result(const MatrixFloat& mode, bool negative, int exponent,
                                    std::uint32_t mantissa) {
  if (exponent <= 0) return 0;
  const std::uint32_t sign = negative ? 0x80000000U : 0;
  if (mode.exponent_5 && !mode.wide) {
    constexpr std::uint32_t kLargestFp16 = 31U << 23 | 0x3FFU << 13;
    if (exponent >= 32) return sign | kLargestFp16;
  } else if (exponent >= 255) {
    return sign | 0x7F800000U;
  }
  return sign | static_cast<std::uint32_t>(exponent) << 23 | mantissa;
}

} // namespace detail

/// Dst after terms were added to it; Dst and result are in register form.
constexpr std::uint32_t accumulate(const MatrixFloat& mode, MatrixTerm first, MatrixTerm second,
                                   std::uint32_t dst) {
  const int dst_exponent = static_cast<int>(dst >> 23 & 0xFF);
  const auto magnitude = static_cast<std::int32_t>((1U << kTermFraction) | (dst & 0x7FFFFF));
  const std::int32_t signed_dst = (dst >> 31) != 0 ? -magnitude : magnitude;
  const std::int32_t dst_value = dst_exponent == 0 ? 0 : signed_dst;

  const int exponent = std::max({first.exponent, second.exponent, dst_exponent});
  if (exponent <= 0) return 0;
  // In 16-bit Dst, what was aligned is rounded once more, to 10 fraction bits.
  const int grain = mode.wide ? 0 : kProductToTerm;
  const auto aligned_sum = [&](const MatrixTerm& t) {
    return shift_upward(shift_upward(t.value, exponent - t.exponent), grain) * (1 << grain);
  };
  const std::int32_t aligned_dst =
      shift_away_from_zero(shift_away_from_zero(dst_value, exponent - dst_exponent), grain) *
      (1 << grain);
  const std::int32_t sum = aligned_sum(first) + aligned_sum(second) + aligned_dst;
  if (sum == 0) return 0;
  // Wormhole miscounts the leading ones of -1.
  if (mode.minus_one_erratum && mode.wide && sum == -1)
    return detail::pack_result(mode, true, exponent + 4, 0);

  const auto unsigned_sum = static_cast<std::uint32_t>(sum < 0 ? -sum : sum);
  const int length = std::bit_width(unsigned_sum);
  const int kept = detail::result_bits(mode);
  int result_exponent = exponent + length - (kTermFraction + 1);
  std::int32_t significand =
      length > kept ? shift_away_from_zero(static_cast<std::int32_t>(unsigned_sum), length - kept)
                    : static_cast<std::int32_t>(unsigned_sum << (kept - length));
  if (significand == 1 << kept) { // rounding reached the next power of two
    significand >>= 1;
    ++result_exponent;
  }
  const std::uint32_t mantissa =
      (static_cast<std::uint32_t>(significand) << (kTermFraction + 1 - kept)) & 0x7FFFFF;
  return detail::pack_result(mode, sum < 0, result_exponent, mantissa);
}

} // namespace lanewise::semantics
