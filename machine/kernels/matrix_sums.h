// Sums of sixteen products, in two groups of eight (MU 5.3, 5.4, 6), one column per lane.
#pragma once

#include "machine/kernels/matrix_rows.h"

namespace lanewise::LANEWISE_LEVEL {

inline constexpr unsigned kInner = 16; ///< products of a sum
inline constexpr unsigned kGroups = 2;
inline constexpr unsigned kGroup = kInner / kGroups;

/// Terms of both groups, for each row of the result.
struct GroupTerms {
  alignas(64) std::uint32_t sum[kGroups][kMatrixRows][kDstColumns];
  alignas(64) std::uint32_t exponent[kGroups][kMatrixRows][kDstColumns];

  LANEWISE_INLINE sem::TermLanes<U> term(unsigned group, unsigned row, unsigned chunk) const {
    return {.sum = load(sum[group][row], chunk), .exponent = load(exponent[group][row], chunk)};
  }
};

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

/// An exponent so small that it never is the largest: that of zeros.
inline constexpr std::uint32_t kNoExponent = static_cast<std::uint32_t>(-4096);

/// Parts of the operands, for one phase.
struct PreparedProducts {
  alignas(64) std::uint32_t part_a[kInner][kSourceColumns], exponent_a[kInner][kSourceColumns];
  alignas(64) std::uint32_t sign_a[kInner][kSourceColumns];
  alignas(64) std::uint32_t part_b[kMatrixRows][kInner], exponent_b[kMatrixRows][kInner];
  alignas(64) std::uint32_t sign_b[kMatrixRows][kInner];
};

LANEWISE_INLINE U exponent_or_none(U cell) {
  const Mask nonzero = sem::any_common_bit(cell, splat(sem::kExponentMask));
  return sem::select<U>(nonzero, sem::exponent_field(cell), splat(kNoExponent));
}

LANEWISE_INLINE void prepare_products(const SumOperands& operands, const MatrixMode& mode,
                                      const sem::MatrixParts& parts, PreparedProducts& p) {
  for (unsigned c = 0; c < kRowChunks; ++c) {
    for (unsigned k = 0; k < kInner; ++k) {
      const U cell = load(operands.a[k], c) & mode.srca_mask;
      const Mask nonzero = sem::any_common_bit(cell, splat(sem::kExponentMask));
      const U part = ((cell >> parts.shift_a) & parts.mask_a) | parts.hidden_a;
      store(p.part_a[k], c, sem::keep_where<U>(nonzero, part));
      store(p.exponent_a[k], c, exponent_or_none(cell));
      store(p.sign_a[k], c, sem::sign_extended(cell));
    }
    for (unsigned i = 0; i < operands.rows; ++i) {
      const U cell = load(operands.b[i], c) & mode.srcb_mask;
      const Mask nonzero = sem::any_common_bit(cell, splat(sem::kExponentMask));
      const U part = (((cell >> parts.shift_b) & parts.mask_b) | parts.hidden_b) << parts.scale_b;
      store(p.part_b[i], c, sem::keep_where<U>(nonzero, part));
      store(p.exponent_b[i], c, exponent_or_none(cell) + static_cast<std::uint32_t>(parts.offset));
      store(p.sign_b[i], c, sem::sign_extended(cell));
    }
  }
}

/// One group of one row of the result.
LANEWISE_INLINE sem::TermLanes<U> sum_group(const PreparedProducts& p, unsigned first, unsigned row,
                                            unsigned chunk, U zero_exponent) {
  U exponent[kGroup];
  U largest = zero_exponent;
  for (unsigned k = 0; k < kGroup; ++k) {
    exponent[k] = load(p.exponent_a[first + k], chunk) + p.exponent_b[row][first + k];
    largest = sem::max_signed(largest, exponent[k]);
  }
  U sum{};
  for (unsigned k = 0; k < kGroup; ++k) {
    // Both factors fit 16 bits and their high halves are 0.
    const U product =
        multiply_add_halves(load(p.part_a[first + k], chunk), splat(p.part_b[row][first + k]));
    const U aligned = sem::detail::align_magnitude<U>(product, largest - exponent[k]);
    const U sign = load(p.sign_a[first + k], chunk) ^ p.sign_b[row][first + k];
    sum += (aligned ^ sign) - sign;
  }
  // A group without positive exponent is nothing; without products its exponent is Z.
  const Mask positive = sem::greater_signed(largest, U{});
  return {.sum = sem::keep_where<U>(positive, sum), .exponent = largest};
}

LANEWISE_INLINE void sum_products(const SumOperands& operands, const MatrixMode& mode,
                                  GroupTerms& terms) {
  const sem::MatrixParts parts = sem::matrix_parts(float_mode(mode));
  PreparedProducts prepared;
  prepare_products(operands, mode, parts, prepared);
  const U zero_exponent = splat(static_cast<std::uint32_t>(parts.zero_exponent));
  for (unsigned g = 0; g < kGroups; ++g) {
    for (unsigned i = 0; i < operands.rows; ++i) {
      for (unsigned c = 0; c < kRowChunks; ++c) {
        const sem::TermLanes<U> term = sum_group(prepared, g * kGroup, i, c, zero_exponent);
        store(terms.sum[g][i], c, term.sum);
        store(terms.exponent[g][i], c, term.exponent);
      }
    }
  }
}

/// INT8: sums of products of the phase's magnitude bits, for each row (MU 6).
LANEWISE_INLINE void sum_integers(const SumOperands& operands, const MatrixMode& mode,
                                  std::uint32_t (*sums)[kDstColumns]) {
  const std::uint32_t bits_a = sem::int8_part_a(mode.phase), bits_b = sem::int8_part_b(mode.phase);
  // Pairs of neighbours along k share a lane, the first in the low half.
  const auto pair = [](U low, U high) { return (low & 0xFFFF) | (high << 16); };
  alignas(64) std::uint32_t pairs_a[kInner / 2][kDstColumns];
  alignas(64) std::uint32_t pairs_b[kMatrixRows][kInner / 2];
  for (unsigned c = 0; c < kRowChunks; ++c) {
    for (unsigned k = 0; k < kInner; k += 2) {
      const U low = sem::int8_lanes(load(operands.a[k], c), bits_a, false);
      store(pairs_a[k / 2], c,
            pair(low, sem::int8_lanes(load(operands.a[k + 1], c), bits_a, false)));
    }
  }
  for (unsigned i = 0; i < operands.rows; ++i) {
    alignas(64) std::uint32_t value[kInner];
    for (unsigned c = 0; c < kRowChunks; ++c)
      store(value, c, sem::int8_lanes(load(operands.b[i], c), bits_b, mode.keeps_denormals));
    for (unsigned k = 0; k < kInner; k += 2)
      pairs_b[i][k / 2] = (value[k] & 0xFFFF) | (value[k + 1] << 16);
  }
  for (unsigned i = 0; i < operands.rows; ++i) {
    for (unsigned c = 0; c < kRowChunks; ++c) {
      U sum{};
      for (unsigned k = 0; k < kInner / 2; ++k)
        sum += multiply_add_halves(load(pairs_a[k], c), splat(pairs_b[i][k]));
      store(sums[i], c, sum);
    }
  }
}

} // namespace lanewise::LANEWISE_LEVEL
