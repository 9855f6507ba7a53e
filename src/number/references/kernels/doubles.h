// As many doubles as a vector register of the level has, and masks over them.
//
// Arithmetic is that of compiler vectors. Comparisons and what masks are made of have functions,
// since the masks of AVX-512 have registers of their own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "chip/semantics/lanes.h"
#include "number/references/interval.h"

namespace lanewise::LANEWISE_LEVEL {

#if defined(__AVX512F__)
inline constexpr std::size_t kLanes = 8;
#elif defined(__AVX2__)
inline constexpr std::size_t kLanes = 4;
#else
inline constexpr std::size_t kLanes = 2;
#endif

typedef double Doubles __attribute__((vector_size(8 * kLanes)));
typedef std::int64_t Words __attribute__((vector_size(8 * kLanes)));
typedef double AnyDoubles __attribute__((vector_size(8 * kLanes), aligned(8), may_alias));

LANEWISE_INLINE Doubles splat(double number) {
  return number - Doubles{}; // a sum would take the sign of -0
}
LANEWISE_INLINE Words splat_bits(std::uint64_t bits) {
  return Words{} + static_cast<std::int64_t>(bits);
}
LANEWISE_INLINE Doubles load(const double* from) {
  return *reinterpret_cast<const AnyDoubles*>(from);
}
LANEWISE_INLINE void store(double* to, Doubles numbers) {
  *reinterpret_cast<AnyDoubles*>(to) = numbers;
}

// --- Masks

#if defined(__AVX512F__)

struct Mask {
  __mmask8 bits;
};
LANEWISE_INLINE Mask operator&(Mask a, Mask b) {
  return {static_cast<__mmask8>(a.bits & b.bits)};
}
LANEWISE_INLINE Mask operator|(Mask a, Mask b) {
  return {static_cast<__mmask8>(a.bits | b.bits)};
}
LANEWISE_INLINE Mask operator~(Mask a) {
  return {static_cast<__mmask8>(~a.bits)};
}
/// One bit per lane.
LANEWISE_INLINE unsigned lanes_of(Mask a) {
  return a.bits;
}
LANEWISE_INLINE bool all(Mask a) {
  return a.bits == 0xFF;
}
LANEWISE_INLINE Doubles select(Mask mask, Doubles a, Doubles b) {
  return _mm512_mask_blend_pd(mask.bits, b, a);
}
LANEWISE_INLINE Mask below(Doubles a, Doubles b) {
  return {_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)};
}
LANEWISE_INLINE Mask at_most(Doubles a, Doubles b) {
  return {_mm512_cmp_pd_mask(a, b, _CMP_LE_OQ)};
}
LANEWISE_INLINE Mask same(Doubles a, Doubles b) {
  return {_mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ)};
}
/// Whether a or b is a NaN.
LANEWISE_INLINE Mask either_nan(Doubles a, Doubles b) {
  return {_mm512_cmp_pd_mask(a, b, _CMP_UNORD_Q)};
}
LANEWISE_INLINE Mask same_bits(Doubles a, Doubles b) {
  return {_mm512_cmpeq_epi64_mask((__m512i)a, (__m512i)b)};
}
/// Where no bit of `tested` is set.
LANEWISE_INLINE Mask has_none(Doubles a, std::uint64_t tested) {
  return {_mm512_testn_epi64_mask((__m512i)a, (__m512i)splat_bits(tested))};
}
LANEWISE_INLINE Mask has_sign(Doubles a) {
  return {_mm512_movepi64_mask((__m512i)a)};
}
LANEWISE_INLINE Doubles square_root(Doubles a) {
  return _mm512_maskz_sqrt_pd(0xFF, a); // g++ warns of the other one
}

#else

struct Mask {
  Words bits;
};
LANEWISE_INLINE Mask operator&(Mask a, Mask b) {
  return {a.bits & b.bits};
}
LANEWISE_INLINE Mask operator|(Mask a, Mask b) {
  return {a.bits | b.bits};
}
LANEWISE_INLINE Mask operator~(Mask a) {
  return {~a.bits};
}
/// One bit per lane.
LANEWISE_INLINE unsigned lanes_of(Mask a) {
#if defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_pd((__m256d)a.bits));
#else
  return static_cast<unsigned>(_mm_movemask_pd((__m128d)a.bits));
#endif
}
LANEWISE_INLINE bool all(Mask a) {
  return lanes_of(a) == (1U << kLanes) - 1;
}
LANEWISE_INLINE Doubles select(Mask mask, Doubles a, Doubles b) {
#if defined(__AVX2__)
  return _mm256_blendv_pd(b, a, (__m256d)mask.bits);
#else
  return (Doubles)((mask.bits & (Words)a) | (~mask.bits & (Words)b));
#endif
}
LANEWISE_INLINE Mask below(Doubles a, Doubles b) {
  return {(Words)(a < b)};
}
LANEWISE_INLINE Mask at_most(Doubles a, Doubles b) {
  return {(Words)(a <= b)};
}
LANEWISE_INLINE Mask same(Doubles a, Doubles b) {
  return {(Words)(a == b)};
}
/// Whether a or b is a NaN.
LANEWISE_INLINE Mask either_nan(Doubles a, Doubles b) {
  return ~(same(a, a) & same(b, b));
}
LANEWISE_INLINE Mask same_bits(Doubles a, Doubles b) {
  return {(Words)((Words)a == (Words)b)};
}
/// Where no bit of `tested` is set.
LANEWISE_INLINE Mask has_none(Doubles a, std::uint64_t tested) {
  return {(Words)(((Words)a & splat_bits(tested)) == Words{})};
}
LANEWISE_INLINE Mask has_sign(Doubles a) {
  return ~has_none(a, std::uint64_t{1} << 63);
}
LANEWISE_INLINE Doubles square_root(Doubles a) {
#if defined(__AVX2__)
  return _mm256_sqrt_pd(a);
#else
  return _mm_sqrt_pd(a);
#endif
}

