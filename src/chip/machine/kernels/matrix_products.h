// Terms of sixteen products by integers, for every x86-64 level and all operands (MU 5.3, 5.4), one
// column per lane of 32 bits.
#pragma once

#include "chip/machine/kernels/matrix_sums.h"

namespace lanewise::LANEWISE_LEVEL {

/// The parts of both operands for one phase, from which terms are summed row by row.
class ShiftedProducts {
 public:
  ShiftedProducts(const SumOperands& operands, const MatrixMode& mode)
      : parts_(sem::matrix_parts(float_mode(mode))) {
    for (unsigned c = 0; c < kRowChunks; ++c) {
      for (unsigned k = 0; k < kInner; ++k)
        prepare_a(k, c, load(operands.a[k], c) & mode.srca_mask);
      for (unsigned i = 0; i < operands.rows; ++i)
        prepare_b(i, c, load(operands.b[i], c) & mode.srcb_mask);
    }
  }

  /// The sum of a group of products of one row (MU 5.4).
  LANEWISE_INLINE sem::TermLanes<U> term(unsigned group, unsigned row, unsigned chunk) const {
    const unsigned first = group * kGroup;
    U exponent[kGroup];
    U largest = splat(static_cast<std::uint32_t>(parts_.zero_exponent));
    for (unsigned k = 0; k < kGroup; ++k) {
      exponent[k] = load(exponent_a_[first + k], chunk) + exponent_b_[row][first + k];
      largest = sem::max_signed(largest, exponent[k]);
    }
    U sum{};
    for (unsigned k = 0; k < kGroup; ++k) {
      // Both factors fit 16 bits and their high halves are 0.
      const U doubled =
          multiply_add_halves(load(part_a_[first + k], chunk), splat(part_b_[row][first + k]));
      const U aligned = sem::detail::align_magnitude<U>(doubled, largest - exponent[k]);
      const U sign = load(sign_a_[first + k], chunk) ^ sign_b_[row][first + k];
      sum += (aligned ^ sign) - sign;
    }
    // A group without positive exponent is nothing.
    const Mask positive = sem::greater_signed(largest, U{});
    return {.doubled = sem::keep_where<U>(positive, sum << sem::kSumToDoubled),
            .exponent = largest};
  }

 private:
  /// Zeros have so small an exponent that it never is the largest, which is at least Z; then
  /// nothing is left of their product when it is aligned.
  LANEWISE_INLINE static U exponent_of(U cell) {
    constexpr auto kNone = static_cast<std::uint32_t>(-4096);
    const Mask nonzero = sem::any_common_bit(cell, splat(sem::kExponentMask));
    return sem::select<U>(nonzero, sem::exponent_field(cell), splat(kNone));
  }
  LANEWISE_INLINE void prepare_a(unsigned k, unsigned c, U cell) {
    store(part_a_[k], c, ((cell >> parts_.shift_a) & parts_.mask_a) | parts_.hidden_a);
    store(exponent_a_[k], c, exponent_of(cell));
    store(sign_a_[k], c, sem::sign_extended(cell));
  }
  LANEWISE_INLINE void prepare_b(unsigned i, unsigned c, U cell) {
    const U part = ((cell >> parts_.shift_b) & parts_.mask_b) | parts_.hidden_b;
    store(part_b_[i], c, part << (parts_.scale_b + 1)); // twice, for rounding
    store(exponent_b_[i], c, exponent_of(cell) + static_cast<std::uint32_t>(parts_.offset));
    store(sign_b_[i], c, sem::sign_extended(cell));
  }

  sem::MatrixParts parts_;
  alignas(64) std::uint32_t part_a_[kInner][kSourceColumns];
  alignas(64) std::uint32_t exponent_a_[kInner][kSourceColumns];
  alignas(64) std::uint32_t sign_a_[kInner][kSourceColumns];
  alignas(64) std::uint32_t part_b_[kMatrixRows][kInner];
  alignas(64) std::uint32_t exponent_b_[kMatrixRows][kInner];
  alignas(64) std::uint32_t sign_b_[kMatrixRows][kInner];
};

} // namespace lanewise::LANEWISE_LEVEL
