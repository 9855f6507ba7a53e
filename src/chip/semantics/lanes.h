// The vocabulary in which lane semantics are written.
//
// A lane function is a template over a lane type U: std::uint32_t is one lane (tests, constexpr,
// reference), a compiler vector of uint32_t is several lanes at once (the executor). There are no
// branches on lane data: comparisons give masks (all ones or zero), and select() chooses.
// Everything here is forced inline, so that code compiled for one x86-64 level never ends up behind
// a symbol that another level calls.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "chip/semantics/intrinsics.h"

#define LANEWISE_INLINE [[gnu::always_inline]] inline

namespace lanewise::semantics {

using Lane = std::uint32_t;

template <class U>
inline constexpr bool is_one_lane = std::is_same_v<U, Lane>;

namespace detail {

#if defined(__AVX512F__)
inline constexpr unsigned kWidestVector = 64;
#elif defined(__AVX2__)
inline constexpr unsigned kWidestVector = 32;
#else
inline constexpr unsigned kWidestVector = 16;
#endif

// Whether U is a vector register of that size here. Intrinsics stand only in the branches of these.
template <class U>
inline constexpr bool in_zmm = sizeof(U) == 64 && kWidestVector == 64;
template <class U>
inline constexpr bool in_ymm = sizeof(U) == 32 && kWidestVector >= 32;
template <class U>
inline constexpr bool in_xmm = sizeof(U) == 16;

template <class U, bool = is_one_lane<U>>
struct Views {
  using Signed = std::int32_t;
  using Mask = Lane;
};

template <class U>
struct Views<U, false> {
  typedef std::int32_t Signed __attribute__((vector_size(sizeof(U))));
  typedef float Float __attribute__((vector_size(sizeof(U))));
  typedef std::uint64_t Wide __attribute__((vector_size(sizeof(U))));
  using Mask = std::conditional_t<in_zmm<U>, __mmask16, U>;
};

template <class U>
using Signed = typename Views<U>::Signed;

} // namespace detail

/// One truth value per lane: what comparisons give and select() takes. All ones or zero in each
/// lane, but for the vectors of AVX-512, whose masks have registers of their own.
template <class U>
using Mask = typename detail::Views<U>::Mask;

template <class M>
LANEWISE_INLINE constexpr M both(M a, M b) {
  return static_cast<M>(a & b);
}
template <class M>
LANEWISE_INLINE constexpr M either(M a, M b) {
  return static_cast<M>(a | b);
}
/// Where a is set and b is not.
template <class M>
LANEWISE_INLINE constexpr M and_not(M a, M b) {
  return static_cast<M>(a & ~b);
}

/// The same value in every lane.
template <class U>
LANEWISE_INLINE constexpr U splat(Lane value) {
  if constexpr (is_one_lane<U>) {
    return value;
  } else {
    return U{} + value;
  }
}

namespace detail {

/// The outcome of a comparison as a mask: a bool for one lane is all ones or zero.
template <class U, class Outcome>
LANEWISE_INLINE constexpr Mask<U> mask_of(Outcome outcome) {
  if constexpr (is_one_lane<U>) {
    return outcome ? ~Lane{0} : Lane{0};
  } else {
    return (U)outcome;
  }
}

} // namespace detail

// Comparisons. Each is one instruction of AVX-512, which compilers do not always find by
// themselves.

template <class U>
LANEWISE_INLINE constexpr Mask<U> equal(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
  } else {
    return detail::mask_of<U>(a == b);
  }
}

template <class U>
LANEWISE_INLINE constexpr Mask<U> not_equal(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_cmpneq_epi32_mask((__m512i)a, (__m512i)b);
  } else {
    return detail::mask_of<U>(a != b);
  }
}

/// a > b, two's complement.
template <class U>
LANEWISE_INLINE constexpr Mask<U> greater_signed(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b);
  } else {
    using S = detail::Signed<U>;
    return detail::mask_of<U>((S)a > (S)b);
  }
}

/// a > b, unsigned.
template <class U>
LANEWISE_INLINE constexpr Mask<U> greater_unsigned(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b);
  } else {
    return detail::mask_of<U>(a > b);
  }
}

/// a <= b, unsigned.
template <class U>
LANEWISE_INLINE constexpr Mask<U> at_most_unsigned(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_cmple_epu32_mask((__m512i)a, (__m512i)b);
  } else {
    return detail::mask_of<U>(a <= b);
  }
}

/// Whether a and b have a set bit in common.
template <class U>
LANEWISE_INLINE constexpr Mask<U> any_common_bit(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_test_epi32_mask((__m512i)a, (__m512i)b);
  } else {
    return detail::mask_of<U>((a & b) != 0);
  }
}

/// The top bit in every bit of the lane.
template <class U>
LANEWISE_INLINE constexpr U sign_extended(U a) {
  using S = detail::Signed<U>;
  return (U)((S)a >> 31);
}