#endif

LANEWISE_INLINE bool any(Mask a) {
  return lanes_of(a) != 0;
}
LANEWISE_INLINE Mask is_nan(Doubles a) {
  return either_nan(a, a);
}
LANEWISE_INLINE Mask and_not(Mask a, Mask b) {
  return a & ~b;
}

// --- Signs and whole numbers

inline constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

LANEWISE_INLINE Doubles sign_of(Doubles a) {
  return (Doubles)((Words)a & splat_bits(kSignBit));
}
LANEWISE_INLINE Doubles size_of(Doubles a) {
  return (Doubles)((Words)a & splat_bits(~kSignBit));
}
/// `size` >= 0 with the sign of `sign`.
LANEWISE_INLINE Doubles with_sign_of(Doubles size, Doubles sign) {
  return (Doubles)((Words)size | (Words)sign_of(sign));
}
LANEWISE_INLINE Mask is_infinite(Doubles a) {
  return same(size_of(a), splat(references::kInfinite));
}

/// From here on all doubles are whole; adding it to a smaller size leaves no bits behind the point.
inline constexpr double kWhole = 0x1p52;

/// To the nearest whole number, ties to even; the sign stays.
LANEWISE_INLINE Doubles to_nearest(Doubles a) {
  const Doubles size = size_of(a);
  const Doubles rounded = with_sign_of((size + kWhole) - kWhole, a);
  return select(below(size, splat(kWhole)), rounded, a);
}
LANEWISE_INLINE Doubles to_zero(Doubles a) {
  const Doubles size = size_of(a);
  const Doubles near = (size + kWhole) - kWhole;
  const Doubles less_or_same = near - select(below(size, near), splat(1), splat(0));
  return select(below(size, splat(kWhole)), with_sign_of(less_or_same, a), a);
}
LANEWISE_INLINE Doubles downward(Doubles a) {
  const Doubles near = to_nearest(a);
  return select(below(a, near), near - 1, near);
}
LANEWISE_INLINE Doubles upward(Doubles a) {
  return -downward(-a);
}
/// Halves away from zero.
LANEWISE_INLINE Doubles half_away(Doubles a) {
  const Doubles whole = to_zero(a);
  const Doubles rest = size_of(a - whole);
  const Doubles one = with_sign_of(splat(1), a);
  return select(at_most(splat(0.5), rest), whole + one, whole);
}
LANEWISE_INLINE Mask is_whole(Doubles a) {
  return same(to_nearest(a), a);
}

// --- Order. From -0 up to +0, as the ends of intervals need it.

LANEWISE_INLINE Doubles smaller(Doubles a, Doubles b) {
  const Doubles least = select(below(a, b), a, b);
  return select(same(a, b), (Doubles)((Words)a | (Words)b), least);
}
LANEWISE_INLINE Doubles larger(Doubles a, Doubles b) {
  const Doubles most = select(below(b, a), a, b);
  return select(same(a, b), (Doubles)((Words)a & (Words)b), most);
}
/// Not below or above a limit; a NaN stays.
LANEWISE_INLINE Doubles at_least(Doubles a, double limit) {
  return select(below(a, splat(limit)), splat(limit), a);
}
LANEWISE_INLINE Doubles no_more_than(Doubles a, double limit) {
  return select(below(splat(limit), a), splat(limit), a);
}

// --- What rounding has taken away

/// Of a + b, exactly (Knuth's TwoSum); NaN if the sum is infinite.
LANEWISE_INLINE Doubles error_of_sum(Doubles a, Doubles b, Doubles sum) {
  const Doubles b_part = sum - a;
  const Doubles a_part = sum - b_part;
  return (a - a_part) + (b - b_part);
}

/// a * b - c with one rounding, for numbers within 2^900 of 1 where c is about a * b.
LANEWISE_INLINE Doubles product_less(Doubles a, Doubles b, Doubles c) {
#if defined(__AVX512F__)
  return _mm512_fmsub_pd(a, b, c);
#elif defined(__FMA__)
  return _mm256_fmsub_pd(a, b, c);
#else
  // Dekker's product: halves of 26 bits, of which all products are exact.
  constexpr double kSplitter = 0x1p27 + 1;
  const Doubles a_scaled = a * kSplitter, b_scaled = b * kSplitter;
  const Doubles a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
  const Doubles a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - c) + a_high * b_low + a_low * b_high) + a_low * b_low;
#endif
}

} // namespace lanewise::LANEWISE_LEVEL
