// Results and doubles as vectors, a group of 16 at a time: at each level so many registers as that
// takes. Everything here lives in the namespace of its level.
#pragma once

#include "chip/machine/kernels/lane_access.h"
#include "study/sweep/tally.h"

namespace lanewise::LANEWISE_LEVEL {

inline constexpr unsigned kGroup = sweep::kTallyGroup;
inline constexpr unsigned kParts = kGroup / kWidth; ///< vectors of a group
inline constexpr unsigned kHalf = kWidth / 2;       ///< doubles of one vector
inline constexpr std::uint32_t kWholeGroup = (1U << kGroup) - 1;

typedef double D __attribute__((vector_size(kVectorBytes)));
typedef std::uint64_t W __attribute__((vector_size(kVectorBytes)));
#if defined(__AVX512F__)
using NumberMask = __mmask8;
#else
typedef std::int64_t NumberMask __attribute__((vector_size(kVectorBytes)));
#endif

LANEWISE_INLINE D load_numbers(const double* numbers) {
  D value;
  __builtin_memcpy(&value, numbers, sizeof value);
  return value;
}

LANEWISE_INLINE D splat_number(double value) {
  return D{} + value;
}

/// The lanes of a mask as bits.
LANEWISE_INLINE std::uint32_t bits_of(Mask mask) {
  return compress_mask(mask, 0);
}

LANEWISE_INLINE bool any(Mask mask) {
  return bits_of(mask) != 0;
}

LANEWISE_INLINE unsigned count_bits(std::uint32_t bits) {
  return static_cast<unsigned>(__builtin_popcount(bits));
}

/// Calls `function` with the number of every bit that is set, in their order.
template <class Function>
LANEWISE_INLINE void for_each_bit(std::uint32_t bits, Function&& function) {
  for (; bits != 0; bits &= bits - 1) function(static_cast<unsigned>(__builtin_ctz(bits)));
}

/// One more in the lanes of the mask.
LANEWISE_INLINE void count_where(Mask mask, U& counts) {
#if defined(__AVX512F__)
  counts = (U)_mm512_mask_add_epi32((__m512i)counts, mask, (__m512i)counts, (__m512i)splat(1));
#else
  counts -= mask;
#endif
}

template <class V>
LANEWISE_INLINE V negate_where(semantics::Mask<V> mask, V a) {
#if defined(__AVX512F__)
  if constexpr (semantics::detail::in_zmm<V>) {
    return (V)_mm512_mask_sub_epi32((__m512i)a, mask, _mm512_setzero_si512(), (__m512i)a);
  } else
#endif
  {
    return (a ^ mask) - mask;
  }
}

// Two's complement lanes as numbers, and masks of lanes as masks of numbers: one half of each.

LANEWISE_INLINE D low_numbers(U a) {
#if defined(__AVX512F__)
  return (D)_mm512_maskz_cvtepi32_pd(0xFF, _mm512_castsi512_si256((__m512i)a));
#elif defined(__AVX2__)
  return (D)_mm256_cvtepi32_pd(_mm256_castsi256_si128((__m256i)a));
#else
  return (D)_mm_cvtepi32_pd((__m128i)a);
#endif
}

LANEWISE_INLINE D high_numbers(U a) {
#if defined(__AVX512F__)
  return (D)_mm512_maskz_cvtepi32_pd(0xFF, _mm512_maskz_extracti64x4_epi64(0xF, (__m512i)a, 1));
#elif defined(__AVX2__)
  return (D)_mm256_cvtepi32_pd(_mm256_extracti128_si256((__m256i)a, 1));
#else
  return (D)_mm_cvtepi32_pd(_mm_shuffle_epi32((__m128i)a, 0xEE));
#endif
}

// FP32 patterns as numbers.

LANEWISE_INLINE D low_floats(U a) {
#if defined(__AVX512F__)
  return (D)_mm512_maskz_cvtps_pd(0xFF, _mm512_castps512_ps256((__m512)a));
#elif defined(__AVX2__)
  return (D)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)a));
