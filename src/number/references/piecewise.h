// Functions of expressions that are put together from others, written once for every kind of
// intervals: of doubles, of vectors of doubles (kernels/intervals.h), of MPFR numbers.
//
// Forced inline, so that no level of the vector code leaves a symbol.
#pragma once

#include <algorithm>
#include <cmath>

#include "chip/semantics/lanes.h"
#include "number/formats/format.h"
#include "number/references/interval.h"

namespace lanewise::references {

/// A number as a point.
template <class T>
LANEWISE_INLINE T constant(double number) {
  return T(number);
}

/// pi, between two neighbouring doubles; of MPFR numbers as close as their precision.
template <class T>
LANEWISE_INLINE T pi_of() {
  return hull(constant<T>(0x1.921fb54442d18p+1), constant<T>(0x1.921fb54442d19p+1));
}

/// A power to a whole number above 0, by repeated squaring.
template <class T>
LANEWISE_INLINE T whole_power(const T& a, unsigned exponent) {
  T result = a, power = a;
  bool is_first = true;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      result = is_first ? power : result * power;
      is_first = false;
    }
    if (exponent > 1) power = square(power);
  }
  return result;
}

/// Whole exponents up to this are products; larger ones are rare.
inline constexpr double kLargestWholeExponent = 64;

/// Whether a truth value is certainly 1.
template <class T>
LANEWISE_INLINE bool holds(const T& truth_value) {
  return number_of(truth_value) == 1;
}

/// IEEE 754's pow().
template <class T>
LANEWISE_INLINE T pow(const T& a, const T& b) {
  const double exponent = is_point(b) ? number_of(b) : kNan;
  const double size = std::fabs(exponent);
  const bool is_whole = size >= 1 && size <= kLargestWholeExponent && size == std::floor(size) &&
                        holds(equal(b, constant<T>(exponent)));
  if (!is_whole) return power(a, b);
  const T result = whole_power(a, static_cast<unsigned>(size));
  return exponent > 0 ? result : constant<T>(1) / result;
}

template <class T>
LANEWISE_INLINE T clamp(const T& a, const T& lowest, const T& highest) {
  return minimum(maximum(a, lowest), highest);
}
template <class T>
LANEWISE_INLINE T relu(const T& a) {
  return maximum(a, constant<T>(0));
}
template <class T>
LANEWISE_INLINE T leaky_relu(const T& a, const T& slope) {
  return choose(less(constant<T>(0), a), a, slope * a);
}
template <class T>
LANEWISE_INLINE T elu(const T& a, const T& scale) {
  return choose(less(constant<T>(0), a), a, scale * expm1(a));
}
template <class T>
LANEWISE_INLINE T celu(const T& a, const T& scale) {
  return choose(less(constant<T>(0), a), a, scale * expm1(a / scale));
}
/// The two constants are the doubles that PyTorch has.
template <class T>
LANEWISE_INLINE T selu(const T& a) {
  const T scale = constant<T>(1.0507009873554804934193349852946);
  const T alpha = constant<T>(1.6732632423543772848170429916717);
  return choose(less(constant<T>(0), a), scale * a, scale * (alpha * expm1(a)));
}
template <class T>
LANEWISE_INLINE T softshrink(const T& a, const T& edge) {
  const T shrunk = choose(less(a, -edge), a + edge, a * constant<T>(0));
  return choose(less(edge, a), a - edge, shrunk);
}
template <class T>
LANEWISE_INLINE T hardshrink(const T& a, const T& edge) {
  return choose(less(edge, absolute(a)), a, choose(is_a_nan(a), a, constant<T>(0)));
}
/// log(x / (1 - x)); x is first brought between eps and 1 - eps if eps is not negative.
template <class T>
LANEWISE_INLINE T logit(const T& a, const T& eps) {
  const T one = constant<T>(1);
  const T inner = choose(less(eps, constant<T>(0)), a, clamp(a, eps, one - eps));
  return log(inner / (one - inner));
}
template <class T>
LANEWISE_INLINE T hardmish(const T& a) {
  const T two = constant<T>(2);
  const T middle = a * (a + two) / two;
  return choose(less_equal(a, -two), constant<T>(-0.0),
                choose(less_equal(constant<T>(0), a), a, middle));
}
template <class T>
LANEWISE_INLINE T hardsigmoid(const T& a) {
  const T six = constant<T>(6);
  return clamp(a + constant<T>(3), constant<T>(0), six) / six;
}
template <class T>
LANEWISE_INLINE T hardswish(const T& a) {
  const T three = constant<T>(3);
  const T middle = a * (a + three) / constant<T>(6);
  return choose(less_equal(a, -three), constant<T>(-0.0), choose(less_equal(three, a), a, middle));
}

