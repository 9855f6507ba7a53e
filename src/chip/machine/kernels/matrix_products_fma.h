// Terms of sixteen products as chains of the host's fused multiply-adds (MU 5.3, 5.4), one column
// per lane, for levels that have them.
//
// In a group of products whose largest exponent is e, everything is a multiple of one unit: the
// last place of a product at e. With
//   a = +-part_a * 2^eA,  b = +-part_b * (1 + 2^-17) * 2^eB,  M = 1.5 * 2^23 units,
// t = a * b + t, from t = M on, rounds one product to units and adds it, since all these t have the
// unit as their last place (sums stay below 2^15 units). Rounded to nearest, half goes away from
// zero, as it must: a product is below 2^12 of its own units, so that the factor 1 + 2^-17 lifts it
// over the tie and never as far as the next one. In the end, the bits of t and M differ by the sum.
//
// M and every factor must be ordinary floats: M's exponent is far above the smallest one, and
// fits() says whether all exponents are small enough.
#pragma once

#include "chip/machine/kernels/matrix_sums.h"

namespace lanewise::LANEWISE_LEVEL {

/// Two numbers of 16 bits per column, products that are neighbours along k.
typedef std::int16_t Halves __attribute__((vector_size(kVectorBytes)));

LANEWISE_INLINE Halves max_halves(Halves a, Halves b) {
#if defined(__AVX512BW__)
  return (Halves)_mm512_maskz_max_epi16(~__mmask32{0}, (__m512i)a, (__m512i)b);
#else
  return (Halves)_mm256_max_epi16((__m256i)a, (__m256i)b);
#endif
}

/// Bits of floats: a * b + c.
LANEWISE_INLINE U fused_multiply_add(U a, U b, U c) {
#if defined(__AVX512F__)
  return (U)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#else
  return (U)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#endif
}

/// Whether a cell is only cut, or also scaled, and whether it becomes a fraction, as template
/// arguments: what is the same for all cells of an instruction is asked once.
template <class Function>
LANEWISE_INLINE auto with_factor(bool is_fraction, bool is_scaled, Function&& function) {
  if (is_fraction && is_scaled) return function.template operator()<true, true>();
  if (is_fraction) return function.template operator()<true, false>();
  if (is_scaled) return function.template operator()<false, true>();
  return function.template operator()<false, false>();
}

/// Bits of floats: a * b.
LANEWISE_INLINE U multiply_floats(U a, U b) {
  using Floats = sem::detail::Views<U>::Float;
  return (U)((Floats)a * (Floats)b);
}

/// How the bits of a cell that a phase multiplies become a float: with sign and exponent as they
/// are, a fraction of `places` bits; or the number `bits` of the cell, to be shifted down, times
/// 2^exponent.
struct FactorPart {
  bool is_fraction;
  unsigned shift;
  std::uint32_t bits;
  int places;
};

LANEWISE_INLINE FactorPart factor_part_a(unsigned phase) {
  if ((phase & 1) != 0) return {.is_fraction = false, .shift = 14, .bits = 0x1F << 14, .places = 0};
  return {.is_fraction = true, .shift = 0, .bits = 0x00780000U, .places = 4};
}

LANEWISE_INLINE FactorPart factor_part_b(unsigned phase) {
  if ((phase & 2) != 0) return {.is_fraction = false, .shift = 13, .bits = 0x0F << 13, .places = 3};
  return {.is_fraction = true, .shift = 0, .bits = 0x007E0000U, .places = 6};
}

/// Terms of the products of one instruction; see above.
class FmaProducts {
 public:
  LANEWISE_INLINE FmaProducts(const SumOperands& operands, const MatrixMode& mode)
      : parts_(sem::matrix_parts(float_mode(mode))),
        rebias_(mode.arithmetic == sem::MatrixArithmetic::Exponent5 ? kRebias : 0) {
    const FactorPart part_a = factor_part_a(mode.phase), part_b = factor_part_b(mode.phase);
    for (unsigned c = 0; c < kRowChunks; ++c) {
      const Halves largest_a =
          with_factor(part_a.is_fraction, rebias_ != 0, [&]<bool IsFraction, bool IsScaled>() {
            return prepare_a<IsFraction, IsScaled>(operands, part_a, mode.srca_mask, c);
          });
      const Halves largest_b =
          with_factor(part_b.is_fraction, true, [&]<bool IsFraction, bool IsScaled>() {
            return prepare_b<IsFraction, IsScaled>(operands, part_b, mode.srcb_mask, c);
          });
      const U limit = splat((kLargestExponent - rebias_) * kInBothHalves);
      const Halves largest = max_halves(max_halves(largest_a, largest_b), (Halves)limit);
      fits_ &= compress_mask(sem::not_equal((U)largest, limit), 0) == 0;
    }
    // The exponent of M is 23 above that of the unit.
    magic_ = static_cast<std::uint32_t>(kMantissaBits - kBias - parts_.offset - part_a.places -
                                        part_b.places) +
             2 * rebias_;
  }

  /// Whether terms come out right: no exponent is above 2^52.
  bool fits() const { return fits_; }