#else
  return (D)_mm_cvtps_pd((__m128)a);
#endif
}

LANEWISE_INLINE D high_floats(U a) {
#if defined(__AVX512F__)
  return low_floats((U)_mm512_maskz_shuffle_f32x4(0xFFFF, (__m512)a, (__m512)a, 0xEE));
#elif defined(__AVX2__)
  return (D)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)a, 1));
#else
  return low_floats((U)_mm_movehl_ps((__m128)a, (__m128)a));
#endif
}

LANEWISE_INLINE NumberMask low_half(Mask mask) {
#if defined(__AVX512F__)
  return static_cast<NumberMask>(mask);
#elif defined(__AVX2__)
  return (NumberMask)_mm256_cvtepi32_epi64(_mm256_castsi256_si128((__m256i)mask));
#else
  return (NumberMask)_mm_unpacklo_epi32((__m128i)mask, (__m128i)mask);
#endif
}

LANEWISE_INLINE NumberMask high_half(Mask mask) {
#if defined(__AVX512F__)
  return static_cast<NumberMask>(mask >> kHalf);
#elif defined(__AVX2__)
  return (NumberMask)_mm256_cvtepi32_epi64(_mm256_extracti128_si256((__m256i)mask, 1));
#else
  return (NumberMask)_mm_unpackhi_epi32((__m128i)mask, (__m128i)mask);
#endif
}

LANEWISE_INLINE std::uint32_t number_bits(NumberMask mask) {
#if defined(__AVX512F__)
  return mask;
#elif defined(__AVX2__)
  return static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)mask));
#else
  return static_cast<std::uint32_t>(_mm_movemask_pd((__m128d)mask));
#endif
}

/// a > b; never for a NaN.
LANEWISE_INLINE NumberMask greater(D a, D b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_GT_OQ);
#else
  return (NumberMask)(a > b);
#endif
}

/// Never for a NaN.
LANEWISE_INLINE bool are_all_equal(D a, D b) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)b, _CMP_EQ_OQ) == 0xFF;
#else
  return number_bits((NumberMask)(a == b)) == (1U << kHalf) - 1;
#endif
}

LANEWISE_INLINE NumberMask is_nan(D a) {
#if defined(__AVX512F__)
  return _mm512_cmp_pd_mask((__m512d)a, (__m512d)a, _CMP_UNORD_Q);
#else
  return (NumberMask)(a != a);
#endif
}

LANEWISE_INLINE D select_numbers(NumberMask mask, D a, D b) {
#if defined(__AVX512F__)
  return (D)_mm512_mask_mov_pd((__m512d)b, mask, (__m512d)a);
#elif defined(__AVX2__)
  return (D)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
  return (D)(((NumberMask)a & mask) | ((NumberMask)b & ~mask));
#endif
}

/// The numbers where the mask is set, else 0.
LANEWISE_INLINE D numbers_where(NumberMask mask, D a) {
#if defined(__AVX512F__)
  return (D)_mm512_maskz_mov_pd(mask, (__m512d)a);
#else
  return (D)((NumberMask)a & mask);
#endif
}

LANEWISE_INLINE D absolute(D a) {
  constexpr std::uint64_t kMagnitude = ~std::uint64_t{0} >> 1;
  return (D)((W)a & kMagnitude);
}

/// The line of a format in every lane.
template <class V>
struct Line {
  V sign, magnitude, last_denormal, infinity;

  LANEWISE_INLINE explicit Line(const sweep::LineNumbers& line)
      : sign(semantics::splat<V>(line.sign)),
        magnitude(semantics::splat<V>(line.magnitude)),
        last_denormal(semantics::splat<V>(line.smallest_normal - 1)),
        infinity(semantics::splat<V>(line.infinity)) {}