/// Whether the top bit is set.
template <class U>
LANEWISE_INLINE constexpr Mask<U> negative(U a) {
  if constexpr (detail::in_zmm<U>) {
    return _mm512_movepi32_mask((__m512i)a);
  } else {
    return sign_extended(a);
  }
}

/// Lane by lane: a where the mask is set, else b.
template <class U>
LANEWISE_INLINE constexpr U select(Mask<U> mask, U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_mask_mov_epi32((__m512i)b, mask, (__m512i)a);
  } else if constexpr (detail::in_ymm<U>) {
    return (U)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)mask);
  } else {
    return (a & mask) | (b & ~mask);
  }
}

/// The value where the mask is set, else 0.
template <class U>
LANEWISE_INLINE constexpr U keep_where(Mask<U> mask, U value) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_maskz_mov_epi32(mask, (__m512i)value);
  } else {
    return value & mask;
  }
}

/// The value with bit 0 set where the mask is.
template <class U>
LANEWISE_INLINE constexpr U with_bit_0_where(Mask<U> mask, U value) {
  if constexpr (detail::in_zmm<U>) {
    const auto bits = (__m512i)value;
    return (U)_mm512_mask_or_epi32(bits, mask, bits, (__m512i)splat<U>(1));
  } else {
    return value | (mask & 1);
  }
}

/// a - b where the mask is set, else a + b.
template <class U>
LANEWISE_INLINE constexpr U add_or_subtract(Mask<U> subtract, U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return select(subtract, a - b, a + b);
  } else {
    return a + ((b ^ subtract) - subtract);
  }
}

/// Two's complement larger of the two.
template <class U>
LANEWISE_INLINE constexpr U max_signed(U a, std::type_identity_t<U> b) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_maskz_max_epi32(0xFFFF, (__m512i)a, (__m512i)b);
  } else if constexpr (detail::in_ymm<U>) {
    return (U)_mm256_max_epi32((__m256i)a, (__m256i)b);
  } else {
    return select<U>(greater_signed(a, b), a, b);
  }
}

/// Two's complement absolute value; -2^31 stays.
template <class U>
LANEWISE_INLINE constexpr U absolute_signed(U a) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_maskz_abs_epi32(0xFFFF, (__m512i)a);
  } else if constexpr (detail::in_ymm<U>) {
    return (U)_mm256_abs_epi32((__m256i)a);
  } else {
    const U sign = sign_extended(a);
    return (a ^ sign) - sign;
  }
}

/// Bits of the FP32 nearest to a two's complement number, ties to even: exactly what the host's
/// conversion does in its default rounding mode (tested against an integer model).
template <class U>
LANEWISE_INLINE constexpr U float_of_int(U a) {
  if constexpr (is_one_lane<U>) {
    return std::bit_cast<Lane>(static_cast<float>(static_cast<std::int32_t>(a)));
  } else {
    return (U) __builtin_convertvector((detail::Signed<U>)a, typename detail::Views<U>::Float);
  }
}

namespace detail {

/// The 64-bit products of even or of odd lanes.
template <class U>
struct Products {
  typename Views<U>::Wide even, odd;
};

/// The 32-bit numbers in the low halves of W multiplied. (The masked intrinsics of this file avoid
/// a false warning of g++ 12 about their plain forms.)
template <class W>
LANEWISE_INLINE W multiply_low_halves(W a, W b) {
  if constexpr (detail::in_zmm<W>) {
    return (W)_mm512_maskz_mul_epu32(0xFF, (__m512i)a, (__m512i)b);
  } else if constexpr (detail::in_ymm<W>) {
    return (W)_mm256_mul_epu32((__m256i)a, (__m256i)b);
  } else if constexpr (detail::in_xmm<W>) {
    return (W)_mm_mul_epu32((__m128i)a, (__m128i)b);
  } else {
    return (a & 0xFFFFFFFFU) * (b & 0xFFFFFFFFU);
  }
}

template <class U>
LANEWISE_INLINE Products<U> multiply_wide(U a, U b) {
  using W = typename Views<U>::Wide;
  return {multiply_low_halves((W)a, (W)b), multiply_low_halves((W)a >> 32, (W)b >> 32)};
}

inline constexpr std::uint64_t kHighHalf = 0xFFFFFFFF00000000U;

/// Bits [63:32] of the products, each in its lane.
template <class U>
LANEWISE_INLINE U high_halves(Products<U> p) {
  if constexpr (in_zmm<U>) {
    const auto even = (__m512)(p.even), odd = (__m512)(p.odd);
    return (U)_mm512_mask_movehdup_ps(odd, 0x5555, even);
  } else if constexpr (in_ymm<U>) {
    return (U)_mm256_blend_epi32((__m256i)(p.even >> 32), (__m256i)p.odd, 0xAA);
  } else {
    return (U)((p.even >> 32) | (p.odd & kHighHalf));
  }
}

/// Bits [31:0] of the products, each in its lane.
template <class U>
LANEWISE_INLINE U low_halves(Products<U> p) {
  if constexpr (in_zmm<U>) {
    const auto even = (__m512)(p.even), odd = (__m512)(p.odd);
    return (U)_mm512_mask_moveldup_ps(even, 0xAAAA, odd);
  } else if constexpr (in_ymm<U>) {
    return (U)_mm256_blend_epi32((__m256i)p.even, (__m256i)(p.odd << 32), 0xAA);
  } else {
    return (U)((p.even & ~kHighHalf) | (p.odd << 32));
  }
}

} // namespace detail

