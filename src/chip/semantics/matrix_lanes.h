// The same arithmetic as chip/semantics/matrix*.h for lanes: how the kernels compute it (MU 5, 6).
//
// Rounding to the nearest is done twice over: with x doubled first, floor(x * 2 / 2^d) has the bit
// that decides, so ((x * 2 >> d) + 1) >> 1 is right for d = 0 too.
#pragma once

#include "chip/semantics/float_fields.h"
#include "chip/semantics/integer.h"
#include "chip/semantics/matrix.h"

namespace lanewise::semantics {

/// A term (MU 5), its value doubled: value * 2, a multiple of 2^14.
template <class U>
struct TermLanes {
  U doubled, exponent;
};

/// Places from the 10 fraction bits of products and sums to those of a doubled term.
inline constexpr int kSumToDoubled = kProductToTerm + 1;

namespace detail {

/// Arithmetic shift right, the same for all lanes.
template <class U>
LANEWISE_INLINE constexpr U shift_all_signed(U a, int n) {
  return (U)((Signed<U>)a >> n);
}

/// Arithmetic shift right for every n; above 31 as for 31.
template <class U>
LANEWISE_INLINE constexpr U shift_right_signed_any(U a, U n) {
  if constexpr (in_zmm<U>) {
    return (U)_mm512_maskz_srav_epi32(0xFFFF, (__m512i)a, (__m512i)n);
  } else if constexpr (in_ymm<U>) {
    return (U)_mm256_srav_epi32((__m256i)a, (__m256i)n);
  } else {
    const U last = splat<U>(31);
    return shift_right_signed<U>(a, select<U>(at_most_unsigned<U>(n, last), n, last));
  }
}

/// Rounds a doubled number, half toward +infinity, and undoes the doubling.
template <class U>
LANEWISE_INLINE constexpr U halve_upward(U doubled) {
  return shift_all_signed<U>(doubled + 1, 1);
}

/// MU 5.5, step 3: 13 more places, half upward, of a doubled number that has not been rounded yet.
/// With y = floor((d + 1) / 2), floor((y + 2^12) / 2^13) is floor((d + 1 + 2^13) / 2^14): both
/// roundings at once.
template <class U>
LANEWISE_INLINE constexpr U round_to_10_bits(U doubled) {
  return shift_all_signed<U>(doubled + ((1U << kProductToTerm) + 1), kProductToTerm + 1);
}

/// Aligned terms, with 23 fraction bits or, as 16-bit Dst has them, with 10.
template <bool Wide, class U>
LANEWISE_INLINE constexpr U align_term(U doubled, U distance) {
  const U aligned = shift_right_signed_any<U>(doubled, distance);
  return Wide ? halve_upward<U>(aligned) : round_to_10_bits<U>(aligned);
}

/// Of magnitudes, so that half goes away from zero.
template <class U>
LANEWISE_INLINE constexpr U align_magnitude(U doubled, U distance) {
  return (shift_right_or_zero<U>(doubled, distance) + 1) >> 1;
}

template <bool Wide, class U>
LANEWISE_INLINE constexpr U align_dst(U doubled, U distance) {
  const U aligned = shift_right_or_zero<U>(doubled, distance);
  return Wide ? (aligned + 1) >> 1 : round_to_10_bits<U>(aligned);
}

} // namespace detail

/// Numbers of Dst as they are stored (MU 1.1): a cell in the low half of each lane, in 32-bit Dst
/// the high one and the low one.
template <class U>
struct StoredLanes {
  U high, low;
};

namespace detail {

/// Where a cell has its parts. The mantissa's place is such that it moves by 9 to where a doubled
/// term has it, and by 15 from where it is rounded.
template <bool Exponent5, bool Wide>
struct CellLayout {
  static constexpr bool kFp16 = Exponent5 && !Wide;
  static constexpr Lane kSign = 0x8000;
  static constexpr Lane kExponent = kFp16 ? 0x1F : 0xFF;
  static constexpr Lane kMantissa = 0x7FFF & ~kExponent;
  /// MU 5.5, step 6: FP16 saturates, the others become infinite.
  static constexpr Lane kOverflow = kFp16 ? 0x7FFF : 0x00FF;
  static constexpr int kLargestExponent = kFp16 ? 31 : 254;
  static constexpr int kToDoubledTerm = 9;
  static constexpr int kFromFloat = 8;
  static constexpr int kFromRounded = 15;
  static constexpr Lane kDoubledHiddenOne = 1U << (kTermFraction + 1);
};

/// A sum as its cell has it, before it is known whether it can: mantissa and exponent, and what
/// stands in the cell below, in 32-bit Dst.
template <class U>
struct Normalised {
  U mantissa, exponent, low;
};

/// Normalises and rounds, half away from zero, a sum that has 23 fraction bits or, in 16-bit Dst,
/// 10.
template <bool Exponent5, bool Wide, class U>
LANEWISE_INLINE constexpr Normalised<U> normalise(U value, U exponent) {
  using Cell = CellLayout<Exponent5, Wide>;
  if constexpr (Wide) {
    // The highest bit goes to bit 30; rounding may carry into bit 31.
    const U absolute = absolute_signed(value);
    const U places = leading_zeros(absolute) - 1;
    const U normal = shift_left<U>(absolute, places) + (1U << 6);
    return {.mantissa = (normal >> Cell::kFromRounded) & Cell::kMantissa,
            .exponent = (exponent - places) + (normal >> 30) + (29 - kTermFraction),
            .low = (normal >> 7) & 0xFFFF};
  } else {
    // The host's conversion is exact, since such sums have less than 24 bits. Half of the last
    // place that the cell has is added; what is below it is cut off.
    constexpr int kPlaces = Exponent5 ? 10 : 7, kHalf = 22 - kPlaces, kBias = 127;
    const U rounded = float_of_int<U>(value) + (1U << kHalf);
    return {.mantissa = (rounded >> Cell::kFromFloat) & Cell::kMantissa,
            .exponent = exponent_field(rounded) + exponent - (kBias + kSourceFraction),
            .low = U{}};
  }
}

} // namespace detail

/// accumulate() of chip/semantics/matrix_accumulate.h. `NoneIsZero`: terms without positive
/// exponent are zero, as those of products are; then a sum of nothing but such is zero by itself.
template <bool Exponent5, bool Wide, bool Erratum, bool NoneIsZero, class U>
LANEWISE_INLINE constexpr StoredLanes<U> accumulate_lanes(TermLanes<U> first, TermLanes<U> second,
                                                          StoredLanes<U> dst) {
  using Cell = detail::CellLayout<Exponent5, Wide>;
  const U dst_exponent = dst.high & Cell::kExponent;
  U dst_doubled = ((dst.high << Cell::kToDoubledTerm) & (Cell::kMantissa << Cell::kToDoubledTerm)) |
                  Cell::kDoubledHiddenOne;
  if constexpr (Wide) dst_doubled |= dst.low << 1;
  dst_doubled = keep_where<U>(any_common_bit(dst.high, splat<U>(Cell::kExponent)), dst_doubled);

  const U exponent = max_signed<U>(max_signed<U>(first.exponent, second.exponent), dst_exponent);
  const U terms = detail::align_term<Wide, U>(first.doubled, exponent - first.exponent) +
                  detail::align_term<Wide, U>(second.doubled, exponent - second.exponent);
  const Mask<U> dst_negative = any_common_bit(dst.high, splat<U>(Cell::kSign));
  const U value = add_or_subtract<U>(
      dst_negative, terms, detail::align_dst<Wide, U>(dst_doubled, exponent - dst_exponent));

  const detail::Normalised<U> normal = detail::normalise<Exponent5, Wide, U>(value, exponent);
  U high = normal.mantissa | normal.exponent;
  const Mask<U> overflow = greater_signed(normal.exponent, splat<U>(Cell::kLargestExponent));
  high = select<U>(overflow, splat<U>(Cell::kOverflow), high);
  high |= (value >> 16) & Cell::kSign;
  // Sums of zero, sums without exponent and results too small are +0.
  Mask<U> kept =
      both<Mask<U>>(not_equal(value, splat<U>(0)), greater_signed(normal.exponent, splat<U>(0)));
  if constexpr (!NoneIsZero) kept = both<Mask<U>>(kept, greater_signed(exponent, splat<U>(0)));
  U low{};
  if constexpr (Wide) {
    low = keep_where<U>(and_not<Mask<U>>(kept, overflow), normal.low);
  }
  high = keep_where<U>(kept, high);
  if constexpr (Erratum && Wide) {
    const Mask<U> minus_one = equal(value, splat<U>(~0U));
    const U wrong = exponent + 4;
    const U packed = select<U>(greater_signed(wrong, splat<U>(Cell::kLargestExponent)),
                               splat<U>(Cell::kOverflow), wrong);
    high = select<U>(minus_one, packed | Cell::kSign, high);
    low = select<U>(minus_one, splat<U>(0), low);
  }
  return {.high = high, .low = low};
}

/// Constants of an instruction for its lanes.
struct MatrixParts {
  unsigned shift_a, shift_b, scale_b; ///< part = (cell >> shift & mask | hidden) << scale
  Lane mask_a, mask_b, hidden_a, hidden_b;
  std::int32_t offset, zero_exponent; ///< K and Z
};

/// MU 5.3: the bits of a cell that a phase multiplies.
LANEWISE_INLINE constexpr MatrixParts matrix_parts(const MatrixFloat& mode) {
  const bool low_a = (mode.phase & 1) != 0, low_b = (mode.phase & 2) != 0;
  return {.shift_a = low_a ? 14U : 19U,
          .shift_b = low_b ? 13U : 17U,
          .scale_b = low_b ? 3U : 0U,
          .mask_a = low_a ? 0x1FU : 0x0FU,
          .mask_b = low_b ? 0x0FU : 0x3FU,
          .hidden_a = low_a ? 0U : 0x10U,
          .hidden_b = low_b ? 0U : 0x40U,
          .offset = product_exponent_offset(mode),
          .zero_exponent = zero_product_exponent(mode)};
}

/// multiply_term() of chip/semantics/matrix_terms.h.
template <class U>
LANEWISE_INLINE constexpr TermLanes<U> multiply_term_lanes(const MatrixParts& parts,
                                                           bool keeps_denormals, U a, U b) {
  const U part_a = ((a >> parts.shift_a) & parts.mask_a) | parts.hidden_a;
  const U part_b = (((b >> parts.shift_b) & parts.mask_b) | parts.hidden_b) << parts.scale_b;
  const U exponent = exponent_field(a) + exponent_field(b) + static_cast<Lane>(parts.offset);
  Mask<U> alive = both<Mask<U>>(any_common_bit(a, splat<U>(kExponentMask)),
                                greater_signed(exponent, splat<U>(0)));
  if (!keeps_denormals) alive = both<Mask<U>>(alive, any_common_bit(b, splat<U>(kExponentMask)));
  const U product = part_a * part_b;
  return {.doubled = keep_where<U>(
              alive, add_or_subtract<U>(negative(a ^ b), U{}, product << kSumToDoubled)),
          .exponent = select<U>(alive, exponent, splat<U>(static_cast<Lane>(parts.zero_exponent)))};
}

/// add_term() of chip/semantics/matrix_terms.h.
template <bool Exponent5, bool Wide, class U>
LANEWISE_INLINE constexpr TermLanes<U> add_term_lanes(unsigned phase, bool keeps_denormals, U a,
                                                      U b) {
  const auto flushed = [](U x) {
    return keep_where<U>(any_common_bit(x, splat<U>(kExponentMask)), x);
  };
  a = flushed(a);
  b = keeps_denormals ? keep_where<U>(any_common_bit(b, splat<U>(~kSign)), b) : flushed(b);
  const Mask<U> swapped = greater_unsigned<U>(b & ~kSign, a & ~kSign);
  const U larger = select<U>(swapped, b, a), smaller = select<U>(swapped, a, b);
  const auto mantissa = [](U x) {
    const U bits = ((x >> 13) & 0x3FF) | 0x400;
    return keep_where<U>(any_common_bit(x, splat<U>(~kSign)), bits);
  };
  U exponent = exponent_field(larger);
  const U aligned =
      detail::align_magnitude<U>(mantissa(smaller) << 1, exponent - exponent_field(smaller));
  const U magnitude = add_or_subtract<U>(negative(larger ^ smaller), mantissa(larger), aligned);
  if constexpr (Exponent5 && Wide) {
    exponent = select<U>(equal(exponent, splat<U>(0)), splat<U>(97), exponent + 112);
  }
  return {.doubled = add_or_subtract<U>(negative(larger), U{}, magnitude << kSumToDoubled),
          .exponent = exponent - static_cast<Lane>(phase_offset(phase))};
}

/// int8_operand() of chip/semantics/matrix_integer.h.
template <class U>
LANEWISE_INLINE constexpr U int8_lanes(U cell, Lane magnitude_mask, bool keeps_denormals) {
  const U magnitude = (cell >> 13) & magnitude_mask;
  const U value = add_or_subtract<U>(negative(cell), U{}, magnitude);
  if (keeps_denormals) return value;
  return keep_where<U>(any_common_bit(cell, splat<U>(kExponentMask)), value);
}

/// accumulate_integer() of chip/semantics/matrix_integer.h.
template <class U>
LANEWISE_INLINE constexpr StoredLanes<U> accumulate_integer_lanes(U sum, StoredLanes<U> dst) {
  const U magnitude = ((dst.high & 0xFF) << 23) | ((dst.high & 0x7F00) << 8) | dst.low;
  const Mask<U> dst_negative = any_common_bit(dst.high, splat<U>(0x8000));
  const U value = add_or_subtract<U>(dst_negative, U{}, magnitude);
  const U total = value + sum;
  // Both of one sign and the total of the other; or -2^31, which sign-magnitude does not have.
  const Mask<U> wrapped = negative<U>((value ^ total) & (sum ^ total));
  const Mask<U> too_small = equal(total, splat<U>(kSign));
  const U sign = select<U>(wrapped, value, total) & kSign;
  const U clamped =
      select<U>(either<Mask<U>>(wrapped, too_small), splat<U>(~kSign), absolute_signed(total));
  const U high = (sign >> 16) | ((clamped >> 8) & 0x7F00) | ((clamped >> 23) & 0xFF);
  return {.high = high, .low = clamped & 0xFFFF};
}

} // namespace lanewise::semantics