  /// From zero; denormals are zeros. Of a NaN: more than of infinity.
  LANEWISE_INLINE V steps_of_magnitude(V a) const {
    return semantics::max_signed<V>(a, last_denormal) - last_denormal;
  }
  LANEWISE_INLINE V steps(V bits) const { return steps_of_magnitude(bits & magnitude); }
  LANEWISE_INLINE V signed_steps(V bits, V steps) const {
    return negate_where<V>(semantics::any_common_bit<V>(bits, sign), steps);
  }
  LANEWISE_INLINE V position(V bits) const { return signed_steps(bits, steps(bits)); }
  LANEWISE_INLINE semantics::Mask<V> is_nan(V bits) const {
    return semantics::greater_signed<V>(bits & magnitude, infinity);
  }
  LANEWISE_INLINE semantics::Mask<V> is_infinite(V bits) const {
    return semantics::equal<V>(bits & magnitude, infinity);
  }
  LANEWISE_INLINE semantics::Mask<V> is_normal(V bits) const {
    const V a = bits & magnitude;
    return semantics::both(semantics::greater_signed<V>(a, last_denormal),
                           semantics::greater_signed<V>(infinity, a));
  }
};

/// Whole numbers from 0 up to 2^63, rounded once.
LANEWISE_INLINE D numbers_of(W whole) {
#if defined(__AVX512DQ__)
  return (D)_mm512_maskz_cvtepi64_pd(0xFF, (__m512i)whole);
#else
  // Each half stands in the lowest bits of a double, 2^84 or 2^52; their sum rounds.
  constexpr double kHigh = 0x1p84, kLow = 0x1p52;
  const D high = (D)((whole >> 32) | (W)splat_number(kHigh));
  const D low = (D)((whole & 0xFFFF'FFFF) | (W)splat_number(kLow));
  return (high - (kHigh + kLow)) + low;
#endif
}

/// formats::place_in_line() of as many numbers.
struct Places {
  D smallest, per_smallest, steps_per_double_step, end;

  LANEWISE_INLINE explicit Places(const sweep::LineNumbers& line)
      : smallest(splat_number(line.smallest)),
        per_smallest(splat_number(1 / line.smallest)), // a power of two
        steps_per_double_step(splat_number(line.steps_per_double_step)),
        end(splat_number(line.end)) {}

  LANEWISE_INLINE D operator()(D number) const {
    const D size = absolute(number);
    const NumberMask is_small = greater(smallest, size);
    const D place = select_numbers(is_small, size * per_smallest, of_size(size));
    const D within = select_numbers(greater(end, place), place, end);
    const D with_sign = (D)((W)within | ((W)number ^ (W)size));
    return select_numbers(is_nan(number), number, with_sign);
  }

  /// The same of numbers from the smallest normal one on whose place is not beyond the end.
  LANEWISE_INLINE D inside(D number) const {
    const D size = absolute(number);
    return (D)((W)of_size(size) | ((W)number ^ (W)size));
  }

 private:
  LANEWISE_INLINE D of_size(D size) const {
    return numbers_of((W)size - (W)smallest) * steps_per_double_step + 1;
  }
};

/// A group that begins at an element or, at the end of the chunk, somewhat before.
struct Group {
  std::size_t begin = 0;
  std::uint32_t lanes = 0; ///< that stand between the element and the end

  LANEWISE_INLINE Group(std::size_t count, std::size_t element, std::size_t end) {
    begin = element + kGroup <= count ? element : count - kGroup;
    const std::size_t before = element - begin, behind = end - begin;
    const std::uint32_t up_to_end = behind < kGroup ? (1U << behind) - 1 : kWholeGroup;
    lanes = up_to_end & ~((1U << before) - 1);
  }
};

/// Of a group: the lanes with this InputKind.
LANEWISE_INLINE std::uint32_t lanes_of_kind(const std::uint8_t* kinds, std::uint8_t kind) {
  const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kinds));
  const __m128i same = _mm_cmpeq_epi8(here, _mm_set1_epi8(static_cast<char>(kind)));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(same));
}

LANEWISE_INLINE std::uint32_t counted_lanes(const sweep::TalliedChunk& chunk, std::size_t begin) {
  return chunk.kind == nullptr ? kWholeGroup : lanes_of_kind(chunk.kind + begin, 0);
}

} // namespace lanewise::LANEWISE_LEVEL