/// Bits [63:32] of the 64-bit product.
template <class U>
LANEWISE_INLINE constexpr U multiply_high(U a, U b) {
  if constexpr (is_one_lane<U>) {
    return static_cast<Lane>((static_cast<std::uint64_t>(a) * b) >> 32);
  } else {
    return detail::high_halves<U>(detail::multiply_wide(a, b));
  }
}

/// The same, with bit 0 set also if a lower bit of the product was: a sticky bit.
template <class U>
LANEWISE_INLINE constexpr U multiply_high_sticky(U a, U b) {
  if constexpr (is_one_lane<U>) {
    const std::uint64_t product = static_cast<std::uint64_t>(a) * b;
    return static_cast<Lane>(product >> 32) | static_cast<Lane>(static_cast<Lane>(product) != 0);
  } else {
    const detail::Products<U> products = detail::multiply_wide(a, b);
    const U low = detail::low_halves<U>(products);
    return with_bit_0_where(any_common_bit(low, low), detail::high_halves<U>(products));
  }
}

namespace detail {

/// 2^n, n in 0..31. SSE2 cannot shift each lane by its own count, but multiply by this. 2^31 is too
/// large for the conversion, which then gives just its bit pattern.
template <class U>
LANEWISE_INLINE U power_of_two(U n) {
  constexpr Lane kFloatOne = 0x3F800000U;
  return (U)_mm_cvttps_epi32((__m128)((n << 23) + kFloatOne));
}

template <class U>
inline constexpr bool lacks_variable_shifts = in_xmm<U>&& kWidestVector == 16;

} // namespace detail

/// a << n, n in 0..31.
template <class U>
LANEWISE_INLINE constexpr U shift_left(U a, std::type_identity_t<U> n) {
  if constexpr (detail::lacks_variable_shifts<U>) {
    return detail::low_halves<U>(detail::multiply_wide<U>(a, detail::power_of_two<U>(n)));
  } else {
    return a << n;
  }
}

/// a >> n, n in 0..31.
template <class U>
LANEWISE_INLINE constexpr U shift_right(U a, std::type_identity_t<U> n) {
  if constexpr (detail::lacks_variable_shifts<U>) {
    // Bits [62:31] of a * 2^(31 - n).
    const detail::Products<U> p = detail::multiply_wide(a, detail::power_of_two<U>(31 - n));
    return (U)((p.even >> 31) | ((p.odd << 1) & detail::kHighHalf));
  } else {
    return a >> n;
  }
}

/// Arithmetic shift right, n in 0..31.
template <class U>
LANEWISE_INLINE constexpr U shift_right_signed(U a, std::type_identity_t<U> n) {
  if constexpr (detail::lacks_variable_shifts<U>) {
    const U sign = sign_extended(a);
    return shift_right<U>(a ^ sign, n) ^ sign;
  } else {
    using S = detail::Signed<U>;
    return (U)((S)a >> (S)n);
  }
}

/// a >> n, and 0 for every n > 31.
template <class U>
LANEWISE_INLINE constexpr U shift_right_or_zero(U a, std::type_identity_t<U> n) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_maskz_srlv_epi32(0xFFFF, (__m512i)a, (__m512i)n);
  } else if constexpr (detail::in_ymm<U>) {
    return (U)_mm256_srlv_epi32((__m256i)a, (__m256i)n);
  } else {
    return keep_where<U>(at_most_unsigned<U>(n, splat<U>(31)), shift_right<U>(a, n & 31));
  }
}

/// Undoes shift_right_or_zero() but for the bits that it dropped.
template <class U>
LANEWISE_INLINE constexpr U shift_left_back(U a, std::type_identity_t<U> n) {
  if constexpr (detail::in_zmm<U>) {
    return (U)_mm512_maskz_sllv_epi32(0xFFFF, (__m512i)a, (__m512i)n);
  } else if constexpr (detail::in_ymm<U>) {
    return (U)_mm256_sllv_epi32((__m256i)a, (__m256i)n);
  } else {
    return shift_left<U>(a, n & 31);
  }
}

} // namespace lanewise::semantics
