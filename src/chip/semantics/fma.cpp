#include "chip/semantics/fma.h"

#include <algorithm>
#include <bit>

namespace lanewise::semantics {

namespace {

constexpr bool is_nan(Lane v) {
  return (v & ~kSign) > kInfinity;
}
constexpr bool is_infinite(Lane v) {
  return (v & ~kSign) == kInfinity;
}

/// Product and addend on one scale, as VU 3.1 steps 1, 2 and 5 describe them.
struct Terms {
  std::int32_t ex, ey, ez; ///< exponent fields
  Lane mx, my, mz;         ///< significands
  Lane sp, sz;             ///< sign bits of product and addend
  Lane pm;                 ///< product: 2^26 <= pm < 2^28, or 0; bit 0 is sticky
  std::int32_t pe;         ///< exponent of the product
};

Terms unpack(Lane x, Lane y, Lane z) {
  Terms t{};
  t.ex = static_cast<std::int32_t>(exponent_field(x));
  t.ey = static_cast<std::int32_t>(exponent_field(y));
  t.ez = static_cast<std::int32_t>(exponent_field(z));
  t.mx = significand(x);
  t.my = significand(y);
  t.mz = significand(z);
  t.sp = (x ^ y) & kSign;
  t.sz = z & kSign;
  t.pm = multiply_high_sticky(t.mx << 8, t.my << 4); // bits [51:20]
  t.pe = t.ex + t.ey - 127;
  return t;
}

/// VU 3.1 step 5: the dropped bits leave a sticky bit only if something is left at all.
Lane align(Lane value, std::int32_t shift) {
  if (shift >= 32) return 0;
  const Lane shifted = value >> shift;
  const bool lost = shifted != 0 && (shifted << shift) != value;
  return shifted | static_cast<Lane>(lost);
}

/// Exponent and magnitude after normalising: 2^26 <= magnitude < 2^27, low 3 bits for rounding.
struct Normalised {
  std::int32_t exponent;
  Lane magnitude;
};

Lane shift_left_or_right(Lane magnitude, int n, bool exact_sticky) {
  if (n <= 0) return magnitude << -n;
  const Lane dropped = magnitude & ((1U << n) - 1);
  // VU 3.2 step 7: Wormhole looks only at bit 0 of what it drops.
  const bool sticky = exact_sticky ? dropped != 0 : (magnitude & 1) != 0;
  return (magnitude >> n) | static_cast<Lane>(sticky);
}

int places_beyond_bit_26(Lane magnitude) {
  return std::bit_width(magnitude) - 1 - 26;
}

/// VU 3.1 step 8: to nearest, ties to even; a carry may reach the exponent.
Lane round_to_even(std::int32_t exponent, Lane magnitude) {
  Lane q = (static_cast<Lane>(exponent) << 23) + ((magnitude >> 3) & kMantissaMask);
  if ((magnitude & 7) + (q & 1) > 4) ++q;
  return q;
}

Lane add_magnitudes(Lane p, Lane q, bool same_sign) {
  if (same_sign) return p + q;
  return p >= q ? p - q : q - p;
}

} // namespace

template <>
Lane fma_exact<Arch::Blackhole>(Lane x, Lane y, Lane z) {
  const Terms t = unpack(x, y, z);
  const Lane common_sign = t.sp & t.sz;

  // Step 3.
  if (t.ex == 255 || t.ey == 255 || t.ez == 255 || t.pe >= 255) {
    const bool product_is_infinite = t.ex == 255 || t.ey == 255;
    if (is_nan(x) || is_nan(y) || is_nan(z)) return kCanonicalNan;
    if ((is_infinite(x) && t.my == 0) || (is_infinite(y) && t.mx == 0)) return kCanonicalNan;
    if (is_infinite(z) && product_is_infinite && t.sz != t.sp) return kCanonicalNan;
    return t.ez == 255 ? z : t.sp | kInfinity;
  }
  // Step 4.
  if (t.pm == 0 || t.pe < 0) return t.mz != 0 ? z : common_sign;
  // Steps 5 and 6.
  std::int32_t re = std::max(t.pe, t.ez);
  const Lane p = align(t.pm, re - t.pe);
  const Lane q = align(t.mz << 3, re - t.ez);
  const Lane sign = p >= q ? t.sp : t.sz;
  Lane rm = add_magnitudes(p, q, t.sp == t.sz);
  if (rm == 0) return common_sign;
  // Step 7.
  int n = places_beyond_bit_26(rm);
  re += n;
  if (re >= 255) return sign | kInfinity;
  if (re <= 0) {
    n += 1; // one extra place only, however negative the exponent was
    re = 0;
  }
  rm = shift_left_or_right(rm, n, true);
  // Steps 8 and 9.
  const Lane rounded = round_to_even(re, rm);
  return sign | (rounded < kHiddenOne ? 0 : rounded);
}

template <>
Lane fma_exact<Arch::Wormhole>(Lane x, Lane y, Lane z) {
  constexpr Lane kLeakingNan = 0x7F800001U;
  Terms t = unpack(x, y, z);

  // Step 3 leaves a pending NaN instead of returning one. 0 = none.
  Lane pending = 0;
  if (t.ex == 255 || t.ey == 255 || t.ez == 255 || t.pe >= 255) {
    const bool product_overflows = t.ex == 255 || t.ey == 255 || t.pe >= 255;
    const bool invalid_product =
        is_nan(x) || is_nan(y) || (is_infinite(x) && t.my == 0) || (is_infinite(y) && t.mx == 0);
    const bool opposite_infinities = is_infinite(z) && product_overflows && t.sz != t.sp;
    if (invalid_product || opposite_infinities) {
      pending = t.sp | kLeakingNan;
    } else if (is_nan(z)) {
      pending = t.sz | kLeakingNan;
    } else if (is_infinite(z)) {
      return z;
    } else {
      return t.sp | kInfinity;
    }
    t.pe = std::min(t.pe, 255);
  }
  // Step 4.
  if (t.pm == 0 || t.pe < 0) {
    if (pending == 0) return t.mz != 0 ? z : 0;
    t.pm = 0;
    t.pe = 0;
  }
  // Steps 5 and 6.
  std::int32_t re = std::max(t.pe, t.ez);
  const Lane p = align(t.pm, re - t.pe);
  const Lane q = align(t.mz << 3, re - t.ez);
  const Lane sign = p >= q ? t.sp : t.sz;
  Lane rm = add_magnitudes(p, q, t.sp == t.sz);
  if (rm == 0) return pending;
  // Step 7.
  const int n = places_beyond_bit_26(rm);
  re += n;
  if (re >= 255) return pending != 0 ? pending : sign | kInfinity;
  if (re < 0) return pending;
  rm = shift_left_or_right(rm, n, false);
  // Steps 8 and 9.
  const Lane rounded = round_to_even(re, rm);
  if (rounded < kHiddenOne) return pending;
  return (pending != 0 ? pending : sign) | rounded;
}

Lane fma_exact(Arch arch, Lane x, Lane y, Lane z) {
  return with_chip(arch, [&]<Arch A>(Chip<A>) -> Lane {
    if constexpr (has_narrow_lanes(A)) {
      return 0; // chip/semantics/narrow_lanes.h
    } else {
      return fma_exact<A>(x, y, z);
    }
  });
}

} // namespace lanewise::semantics