  /// The sum of a group of products of one row (MU 5.4).
  LANEWISE_INLINE sem::TermLanes<U> term(unsigned group, unsigned row, unsigned chunk) const {
    const unsigned first = group * kGroup;
    Halves largest =
        (Halves)splat(static_cast<std::uint32_t>(parts_.zero_exponent) * kInBothHalves);
    for (unsigned k = first; k < first + kGroup; k += 2) {
      std::uint32_t pair_b = 0;
      __builtin_memcpy(&pair_b, &exponent_b_[row][k], sizeof pair_b);
      largest =
          max_halves(largest, (Halves)load(exponent_a_[k / 2], chunk) + (Halves)splat(pair_b));
    }
    const U swapped = ((U)largest >> 16) | ((U)largest << 16);
    const U exponent = (U)max_halves(largest, (Halves)swapped); // in both halves
    const U magic = (exponent << kMantissaBits) + ((magic_ << kMantissaBits) | kHalfOfMantissa);
    U sum = magic;
    for (unsigned k = first; k < first + kGroup; ++k)
      sum = fused_multiply_add(load(a_[k], chunk), splat(b_[row][k]), sum);
    const U term_exponent = exponent >> 16;
    // A group without positive exponent is nothing.
    const Mask positive = sem::greater_signed(term_exponent, U{});
    return {.doubled = sem::keep_where<U>(positive, (sum - magic) << sem::kSumToDoubled),
            .exponent = term_exponent};
  }

 private:
  static constexpr int kMantissaBits = 23, kBias = 127;
  static constexpr std::uint32_t kHalfOfMantissa = 1U << 22;
  static constexpr std::uint32_t kInBothHalves = 0x10001U;
  /// Two such exponents make a product of which M is still finite: 179 + 179 - 104 = 254.
  static constexpr std::uint32_t kLargestExponent = 179;
  /// What is added to 5-bit exponents, so that products of FP16 are ordinary floats too.
  static constexpr std::uint32_t kRebias = 112;
  static constexpr std::uint32_t kOne = 0x3F800000U;
  static constexpr std::uint32_t kTieBreaker = 1U << 6; ///< 2^-17 in the mantissa of 1

  /// Factors and exponents of SrcA, pair by pair; the largest of these.
  template <bool IsFraction, bool IsScaled>
  LANEWISE_INLINE Halves prepare_a(const SumOperands& operands, const FactorPart& part,
                                   std::uint32_t mask, unsigned c) {
    Halves largest{};
    const U scale = splat(kOne + (rebias_ << kMantissaBits));
    for (unsigned k = 0; k < kInner; k += 2) {
      const U even = load(operands.a[k], c), odd = load(operands.a[k + 1], c);
      store(a_[k], c, factor<IsFraction, IsScaled>(part, even, mask, scale));
      store(a_[k + 1], c, factor<IsFraction, IsScaled>(part, odd, mask, scale));
      const Halves exponent = exponents_of(even, odd, mask);
      largest = max_halves(largest, exponent);
      store(exponent_a_[k / 2], c, (U)exponent);
    }
    return largest;
  }

  /// Factors and exponents of SrcB, row by row, with K in the exponents; the largest without it.
  template <bool IsFraction, bool IsScaled>
  LANEWISE_INLINE Halves prepare_b(const SumOperands& operands, const FactorPart& part,
                                   std::uint32_t mask, unsigned c) {
    Halves largest{};
    const U scale = splat(kOne + (rebias_ << kMantissaBits) + kTieBreaker);
    for (unsigned i = 0; i < operands.rows; ++i) {
      const U cell = load(operands.b[i], c);
      store(b_[i], c, factor<IsFraction, IsScaled>(part, cell, mask, scale));
      const Halves exponent = exponents_of(cell, U{}, mask);
      largest = max_halves(largest, exponent);
      store_cells(exponent_b_[i], c, (U)exponent + static_cast<std::uint32_t>(parts_.offset));
    }
    return largest;
  }

  /// The part of a cell as a float, times `scale`, 2^rebias and 1 or 1 + 2^-17, where that is
  /// not 1. Cells without exponent are 0 to who multiplies them: denormals are zeros to the host
  /// (chip/machine/host_arithmetic.h).
  template <bool IsFraction, bool IsScaled>
  LANEWISE_INLINE static U factor(const FactorPart& part, U cell, std::uint32_t mask, U scale) {
    constexpr std::uint32_t kPower = sem::kSign | sem::kExponentMask;
    const U power = cell & ((IsFraction ? kPower | part.bits : kPower) & mask);
    const U scaled = IsScaled ? multiply_floats(power, scale) : power;
    if constexpr (IsFraction) return scaled;
    return multiply_floats(scaled, sem::float_of_int<U>((cell & (part.bits & mask)) >> part.shift));
  }

  /// Exponents of two cells of a column. Zeros have one so small that it never is the largest.
  LANEWISE_INLINE static Halves exponents_of(U even, U odd, std::uint32_t mask) {
    const std::uint32_t bits = ((mask & sem::kExponentMask) >> 16) * kInBothHalves;
    const auto exponent = (Halves)((((even >> 16) | (odd & 0xFFFF0000U)) & bits) >> 7);
    const Halves is_zero = (exponent - 1) >> 15;
    return exponent | (is_zero & -4096);
  }

  sem::MatrixParts parts_;
  std::uint32_t rebias_;
  std::uint32_t magic_; ///< exponent of M where that of the group is 0
  bool fits_ = true;
  alignas(64) std::uint32_t a_[kInner][kSourceColumns];
  alignas(64) std::uint32_t b_[kMatrixRows][kInner];
  alignas(64) std::uint32_t exponent_a_[kInner / 2][kSourceColumns];
  alignas(64) std::uint16_t exponent_b_[kMatrixRows][kInner];
};

} // namespace lanewise::LANEWISE_LEVEL
