// The functions of expressions on intervals of doubles: host libraries, widened.
//
// A point costs one call of the library. The ends of other intervals are evaluated separately,
// where the function is monotone.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "number/references/gamma.h"
#include "number/references/interval.h"
#include "number/references/piecewise.h"
#include "number/references/special.h"

namespace lanewise::references {

/// A library's result at `x`. At 0 and at infinities the functions here are 0, 1/2, 1 or infinite
/// exactly, if the host says so.
inline Interval library_result(double x, double result, double margin = kLibraryMargin) {
  if (x == 0 || std::isinf(x)) [[unlikely]] {
    const double size = std::fabs(result);
    if (size == 0 || size == 0.5 || size == 1 || size == kInfinite) return point(result);
  }
  return result == result ? widen(result, margin) : kNanInterval;
}

/// The results at both ends, where `at(x)` is one at a number. A NaN at an end is the function's
/// value at a point, and otherwise leaves everything open.
template <class At>
Interval at_ends(Interval a, bool is_rising, At at) {
  if (lacks_bounds(a)) return a;
  const Interval first = at(a.low);
  if (is_point(a)) return first;
  const Interval last = at(a.high);
  if (lacks_bounds(first) || lacks_bounds(last)) return kUnknownInterval;
  return is_rising ? Interval{first.low, last.high} : Interval{last.low, first.high};
}

template <class Function>
Interval rising(Interval a, Function function) {
  return at_ends(a, true, [&](double x) { return library_result(x, function(x)); });
}

/// A rising function that is 0 at 1.
template <class Function>
Interval rising_through_one(Interval a, Function function) {
  return at_ends(a, true,
                 [&](double x) { return x == 1 ? kFalse : library_result(x, function(x)); });
}

template <class Function>
Interval falling(Interval a, Function function) {
  return at_ends(a, false, [&](double x) { return library_result(x, function(x)); });
}

/// The part of a result that lies between two numbers, where all of it must lie.
inline Interval bounded(Interval a, double lowest, double highest) {
  if (lacks_bounds(a)) return a;
  return {std::max(a.low, lowest), std::min(a.high, highest)};
}

// --- Exponentials and logarithms

/// The host's exp(), which takes its time over results that are 0 or infinite.
inline double exp_of(double x) {
  constexpr double kOverflows = 710, kUnderflows = -746; // 1024 log(2) and -1075 log(2), and more
  if (x > kOverflows) return kInfinite;
  return x < kUnderflows ? 0.0 : std::exp(x);
}

inline Interval exp(Interval a) {
  return rising(a, [](double x) { return exp_of(x); });
}
inline Interval exp2(Interval a) {
  return at_ends(a, true, [](double x) {
    constexpr double kLargestExact = 1000;
    const double result = std::exp2(x);
    const bool is_power = x == std::floor(x) && std::fabs(x) < kLargestExact;
    return is_power ? point(std::ldexp(1.0, static_cast<int>(x))) : library_result(x, result);
  });
}
inline Interval exp10(Interval a) {
  return rising(a, [](double x) { return ::exp10(x); });
}
inline Interval expm1(Interval a) {
  return rising(a, [](double x) { return std::expm1(x); });
}
inline Interval log(Interval a) {
  return rising_through_one(a, [](double x) { return std::log(x); });
}
inline Interval log2(Interval a) {
  return at_ends(a, true, [](double x) {
    int exponent = 0;
    const bool is_power = x > 0 && std::frexp(x, &exponent) == 0.5;
    return is_power ? point(exponent - 1) : library_result(x, std::log2(x));
  });
}
inline Interval log10(Interval a) {
  return rising_through_one(a, [](double x) { return std::log10(x); });
}
inline Interval log1p(Interval a) {
  return rising(a, [](double x) { return std::log1p(x); });
}

// --- Roots and powers

inline Interval sqrt(Interval a) {
  return at_ends(a, true, [](double x) {
    const double result = std::sqrt(x);
    const bool is_exact = is_short(result) && result * result == x;
    return is_exact ? point(result) : library_result(x, result, kOperationMargin);
  });
}
inline Interval cbrt(Interval a) {
  return rising(a, [](double x) { return std::cbrt(x); });
}

inline Interval power_of_points(double a, double b) {
  const double result = std::pow(a, b);
  const bool is_special =
      a == 0 || a == 1 || b == 0 || std::isinf(a) || std::isinf(b) || result != result;
  return is_special ? point(result) : widen(result, kLibraryMargin);
}

inline Interval power(Interval a, Interval b) {
  const bool is_one = (is_point(b) && b.low == 0) || (is_point(a) && a.low == 1);
  if (is_one) return kTrue;
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  if (is_point(a) && is_point(b)) return power_of_points(a.low, b.low);
  if (std::signbit(a.low)) return kUnknownInterval;
  // Monotone in each operand: the extremes are at the corners.
  const Interval lows = hull(power_of_points(a.low, b.low), power_of_points(a.low, b.high));
  const Interval highs = hull(power_of_points(a.high, b.low), power_of_points(a.high, b.high));
  return hull(lows, highs);
}

// --- Trigonometric and hyperbolic functions

/// A function whose slope is nowhere above 1 in size, between -1 and 1.
template <class Function>
Interval oscillating(Interval a, Function function) {
  if (lacks_bounds(a)) return a;
  if (is_point(a)) return bounded(library_result(a.low, function(a.low)), -1, 1);
  const double center = a.low / 2 + a.high / 2;
  if (!std::isfinite(center)) return kUnknownInterval;
  // Twice the radius, and the rounding of the center with it.
  const double reach = (a.high - a.low) + std::fabs(center) * kOperationMargin;
  const double value = function(center);
  const Interval near = widen(value, kLibraryMargin);
  return bounded({near.low - reach, near.high + reach}, -1, 1);
}

inline Interval sin(Interval a) {
  return oscillating(a, [](double x) { return std::sin(x); });
}
inline Interval cos(Interval a) {
  return oscillating(a, [](double x) { return std::cos(x); });
}
inline Interval tan(Interval a) {
  if (is_point(a)) return library_result(a.low, std::tan(a.low));
  return sin(a) / cos(a);
}
inline Interval asin(Interval a) {
  return rising(a, [](double x) { return std::asin(x); });
}
inline Interval acos(Interval a) {
  return at_ends(a, false,
                 [](double x) { return x == 1 ? kFalse : library_result(x, std::acos(x)); });
}
inline Interval atan(Interval a) {
  return rising(a, [](double x) { return std::atan(x); });
}
inline Interval sinh(Interval a) {
  return rising(a, [](double x) { return std::sinh(x); });
}
inline Interval cosh(Interval a) {
  return rising(absolute(a), [](double x) { return std::cosh(x); });
}
inline Interval tanh(Interval a) {
  return bounded(rising(a, [](double x) { return std::tanh(x); }), -1, 1);
}

/// x - tanh(x). Near 0 nearly all of the difference is lost: there it is its Taylor series
/// (DLMF 4.33.3), of which what is left out is below 2^-50 of the sum.
inline double tanhshrink_of(double x) {
  constexpr double kNear = 0x1p-4;
  if (!(std::fabs(x) < kNear)) return x - std::tanh(x);
  const double square = x * x;
  constexpr std::array kCoefficients{1.0 / 3,      -2.0 / 15,       17.0 / 315,
                                     -62.0 / 2835, 1382.0 / 155925, -21844.0 / 6081075};
  double sum = 0;
  for (std::size_t i = kCoefficients.size(); i-- != 0;) sum = sum * square + kCoefficients[i];
  return x * square * sum;
}
inline Interval tanhshrink_at(double x) {
  // The difference is above 2^-10 of x, which is where its errors come from.
  constexpr double kMargin = 0x1p-42;
  if (x == 0) return point(0);
  return library_result(x, tanhshrink_of(x), kMargin);
}
inline Interval tanhshrink(Interval a) {
  return at_ends(a, true, tanhshrink_at);
}

inline Interval asinh(Interval a) {
  return rising(a, [](double x) { return std::asinh(x); });
}
inline Interval acosh(Interval a) {
  return rising_through_one(a, [](double x) { return std::acosh(x); });
}
inline Interval atanh(Interval a) {
  return rising(a, [](double x) { return std::atanh(x); });
}

// --- Error functions and Bessel functions

inline Interval erf(Interval a) {
  return bounded(rising(a, [](double x) { return std::erf(x); }), -1, 1);
}
inline Interval erfc(Interval a) {
  return bounded(falling(a, [](double x) { return std::erfc(x); }), 0, 2);
}
inline Interval erfinv(Interval a) {
  return rising(a, [](double x) { return inverse_erf_of(x); });
}
inline Interval bessel_i0(Interval a) {
  return rising(absolute(a), [](double x) { return bessel_i0_of(x); });
}
inline Interval bessel_i1(Interval a) {
  return rising(a, [](double x) { return bessel_i1_of(x); });
}

// --- Activations. x * g(x) with a rising g from 0 to 1, which vanishes faster than x grows.

template <class Factor>
Interval times_rising(Interval a, Factor factor_at) {
  if (lacks_bounds(a)) return a;
  if (!is_point(a)) return a * at_ends(a, true, factor_at);
  const double x = a.low;
  if (x == -kInfinite) return point(-0.0);
  const Interval factor = factor_at(x);
  if (x == 0 || x == kInfinite) return point(x);
  if (factor.high <= 2 * kTiny) return {-kNegligible, -0.0};
  const double first = x * factor.low, last = x * factor.high;
  return around(std::min(first, last), std::max(first, last), true);
}

inline double sigmoid_of(double x) {
  return 1 / (1 + exp_of(-x));
}
/// log(1 + e^x)
inline double softplus_of(double x) {
  return x > 0 ? x + std::log1p(exp_of(-x)) : std::log1p(exp_of(x));
}

inline Interval sigmoid(Interval a) {
  return bounded(rising(a, [](double x) { return sigmoid_of(x); }), 0, 1);
}
inline Interval softplus(Interval a) {
  return rising(a, [](double x) { return softplus_of(x); });
}
inline Interval silu(Interval a) {
  return times_rising(a, [](double x) { return library_result(x, sigmoid_of(x)); });
}
inline Interval mish(Interval a) {
  return times_rising(a, [](double x) { return library_result(x, std::tanh(softplus_of(x))); });
}
inline Interval gelu(Interval a) {
  return times_rising(a, [](double x) {
    const double z = x * -kRootOfHalf;
    const double margin = kLibraryMargin + (x < 0 ? x * x * kOperationMargin : 0);
    return bounded(library_result(x, std::erfc(z) / 2, margin), 0, 1);
  });
}
inline Interval gelu_tanh(Interval a) {
  return times_rising(a, [](double x) {
    const double v = x * (kGeluLinear + kGeluCubic * x * x);
    const double margin = kLibraryMargin + (v < 0 ? -v * kGeluArgumentMargin : 0);
    return bounded(library_result(x, sigmoid_of(v), margin), 0, 1);
  });
}

// --- Step functions, which never fall, and are exact

/// `at(x)` is the function's value at a number or NaN, again a number or NaN.
template <class At>
Interval stepwise(Interval a, At at) {
  if (!lacks_bounds(a)) return {at(a.low), at(a.high)};
  const Interval of_nan = point(at(kNan));
  return is_nan(a) ? of_nan : hull({at(-kInfinite), at(kInfinite)}, of_nan);
}

inline Interval round_down(Interval a) {
  return stepwise(a, [](double x) { return std::floor(x); });
}
inline Interval round_up(Interval a) {
  return stepwise(a, [](double x) { return std::ceil(x); });
}
inline Interval round_to_zero(Interval a) {
  return stepwise(a, [](double x) { return std::trunc(x); });
}
inline Interval round_half_away(Interval a) {
  return stepwise(a, [](double x) { return std::round(x); });
}
inline Interval round_half_even(Interval a) {
  return stepwise(a, [](double x) { return std::nearbyint(x); });
}

// --- Others

/// fmod(), which is exact.
inline Interval remainder(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  if (is_point(a) && is_point(b)) return point(std::fmod(a.low, b.low));
  const bool is_plain = is_point(b) && b.low != 0 && std::isfinite(b.low) && std::isfinite(a.low) &&
                        std::isfinite(a.high);
  if (!is_plain) return kUnknownInterval;
  const double low = std::fmod(a.low, b.low), high = std::fmod(a.high, b.low);
  const double size = std::fabs(b.low);
  const bool is_one_period = !has_both_signs(a) && a.high - a.low < size / 2 && low <= high;
  return is_one_period ? Interval{low, high} : Interval{-size, size};
}

/// atan2(): the angle of the point (b, a). Only of numbers.
inline Interval angle(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  if (!is_point(a) || !is_point(b)) return kUnknownInterval;
  const double result = std::atan2(a.low, b.low);
  const bool is_zero = result == 0 && (a.low == 0 || b.low == kInfinite);
  return is_zero ? point(result) : widen(result, kLibraryMargin);
}

/// copysign()
inline Interval with_sign(Interval a, Interval sign) {
  const Interval size = absolute(a);
  if (is_nan(sign)) return size;
  if (lacks_bounds(sign) || has_both_signs(sign)) return hull(size, -size);
  return std::signbit(sign.low) ? -size : size;
}

// --- What templates over both kinds of intervals ask (number/references/piecewise.h)

template <>
inline Interval constant<Interval>(double number) {
  return point(number);
}
inline double number_of(Interval a) {
  return a.low;
}
inline Interval is_a_nan(Interval a) {
  if (is_nan(a)) return kTrue;
  return lacks_bounds(a) ? kMaybe : kFalse;
}

/// A rising function evaluated at both ends, for one that would lose bounds otherwise because its
/// operand appears twice.
template <class Function>
Interval rising_by_ends(Interval a, Function function) {
  return at_ends(a, true, [&](double x) { return function(point(x)); });
}

} // namespace lanewise::references
