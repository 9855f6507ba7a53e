// The same with AVX-512: lanes of 16 bits, so that a vector holds two products of all sixteen
// columns.
//
// The two are neighbours along k, in the low and the high half of a column's 32 bits. Three things
// make 16 bits enough and each product a few instructions:
//
// - Exponents are between -8400 and 700, and twice a product is below 2^13.
// - Rounding to the nearest: avg(x, 0) is (x + 1) >> 1, and x = 2 * p >> d still has the bit that
//   decides. p is a magnitude, so half goes away from zero (MU 5.4).
// - Sign: for a negative product, avg(~x, 0) is 2^15 - ((x + 1) >> 1). The multiples of 2^15 only
//   reach bit 15 of a sum of four, which is between -2^14 and 2^14: bit 14 says what bit 15 was.
#pragma once

#include "machine/kernels/matrix_sums.h"

namespace lanewise::LANEWISE_LEVEL {

/// See matrix_products.h.
class Products {
 public:
  Products(const SumOperands& operands, const MatrixMode& mode)
      : zero_exponent_(
            _mm512_set1_epi16(static_cast<short>(sem::zero_product_exponent(float_mode(mode))))) {
    const bool low_a = (mode.phase & 1) != 0, low_b = (mode.phase & 2) != 0;
    const Halves mask_a = halves_of(mode.srca_mask), mask_b = halves_of(mode.srcb_mask);
    for (unsigned pair = 0; pair < kPairs; ++pair) {
      const Halves cells =
          pair_along_k(load_row(operands.a[2 * pair]), load_row(operands.a[2 * pair + 1]), mask_a);
      part_a_[pair] = low_a ? low_part_a(cells) : high_part_a(cells);
      exponent_a_[pair] = exponent_of(cells);
      sign_a_[pair] = sign_of(cells);
    }
    const __m512i offset =
        _mm512_set1_epi16(static_cast<short>(sem::product_exponent_offset(float_mode(mode))));
    for (unsigned i = 0; i < operands.rows; i += 2) {
      const unsigned next = operands.rows == 1 ? i : i + 1;
      const Halves cells = pack_rows(load_row(operands.b[i]), load_row(operands.b[next]), mask_b);
      const __m512i part = low_b ? low_part_b(cells) : high_part_b(cells);
      _mm512_store_si512(part_b_[i / 2], _mm512_add_epi16(part, part));
      _mm512_store_si512(exponent_b_[i / 2], _mm512_add_epi16(exponent_of(cells), offset));
      _mm512_store_si512(sign_b_[i / 2], sign_of(cells));
    }
  }

  LANEWISE_INLINE sem::TermLanes<U> term(unsigned group, unsigned row, unsigned) const {
    constexpr unsigned kGroupPairs = kPairs / kGroups;
    const unsigned first = group * kGroupPairs;
    __m512i exponent[kGroupPairs];
    __m512i largest = zero_exponent_;
    for (unsigned i = 0; i < kGroupPairs; ++i) {
      exponent[i] =
          _mm512_add_epi16(exponent_a_[first + i], pair_of_b(exponent_b_, row, first + i));
      largest = _mm512_max_epi16(largest, exponent[i]);
    }
    largest = _mm512_max_epi16(largest, _mm512_maskz_rol_epi32(kAll, largest, 16));
    __m512i sum = _mm512_setzero_si512();
    for (unsigned i = 0; i < kGroupPairs; ++i) {
      const __m512i doubled =
          _mm512_mullo_epi16(part_a_[first + i], pair_of_b(part_b_, row, first + i));
      const __m512i distance = _mm512_sub_epi16(largest, exponent[i]);
      const __m512i aligned = _mm512_srlv_epi16(doubled, distance);
      constexpr int kXorOfThree = 0x96;
      const __m512i sign = pair_of_b(sign_b_, row, first + i);
      const __m512i negated =
          _mm512_ternarylogic_epi32(aligned, sign_a_[first + i], sign, kXorOfThree);
      sum = _mm512_add_epi16(sum, _mm512_avg_epu16(negated, _mm512_setzero_si512()));
    }
    // Doubled, the sum has lost the bit that is not known; both halves are added and scaled at
    // once.
    const __m512i places = _mm512_set1_epi16(1 << (sem::kSumToDoubled - 1));
    const __m512i term_exponent = _mm512_maskz_srai_epi32(kAll, largest, 16);
    const __mmask16 positive = _mm512_cmpgt_epi32_mask(term_exponent, _mm512_setzero_si512());
    return {.doubled = (U)_mm512_maskz_madd_epi16(positive, _mm512_add_epi16(sum, sum), places),
            .exponent = (U)term_exponent};
  }

 private:
  static constexpr unsigned kPairs = kInner / 2;
  /// The masked intrinsics avoid a false warning of g++ 12 about their plain forms.
  static constexpr __mmask16 kAll = 0xFFFF;
  static constexpr __mmask32 kAllHalves = ~__mmask32{0};
  using StoredRows = std::uint32_t[kMatrixRows / 2][16];