/// x / (1 + |x|), of which the limits at infinity are 1 in size.
template <class T>
LANEWISE_INLINE T softsign_at(const T& a) {
  const double x = number_of(a);
  const bool is_infinite = is_point(a) && std::isinf(x) && holds(equal(a, constant<T>(x)));
  return is_infinite ? constant<T>(std::copysign(1.0, x)) : a / (constant<T>(1) + absolute(a));
}

template <class T>
LANEWISE_INLINE T softsign(const T& a) {
  return rising_by_ends(a, softsign_at<T>);
}

/// -1, 1, or the zero that it is given.
template <class T>
LANEWISE_INLINE T sign(const T& a) {
  return stepwise(a, [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; });
}
/// 1 from 0 on.
template <class T>
LANEWISE_INLINE T step(const T& a) {
  return stepwise(a, [](double x) { return x >= 0 ? 1.0 : x < 0 ? 0.0 : x; });
}
template <class T>
LANEWISE_INLINE T heaviside(const T& a, const T& at_zero) {
  const T zero = constant<T>(0);
  const T beside = choose(less(a, zero), zero, choose(less(zero, a), constant<T>(1), a));
  return choose(equal(a, zero), at_zero, beside);
}

template <class T>
LANEWISE_INLINE T fraction(const T& a) {
  return a - round_to_zero(a);
}

template <class T>
LANEWISE_INLINE T in_format(const T& a, formats::Format format) {
  return stepwise(a, [=](double x) {
    return formats::value_of_bits(format, formats::round_to_bits(format, x));
  });
}

/// The FP32 next to the FP32 nearest to `a`, on the side of `b`; `b` itself where they are equal.
template <class T>
LANEWISE_INLINE T next_after(const T& a, const T& b) {
  const T at = in_format(a, formats::Format::FP32);
  const auto neighbour = [](double x, double end) {
    return static_cast<double>(std::nextafter(static_cast<float>(x), static_cast<float>(end)));
  };
  const T above = stepwise(at, [=](double x) { return neighbour(x, kInfinite); });
  const T below = stepwise(at, [=](double x) { return neighbour(x, -kInfinite); });
  const T beside = choose(less(at, b), above, choose(less(b, at), below, at + b));
  return choose(equal(at, b), b, beside);
}

template <class T>
LANEWISE_INLINE T not_equal(const T& a, const T& b) {
  return logical_not(equal(a, b));
}
template <class T>
LANEWISE_INLINE T logical_and(const T& a, const T& b) {
  return minimum(truth(a), truth(b));
}
template <class T>
LANEWISE_INLINE T logical_or(const T& a, const T& b) {
  return maximum(truth(a), truth(b));
}
template <class T>
LANEWISE_INLINE T is_infinite(const T& a) {
  return equal(absolute(a), constant<T>(kInfinite));
}
template <class T>
LANEWISE_INLINE T is_finite(const T& a) {
  return less(absolute(a), constant<T>(kInfinite));
}

