// The multiply-add of the MAD sub-unit, x * y + z, by the host's own float instructions.
//
// The datapath is no fused multiply-add (chip/semantics/fma.h), but mostly agrees with one. Each
// form here computes in lanes and finds out where its result is proved to be the datapath's; `care`
// becomes set in all other lanes, which fma_common() or fma_complete() must do. docs/speed.md has
// the proofs.
//
// Wherever these run, the host must round to nearest and take denormals for zeros, as operands and
// as results (HostArithmetic, chip/machine/host_arithmetic.h).
#pragma once

#include "chip/isa/arch.h"
#include "chip/semantics/float_fields.h"

namespace lanewise::semantics {

/// Whether the host can take denormals for zeros. WebAssembly cannot: no form of this file is used
/// there.
#if defined(__EMSCRIPTEN__)
inline constexpr bool host_flushes_denormals = false;
#else
inline constexpr bool host_flushes_denormals = true;
#endif

namespace detail {

template <class U>
using Float = typename Views<U>::Float;

/// Whether the level has the host's fused multiply-add for vectors of this type.
template <class U>
inline constexpr bool has_host_fma = in_zmm<U> || in_ymm<U>;
/// Whether it has what fma_any() is made of.
template <class U>
inline constexpr bool has_rounding_modes = in_zmm<U>;

template <class U>
LANEWISE_INLINE U host_fma(U x, U y, U z) {
  if constexpr (in_zmm<U>) {
    return (U)_mm512_fmadd_ps((__m512)x, (__m512)y, (__m512)z);
  } else {
#if defined(__FMA__)
    return (U)_mm256_fmadd_ps((__m256)x, (__m256)y, (__m256)z);
#else
    return U{};
#endif
  }
}

template <class U>
LANEWISE_INLINE Mask<U> infinite_or_nan(U value) {
  if constexpr (in_zmm<U>) {
    return _mm512_fpclass_ps_mask((__m512)value, 0x99);
  } else {
    return equal(value & kExponentMask, splat<U>(kExponentMask));
  }
}

template <class U>
LANEWISE_INLINE Mask<U> is_nan(U value) {
  if constexpr (in_zmm<U>) {
    return _mm512_fpclass_ps_mask((__m512)value, 0x81);
  } else {
    return greater_signed(value & ~kSign, splat<U>(kInfinity));
  }
}

/// Where |value| < `lowest`, a power of two above 2^-126, or value is NaN.
template <Lane Lowest, class U>
LANEWISE_INLINE Mask<U> below_or_nan(U value) {
  if constexpr (in_zmm<U>) {
    // `lowest` to 2^-126: what is smaller becomes a zero, and finite numbers stay finite.
    constexpr Lane kScale = kHiddenOne + (kBias << 23) - Lowest;
    const U scaled = (U)((Float<U>)value * (Float<U>)splat<U>(kScale));
    return _mm512_fpclass_ps_mask((__m512)scaled, 0xA7);
  } else {
    const U magnitude = value & ~kSign;
    return either<Mask<U>>(greater_signed(splat<U>(Lowest), magnitude),
                           greater_signed(magnitude, splat<U>(kInfinity)));
  }
}

/// Bits of 2^n.
inline constexpr Lane power_of_two_bits(int n) {
  return static_cast<Lane>(127 + n) << 23;
}

/// Where 2^-89 <= |addend| < 2^126: three times that is no infinity, and its half is far from the
/// numbers that are flushed.
template <class U>
LANEWISE_INLINE Mask<U> has_window(U addend) {
  constexpr Lane kLowest = power_of_two_bits(-89), kEnd = power_of_two_bits(126);
  return greater_unsigned(splat<U>(kEnd - kLowest), (addend & ~kSign) - kLowest);
}

} // namespace detail

/// The result with the chip's sign of zeros: Wormhole has no -0 (VU 3.2), and -0 + 0 is +0.
template <Arch A, class U>
LANEWISE_INLINE U with_zero_of_chip(U result) {
  if constexpr (kArch<A>.vector.signed_zero_results) {
    return result;
  } else {
    return (U)((detail::Float<U>)result + detail::Float<U>{});
  }
}

/// x * y + z where x is 1 or -1: a sum of two floats, which needs no bit that the datapath drops.
template <Arch A, class U>
LANEWISE_INLINE U fma_of_unit(U x, U y, U z, Mask<U>& care) {
  using F = detail::Float<U>;
  const U sum = with_zero_of_chip<A>((U)((F)(y ^ (x & kSign)) + (F)z));
  care = detail::is_nan(sum);
  return sum;
}

/// x * y + (+0): the product rounded once.
template <class U>
LANEWISE_INLINE U fma_product(U x, U y, Mask<U>& care) {
  using F = detail::Float<U>;
  const U product = (U)((F)x * (F)y + F{});
  care = detail::below_or_nan<detail::power_of_two_bits(-125)>(product);
  return product;
}

/// x * y + z where the product is at most about twice as large as z and the sum has at least half
/// of the power of two in z, as in each step of a Horner scheme. Only for levels that
/// have_window().
///
/// What it asks of z alone costs nothing in a loop in which z stays.
template <Arch A, class U>
LANEWISE_INLINE U fma_window(U x, U y, U z, Mask<U>& care) {
  // Bits of floats of one sign differ by 2^23 for a factor of 2: 2^23 is twice, and 1.5 * 2^23
  // three times z. Wormhole loses a bit beyond twice (VU 3.2).
  constexpr Lane kOctave = 1U << 23;
  constexpr Lane kMost = kArch<A>.vector.exact_rounding_sticky ? kOctave + kOctave / 2 : kOctave;
  const U result = detail::host_fma(x, y, z);
  const U mantissa = z & kMantissaMask;
  const U distance = result - (z - mantissa - kOctave);
  const U beyond = keep_where<U>(detail::has_window(z), mantissa + (kOctave + kMost + 1));
  care = at_most_unsigned(beyond, distance);
  return result;
}

/// Whether fma_window() and fma_any() exist for vectors of this type.
template <class U>
inline constexpr bool have_window = detail::has_host_fma<U>;
template <class U>
inline constexpr bool have_any = detail::has_rounding_modes<U>;

namespace detail {

enum class Rounding { Down = 1, Up = 2 };

template <Rounding R, class U>
LANEWISE_INLINE U add_rounded(U a, U b) {
  constexpr int kMode = static_cast<int>(R) | _MM_FROUND_NO_EXC;
  return (U)_mm512_maskz_add_round_ps(0xFFFF, (__m512)a, (__m512)b, kMode);
}
template <Rounding R, class U>
LANEWISE_INLINE U subtract_rounded(U a, U b) {
  constexpr int kMode = static_cast<int>(R) | _MM_FROUND_NO_EXC;
  return (U)_mm512_maskz_sub_round_ps(0xFFFF, (__m512)a, (__m512)b, kMode);
}

/// The one of larger, or of smaller magnitude.
template <class U>
LANEWISE_INLINE U larger_magnitude(U a, U b) {
  return (U)_mm512_maskz_range_ps(0xFFFF, (__m512)a, (__m512)b, 7);
}
template <class U>
LANEWISE_INLINE U smaller_magnitude(U a, U b) {
  return (U)_mm512_maskz_range_ps(0xFFFF, (__m512)a, (__m512)b, 6);
}

/// What Wormhole makes of a sum head + tail whose magnitude has 29 bits: bit 1 is lost (VU 3.2 step
/// 7). `anchor` is 1.5 * 2^23 units of bit 0; head is a multiple of 4 units.
template <class U>
LANEWISE_INLINE U without_lost_bit(U head, U tail, U anchor) {
  using F = Float<U>;
  const U sign = head & kSign;
  const U lowest_of_29_bits = anchor - kHiddenOne / 2 + (5U << 23);
  const U counted = (U)((F)(tail ^ sign) + (F)anchor) & ~Lane{2};
  const U cleared = (U)((F)counted - (F)anchor) ^ sign;
  return select<U>(greater_unsigned(lowest_of_29_bits, head & ~kSign), tail, cleared);
}

} // namespace detail

/// x * y + z for terms of any size. Only for levels that have_any.
///
/// g is the unit of the datapath's aligned sum: 2^-26 of the larger term's exponent, re. Both terms
/// are rounded to odd multiples of g where they are none, and the sum is rounded once. Here, a
/// product in two parts and the addend give head (a multiple of 4 g) and what lies below it, of
/// which each part is rounded to odd by adding and subtracting a number whose last place is g.
template <Arch A, class U>
LANEWISE_INLINE U fma_any(U x, U y, U z, Mask<U>& care) {
  using F = detail::Float<U>;
  using detail::Rounding;
  constexpr Lane kHalf = kHiddenOne / 2; // with an exponent: 1.5 * 2^e
  const U high = (U)((F)x * (F)y);
  const U low = detail::host_fma(x, y, high ^ kSign);
  const U product_scale = (U)((F)((x & kExponentMask) | kHalf) * (F)(y & kExponentMask));
  const U addend_scale = (z & kExponentMask) | kHalf;
  const U lead = product_scale - addend_scale; // of the product, in octaves << 23
  const U anchor =
      (U)((F)max_signed(product_scale, addend_scale) * (F)splat<U>(detail::power_of_two_bits(-3)));
  const U larger = detail::larger_magnitude(high, z);
  const U smaller = detail::smaller_magnitude(high, z);
  const U head = (U)((F)larger + (F)smaller);
  // An addend below g leaves no trace.
  const U rest = keep_where<U>(greater_signed(splat<U>(27U << 23), lead),
                               (U)((F)smaller - ((F)head - (F)larger)));
  const U rest_odd = detail::add_rounded<Rounding::Down>(rest, anchor) |
                     (detail::add_rounded<Rounding::Up>(rest, anchor) & 1);
  const U low_odd = detail::subtract_rounded<Rounding::Up>(low, anchor) |
                    (detail::subtract_rounded<Rounding::Down>(low, anchor) & 1);
  U tail = (U)((F)rest_odd + (F)low_odd);
  if constexpr (!kArch<A>.vector.exact_rounding_sticky)
    tail = detail::without_lost_bit(head, tail, anchor);
  const U sum = (U)((F)head + (F)tail);
  const U result =
      select<U>(greater_signed(splat<U>(-(2U << 23)), lead), detail::host_fma(x, y, z), sum);
  constexpr Lane kLowest = detail::power_of_two_bits(-64);
  care = either<Mask<U>>(greater_unsigned(splat<U>(kLowest), larger & ~kSign),
                         detail::infinite_or_nan(result));
  if constexpr (!kArch<A>.vector.signed_zero_results)
    care = either<Mask<U>>(care, equal(result, splat<U>(kSign)));
  return result;
}

/// Where `result` of fma_of_unit(), fma_product() or fma_window() is right though they have not
/// been sure: the product is a zero, or the rules for infinities and NaNs are those of the host.
/// Makes the chip's zeros and NaNs of the host's.
template <Arch A, class U>
LANEWISE_INLINE Mask<U> is_settled(U x, U y, U z, U& result) {
  const U zero = splat<U>(0), special = splat<U>(kExponentMask);
  const U ex = x & kExponentMask, ey = y & kExponentMask, ez = z & kExponentMask;
  const Mask<U> zero_product = either<Mask<U>>(equal(ex, zero), equal(ey, zero));
  const Mask<U> infinite_factor = either<Mask<U>>(equal(ex, special), equal(ey, special));
  const Mask<U> nan = detail::is_nan(result);
  // A product whose exponent is negative is none (VU 3.1, step 4).
  const Mask<U> no_sum =
      both<Mask<U>>(equal(z, zero), greater_unsigned(splat<U>(kBias << 23), ex + ey));
  result = select<U>(no_sum, zero, with_zero_of_chip<A>(result));
  if constexpr (kArch<A>.vector.nan_form == NanForm::Canonical) {
    static_assert(kArch<A>.vector.overflow_loses_to_addend);
    result = select<U>(nan, splat<U>(kCanonicalNan), result);
    return either<Mask<U>>(either<Mask<U>>(either<Mask<U>>(zero_product, no_sum), infinite_factor),
                           either<Mask<U>>(nan, equal(ez, special)));
  } else {
    return either<Mask<U>>(no_sum,
                           and_not<Mask<U>>(either<Mask<U>>(zero_product, infinite_factor), nan));
  }
}

/// Whether lanes of which fma_window() is not sure are beyond what is_settled() knows: numbers that
/// are neither special nor near the end of the range.
template <class U>
LANEWISE_INLINE Mask<U> is_plain(U z, U result) {
  constexpr Lane kOctave = 1U << 23;
  return both<Mask<U>>(detail::has_window(z), greater_unsigned(splat<U>(254 * kOctave),
                                                               (result & kExponentMask) - kOctave));
}

} // namespace lanewise::semantics
