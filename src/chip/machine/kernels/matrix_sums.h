// Sums of sixteen products, in two groups of eight (MU 5.3, 5.4, 6), one column per lane.
#pragma once

#include "chip/machine/kernels/matrix_rows.h"

namespace lanewise::LANEWISE_LEVEL {

inline constexpr unsigned kInner = 16; ///< products of a sum
inline constexpr unsigned kGroups = 2;
inline constexpr unsigned kGroup = kInner / kGroups;

/// The operands of a sum. SrcA's rows wrap around, SrcB's are aligned.
struct SumOperands {
  const std::uint32_t* a[kInner];
  const std::uint32_t (*b)[kSourceColumns];
  unsigned rows; ///< of SrcB
};

/// 16-bit halves of a and b multiplied with signs, the two products of a lane added.
LANEWISE_INLINE U multiply_add_halves(U a, U b) {
#if defined(__AVX512BW__)
  return (U)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (U)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
  return (U)_mm_madd_epi16((__m128i)a, (__m128i)b);
#endif
}

/// INT8: sums of products of the phase's magnitude bits, for each row (MU 6).
LANEWISE_INLINE void sum_integers(const SumOperands& operands, const MatrixMode& mode,
                                  std::uint32_t (*sums)[kDstColumns]) {
  const std::uint32_t bits_a = sem::int8_part_a(mode.phase), bits_b = sem::int8_part_b(mode.phase);
  // Pairs of neighbours along k share a lane, the first in the low half.
  const auto pair = [](U low, U high) { return (low & 0xFFFF) | (high << 16); };
  alignas(64) std::uint32_t pairs_a[kInner / 2][kDstColumns];
  alignas(64) std::uint16_t values_b[kMatrixRows][kInner];
  for (unsigned c = 0; c < kRowChunks; ++c) {
    for (unsigned k = 0; k < kInner; k += 2) {
      const U low = sem::int8_lanes(load(operands.a[k], c), bits_a, false);
      store(pairs_a[k / 2], c,
            pair(low, sem::int8_lanes(load(operands.a[k + 1], c), bits_a, false)));
    }
  }
  for (unsigned i = 0; i < operands.rows; ++i) {
    for (unsigned c = 0; c < kRowChunks; ++c) {
      const U value = sem::int8_lanes(load(operands.b[i], c), bits_b, mode.keeps_denormals);
      store_cells(values_b[i], c, value);
    }
  }
  for (unsigned i = 0; i < operands.rows; ++i) {
    for (unsigned c = 0; c < kRowChunks; ++c) {
      U sum{};
      for (unsigned k = 0; k < kInner; k += 2) {
        std::uint32_t pair_b = 0;
        __builtin_memcpy(&pair_b, &values_b[i][k], sizeof pair_b);
        sum += multiply_add_halves(load(pairs_a[k / 2], c), splat(pair_b));
      }
      store(sums[i], c, sum);
    }
  }
}

} // namespace lanewise::LANEWISE_LEVEL
