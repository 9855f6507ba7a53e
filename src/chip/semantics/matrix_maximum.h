// GMPOOL's maximum: how its operands are read, scaled, ordered and written (MU 7, GMPOOL).
//
// Dst data are 32 bits in storage order here (MU 1.1); a 16-bit datum is in the upper half, so that
// the index which GMPOOL can return has its place in the lower one.
#pragma once

#include "chip/semantics/dst_format.h"

namespace lanewise::semantics {

/// What a number is taken for in SrcA or Dst.
enum class PoolFormat : std::uint8_t { Bf16, Fp16, Tf32, Integer };

/// Sign and magnitude: 9 bits of exponent, which is SrcA's plus SrcB's, above 10 of mantissa; or 19
/// bits of an integer.
struct PoolDatum {
  bool negative = false;
  std::uint32_t magnitude = 0;

  /// Two numbers compare as these do.
  constexpr std::int32_t order() const {
    const auto value = static_cast<std::int32_t>(magnitude);
    return negative ? -value : value;
  }
};

/// Below every number, also below an invalid row of Dst.
inline constexpr PoolDatum kPoolMinusInfinity{.negative = true, .magnitude = 0x7FFFF};

/// Fraction bits of a magnitude.
inline constexpr unsigned kPoolFraction = 10;

namespace detail {

inline constexpr std::uint32_t kBf16Magnitude = 0x7FFF8; ///< 7 bits of mantissa

/// What Dst's exponents lack against the sums of SrcA's and SrcB's: SrcB's 1.0.
LANEWISE_INLINE constexpr std::uint32_t pool_bias(PoolFormat dst) {
  return dst == PoolFormat::Fp16 ? 15 : 127;
}

} // namespace detail

constexpr PoolDatum read_pool_dst(std::uint32_t stored, PoolFormat format) {
  const bool negative = (stored >> 31) != 0;
  const std::uint32_t bias = detail::pool_bias(format) << kPoolFraction;
  const std::uint32_t pattern = unshuffle_32(stored);
  switch (format) {
    case PoolFormat::Integer: return {negative, pattern & 0x7FFFF};
    case PoolFormat::Fp16:
      return {negative, ((stored >> 16 & 31) << kPoolFraction | (stored >> 21 & 0x3FF)) + bias};
    case PoolFormat::Tf32: return {negative, (pattern >> 13 & 0x3FFFF) + bias};
    case PoolFormat::Bf16:
      return {negative, ((pattern >> 13 & 0x3FFFF) & detail::kBf16Magnitude) + bias};
  }
  return {};
}

/// A scale of SrcB other than 1.0 can make exponents wrap around; integers keep 13 bits.
constexpr std::uint32_t write_pool_dst(PoolDatum datum, PoolFormat format) {
  const std::uint32_t sign = datum.negative ? 0x80000000U : 0;
  if (format == PoolFormat::Integer) return sign | (datum.magnitude & 0x1FFF);
  const std::uint32_t exponent_mask = format == PoolFormat::Fp16 ? 0x3F : 0x1FF;
  if ((datum.magnitude >> kPoolFraction & exponent_mask) == 0) return 0;
  const std::uint32_t exponent = (datum.magnitude >> kPoolFraction) - detail::pool_bias(format);
  const std::uint32_t mantissa = datum.magnitude & 0x3FF;
  if (format == PoolFormat::Fp16) return sign | mantissa << 21 | (exponent & 31) << 16;
  const std::uint32_t kept = format == PoolFormat::Bf16 ? mantissa & 0x3F8 : mantissa;
  return shuffle_32(sign | (exponent & 0xFF) << 23 | kept << 13);
}

/// A cell of SrcA scaled by the exponent of a cell of SrcB. `to_dst` is what the exponents of Dst
/// are above those of SrcA: 112 from FP16 to TF32, else 0.
constexpr PoolDatum scale_pool_source(std::uint32_t cell, std::uint32_t scale, PoolFormat format,
                                      std::uint32_t to_dst) {
  const std::uint32_t scale_exponent = scale >> 23 & 0xFF;
  const std::uint32_t exponent = cell >> 23 & 0xFF;
  if (scale_exponent == 0) return kPoolMinusInfinity;
  if (exponent == 0) return {}; // denormals are flushed
  const bool negative = (cell >> 31) != 0;
  const std::uint32_t mantissa = cell >> 13 & 0x3FF;
  std::uint32_t sum = 0;
  switch (format) {
    case PoolFormat::Integer: return {negative, mantissa};
    case PoolFormat::Fp16:
      // Against TF32 in Dst, SrcB's bias of 15 is made up to 127 as well.
      sum = (exponent & 31) + (scale_exponent & 31) + 2 * to_dst;
      return {negative, sum << kPoolFraction | mantissa};
    case PoolFormat::Tf32:
      return {negative, (exponent + scale_exponent) << kPoolFraction | mantissa};
    case PoolFormat::Bf16:
      return {negative, (exponent + scale_exponent) << kPoolFraction | (mantissa & 0x3F8)};
  }
  return {};
}

inline constexpr unsigned kPoolRows = 16;

/// The order in which rows are visited; among equal numbers the last one wins.
LANEWISE_INLINE constexpr unsigned pool_row(unsigned step) {
  return step < 8 ? step ^ 4U : step;
}

inline constexpr unsigned kIndexedPoolRows = 8; ///< the others have no index

/// The code that stands for one of these rows as index: 0, 3, 6, 1, 4, 7, 2, 5.
LANEWISE_INLINE constexpr std::uint32_t pool_index_code(unsigned row) {
  return 3 * row & 7;
}

/// Counts the calls that have updated a datum with an index, in bits 11:8.
constexpr std::uint32_t next_pool_phase(std::uint32_t stored) {
  return (stored + 0x100) & 0xF00;
}

/// A maximum under way in one column.
struct PoolMaximum {
  PoolDatum datum;
  std::uint32_t phase = 0;
  std::uint32_t index = 0;

  constexpr void visit(unsigned row, PoolDatum candidate) {
    if (candidate.order() < datum.order()) return;
    datum = candidate;
    if (row < kIndexedPoolRows) index = (phase >> 4) + pool_index_code(row);
  }
};

constexpr PoolMaximum start_pool_maximum(std::uint32_t stored, PoolFormat format) {
  return {.datum = read_pool_dst(stored, format),
          .phase = next_pool_phase(stored),
          .index = stored & 0xFF};
}

} // namespace lanewise::semantics
