// Rows of SrcA, SrcB and Dst as vectors of columns, for the kernels of the Matrix Unit.
#pragma once

#include "chip/machine/kernels/lane_access.h"
#include "chip/machine/matrix/arithmetic.h"
#include "chip/semantics/dst_format.h"
#include "chip/semantics/matrix_integer.h"
#include "chip/semantics/matrix_lanes.h"

namespace lanewise::LANEWISE_LEVEL {

namespace sem = semantics;

inline constexpr unsigned kRowChunks = kDstColumns / kWidth; ///< vectors of one row

// Intrinsics, for compilers take the plain conversions between 16 and 32 bits to pieces.

/// 16-bit cells, one per lane.
LANEWISE_INLINE U load_cells(const std::uint16_t* row, unsigned chunk) {
  const std::uint16_t* cells = row + chunk * kWidth;
#if defined(__AVX512F__)
  const __m256i packed = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(cells));
  return (U)_mm512_maskz_cvtepu16_epi32(0xFFFF, packed);
#elif defined(__AVX2__)
  return (U)_mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(cells)));
#else
  const __m128i packed = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(cells));
  return (U)_mm_unpacklo_epi16(packed, _mm_setzero_si128());
#endif
}

/// The low halves of the lanes.
LANEWISE_INLINE void store_cells(std::uint16_t* row, unsigned chunk, U value) {
  std::uint16_t* cells = row + chunk * kWidth;
#if defined(__AVX512F__)
  const __m256i packed = _mm512_maskz_cvtepi32_epi16(0xFFFF, (__m512i)value);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(cells), packed);
#elif defined(__AVX2__)
  const auto halves = (__m256i)(value & 0xFFFF);
  const __m128i packed =
      _mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(cells), packed);
#else
  // Packing saturates signed numbers, so each half is extended with its sign.
  const __m128i halves = _mm_srai_epi32(_mm_slli_epi32((__m128i)value, 16), 16);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(cells), _mm_packs_epi32(halves, halves));
#endif
}

using Stored = sem::StoredLanes<U>;

/// Columns of a row of Dst; `row` is physical.
template <bool Wide>
LANEWISE_INLINE Stored load_dst(const Dst& dst, unsigned row, unsigned chunk) {
  Stored stored{.high = load_cells(dst.cell[row], chunk), .low = U{}};
  if constexpr (Wide) stored.low = load_cells(dst.cell[row + kDstLowHalf], chunk);
  return stored;
}

template <bool Wide>
LANEWISE_INLINE void store_dst(Dst& dst, unsigned row, unsigned chunk, const Stored& stored) {
  store_cells(dst.cell[row], chunk, stored.high);
  if constexpr (Wide) store_cells(dst.cell[row + kDstLowHalf], chunk, stored.low);
}

/// Whether the operands have 5-bit exponents, and Dst 32 bits, as template arguments.
template <class Function>
LANEWISE_INLINE void with_float_mode(const MatrixMode& mode, Function&& function) {
  const bool exponent_5 = mode.arithmetic == sem::MatrixArithmetic::Exponent5;
  if (exponent_5 && mode.wide) return function.template operator()<true, true>();
  if (exponent_5) return function.template operator()<true, false>();
  if (mode.wide) return function.template operator()<false, true>();
  return function.template operator()<false, false>();
}

LANEWISE_INLINE sem::MatrixFloat float_mode(const MatrixMode& mode) {
  return {.exponent_5 = mode.arithmetic == sem::MatrixArithmetic::Exponent5,
          .wide = mode.wide,
          .phase = mode.phase,
          .keeps_denormals = mode.keeps_denormals};
}

} // namespace lanewise::LANEWISE_LEVEL