/// Whether there is a minus sign, also that of a zero.
template <class T>
LANEWISE_INLINE T has_minus(const T& a) {
  return less(with_sign(constant<T>(1), a), constant<T>(0));
}

/// What is left after whole multiples of `b`, with the sign of `b`; a zero keeps that of `a`.
template <class T>
LANEWISE_INLINE T floored_remainder(const T& a, const T& b) {
  const T zero = constant<T>(0);
  const T rest = remainder(a, b);
  const T is_other_side = not_equal(less(rest, zero), less(b, zero));
  return choose(logical_and(rest, is_other_side), rest + b, rest);
}

/// As in C, infinite if one operand is, even beside a NaN.
template <class T>
LANEWISE_INLINE T hypot(const T& a, const T& b) {
  const T is_open = logical_or(is_infinite(a), is_infinite(b));
  return choose(is_open, constant<T>(kInfinite), sqrt(square(a) + square(b)));
}

/// log(e^a + e^b); the larger of both stands before the rest. Two infinities are equal.
template <class T>
LANEWISE_INLINE T log_of_sum(const T& a, const T& b) {
  const T rest = log1p(exp(-absolute(a - b)));
  return choose(equal(a, b), a + log(constant<T>(2)), maximum(a, b) + rest);
}
template <class T>
LANEWISE_INLINE T log2_of_sum(const T& a, const T& b) {
  const T rest = log1p(exp2(-absolute(a - b))) / log(constant<T>(2));
  return choose(equal(a, b), a + constant<T>(1), maximum(a, b) + rest);
}

/// x log(y), 0 where x is one unless y is a NaN.
template <class T>
LANEWISE_INLINE T times_log(const T& a, const T& b) {
  const T product = choose(equal(a, constant<T>(0)), constant<T>(0), a * log(b));
  return choose(is_a_nan(b), b, product);
}

/// The largest dimension of multigammaln().
inline constexpr double kLargestGammaDimension = 64;

/// p (p - 1) / 4 log(pi) + sum of lgamma(x - k / 2), k from 0 to p - 1; a NaN for another p than a
/// whole number from 1 to 64.
template <class T>
LANEWISE_INLINE T multigammaln(const T& a, const T& dimension) {
  const double p = is_point(dimension) ? number_of(dimension) : kNan;
  const bool is_dimension = p >= 1 && p <= kLargestGammaDimension && p == std::floor(p);
  if (!is_dimension) return constant<T>(kNan);
  T sum = constant<T>(p * (p - 1) / 4) * log(pi_of<T>());
  for (unsigned k = 0; k < static_cast<unsigned>(p); ++k)
    sum = sum + lgamma(a - constant<T>(k / 2.0));
  return sum;
}

/// Toward zero, then the nearest number of a range; NaN becomes 0, and zero has no sign.
template <class T>
LANEWISE_INLINE T saturate(const T& a, double lowest, double highest) {
  return stepwise(
      a, [=](double x) { return x == x ? std::clamp(std::trunc(x), lowest, highest) + 0.0 : 0.0; });
}

/// TF32 is an FP32 with 10 bits of mantissa; denormals become zeros as those of BF16 do.
LANEWISE_INLINE double to_tf32(double x) {
  constexpr int kMantissaBits = 10, kSmallestExponent = -126;
  if (!std::isfinite(x) || x == 0) return x;
  const int exponent = std::max(std::ilogb(x), kSmallestExponent);
  const double unit = std::ldexp(1.0, exponent - kMantissaBits);
  const double rounded = std::nearbyint(x / unit) * unit;
  if (std::fabs(rounded) < std::ldexp(1.0, kSmallestExponent)) return std::copysign(0.0, x);
  return std::fabs(rounded) < 0x1p128 ? rounded : std::copysign(kInfinite, x);
}
template <class T>
LANEWISE_INLINE T in_tf32(const T& a) {
  return stepwise(a, to_tf32);
}

} // namespace lanewise::references
