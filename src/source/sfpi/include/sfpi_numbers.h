// Library of release 7.71: classes of floats, minima and maxima, polynomials, rounding.
//
// All are templates, so that a kernel's own function of the same name is preferred: kernels of
// earlier releases may have one.
#pragma once

#include "sfpi_convert.h"
#include "sfpi_exchange.h"

namespace sfpi {

namespace impl_ {

inline constexpr int kExponentOfInfinity = 255; ///< of infinities and NaNs

/// The smaller or greater of an unsigned vector and a constant. The hardware orders sign-magnitude
/// numbers. With the top bit of the constant set they are in the reverse order of unsigned ones,
/// and so are the complements of both if it is not.
inline vUInt unsigned_extreme(const vUInt& v, std::uint32_t constant, bool is_max) {
  constexpr unsigned kMinimum = 0, kMaximum = 0xF; // all groups of lanes
  const vUInt other = constant;
  if ((constant >> 31) != 0) {
    const unsigned reversed = is_max ? kMinimum : kMaximum;
    return vUInt(min_max(vSMag(v.get()), vSMag(other.get()), reversed).first.get());
  }
  const vUInt a = ~v;
  const vUInt b = ~other;
  const unsigned twice_reversed = is_max ? kMaximum : kMinimum;
  return ~vUInt(min_max(vSMag(a.get()), vSMag(b.get()), twice_reversed).first.get());
}

template <bool is_max, class V, class B>
inline V extreme(const V& a, const B& b) {
  if constexpr (std::is_base_of_v<vUInt, V> && side<B> == Side::IntScalar) {
    return V(unsigned_extreme(a, bits_of(b), is_max).get());
  } else {
    return min_max(a, V(b), is_max ? 0xFU : 0U).first;
  }
}

/// What round() gives: the number as a float and as an integer.
class FloatInt : public std::pair<vFloat, vInt> {
 public:
  using pair::pair;
  operator vFloat() const { return first; }
  operator vInt() const { return second; }
};

} // namespace impl_

template <int = 0>
inline vBool is_zero(const vFloat& v) {
  return (reinterpret<vUInt>(v) << 1) == 0;
}
template <int = 0>
inline vBool is_nan(const vFloat& v) {
  return exexp(v, ExponentMode::Biased) >= impl_::kExponentOfInfinity && exman(v) != 0;
}
template <int = 0>
inline vBool is_inf(const vFloat& v) {
  return exexp(v, ExponentMode::Biased) >= impl_::kExponentOfInfinity && exman(v) == 0;
}
template <int = 0>
inline vBool is_finite(const vFloat& v) {
  return exexp(v, ExponentMode::Biased) < impl_::kExponentOfInfinity;
}
template <int = 0>
inline vBool is_normal(const vFloat& v) {
  const vInt exponent = exexp(v, ExponentMode::Biased);
  return exponent < impl_::kExponentOfInfinity && exponent != 0;
}
template <int = 0>
inline vBool is_subnormal(const vFloat& v) {
  return exexp(v, ExponentMode::Biased) == 0 && exman(v) != 0;
}
/// By the sign bit: +0 is positive, -0 negative.
template <int = 0>
inline vBool is_pos(const vFloat& v) {
  return lz(v) != 0;
}
template <int = 0>
inline vBool is_neg(const vFloat& v) {
  return lz(v) == 0;
}

template <class V, class B, impl_::if_vector<V> = 0>
inline V min(const V& a, const B& b) {
  return impl_::extreme<false>(a, b);
}
template <class V, class B, impl_::if_vector<V> = 0>
inline V max(const V& a, const B& b) {
  return impl_::extreme<true>(a, b);
}
template <class V, class L, class U, impl_::if_vector<V> = 0>
inline V clamp(const V& v, const L& lower, const U& upper) {
  return min(max(v, lower), upper);
}
/// Between -bound and bound.
template <int = 0>
inline vFloat symmetric_clamp(const vFloat& v, float bound) {
  return copysgn(min(abs(v), bound), v);
}
template <int = 0>
inline vFloat rectified_linear_unit(const vFloat& v) {
  return max(v, 0.0F);
}

/// To the nearest integer, for |v| < 2^22: adding 1.5 * 2^23 leaves no bits behind the point.
template <class T = vFloat>
inline impl_::FloatInt round(const vFloat& v) {
  impl_::require_later_library<T>();
  const vFloat magic = 12582912.0F;
  const vFloat shifted = v + magic;
  return {shifted - magic, reinterpret<vInt>(shifted) - reinterpret<vInt>(magic)};
}

/// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
template <int = 0>
inline vFloat polynomial(const vFloat&) {
  return 0.0F;
}
template <class C>
inline vFloat polynomial(const vFloat&, const C& c0) {
  return vFloat(c0);
}
template <class C, class... Rest>
inline vFloat polynomial(const vFloat& x, const C& c0, const Rest&... rest) {
  return vFloat(c0) + x * polynomial(x, rest...);
}

} // namespace sfpi