  /// The upper and the lower 16 bits of cells: sign, exponent and 7 bits of mantissa; 3 more.
  struct Halves {
    __m512i upper, lower;
  };

  LANEWISE_INLINE static __m512i load_row(const std::uint32_t* row) {
    return _mm512_loadu_si512(row);
  }
  LANEWISE_INLINE static Halves halves_of(std::uint32_t mask) {
    return {.upper = _mm512_set1_epi16(static_cast<short>(mask >> 16)),
            .lower = _mm512_set1_epi16(static_cast<short>(mask & 0xFFFF))};
  }
  /// Rows k and k + 1, by turns.
  LANEWISE_INLINE static Halves pair_along_k(__m512i even, __m512i odd, const Halves& mask) {
    constexpr __mmask32 kOdd = 0xAAAAAAAAU;
    const __m512i upper =
        _mm512_mask_blend_epi16(kOdd, _mm512_maskz_srli_epi32(kAll, even, 16), odd);
    const __m512i lower =
        _mm512_mask_blend_epi16(kOdd, even, _mm512_maskz_slli_epi32(kAll, odd, 16));
    return {.upper = upper & mask.upper, .lower = lower & mask.lower};
  }
  /// Two rows of SrcB; pair_of_b() knows the order.
  LANEWISE_INLINE static Halves pack_rows(__m512i first, __m512i second, const Halves& mask) {
    const __m512i lower_bits = _mm512_set1_epi32(0xFFFF);
    const __m512i upper =
        _mm512_maskz_packus_epi32(kAllHalves, _mm512_maskz_srli_epi32(kAll, first, 16),
                                  _mm512_maskz_srli_epi32(kAll, second, 16));
    const __m512i lower =
        _mm512_maskz_packus_epi32(kAllHalves, first & lower_bits, second & lower_bits);
    return {.upper = upper & mask.upper, .lower = lower & mask.lower};
  }
  /// Columns 2 * pair and 2 * pair + 1 of a row of SrcB, in every column of the result. Packing
  /// works in quarters of 128 bits: two pairs of the first row, then two of the second.
  LANEWISE_INLINE static __m512i pair_of_b(const StoredRows& rows, unsigned row, unsigned pair) {
    return _mm512_set1_epi32(
        static_cast<int>(rows[row / 2][pair / 2 * 4 + row % 2 * 2 + pair % 2]));
  }

  LANEWISE_INLINE static __m512i shift_down(__m512i x, unsigned n) {
    return _mm512_maskz_srli_epi16(kAllHalves, x, n);
  }
  LANEWISE_INLINE static __m512i shift_up(__m512i x, unsigned n) {
    return _mm512_maskz_slli_epi16(kAllHalves, x, n);
  }
  /// (x & mask) | bits
  LANEWISE_INLINE static __m512i masked_or(__m512i x, short mask, __m512i bits) {
    constexpr int kAndOr = 0xEA;
    return _mm512_ternarylogic_epi32(x, _mm512_set1_epi16(mask), bits, kAndOr);
  }
  LANEWISE_INLINE static __m512i masked_or(__m512i x, short mask, short bits) {
    return masked_or(x, mask, _mm512_set1_epi16(bits));
  }

  // The parts of MU 5.3.
  LANEWISE_INLINE static __m512i high_part_a(const Halves& c) {
    return masked_or(shift_down(c.upper, 3), 0x0F, 0x10);
  }
  LANEWISE_INLINE static __m512i low_part_a(const Halves& c) { // mantissa bits 5:3, then 2:1
    return masked_or(shift_up(c.upper, 2), 0x1C, shift_down(c.lower, 14));
  }
  LANEWISE_INLINE static __m512i high_part_b(const Halves& c) {
    return masked_or(shift_down(c.upper, 1), 0x3F, 0x40);
  }
  LANEWISE_INLINE static __m512i low_part_b(const Halves& c) { // mantissa bit 3, then 2:0, * 8
    return masked_or(shift_up(c.upper, 6), 0x40, shift_up(shift_down(c.lower, 13), 3));
  }

  /// As in matrix_products.h.
  LANEWISE_INLINE static __m512i exponent_of(const Halves& c) {
    const __mmask32 nonzero = _mm512_test_epi16_mask(c.upper, _mm512_set1_epi16(0x7F80));
    const __m512i none = _mm512_set1_epi16(-4096);
    return _mm512_mask_mov_epi16(none, nonzero, shift_down(c.upper, 7) & _mm512_set1_epi16(0xFF));
  }
  LANEWISE_INLINE static __m512i sign_of(const Halves& c) {
    return _mm512_maskz_srai_epi16(kAllHalves, c.upper, 15);
  }

  __m512i zero_exponent_;
  __m512i part_a_[kPairs], exponent_a_[kPairs], sign_a_[kPairs];
  alignas(64) StoredRows part_b_, exponent_b_, sign_b_;
};

} // namespace lanewise::LANEWISE_LEVEL
