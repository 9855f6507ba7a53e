// Intervals of doubles: the fast half of correctly rounded references.
//
// An operation returns an interval that contains its exact result for any numbers out of its
// operands' intervals. Nothing depends on the host's rounding mode being switched: results of the
// host are widened by a bound of their error. Where an operation is exact, which is checked, points
// stay points, so that a sum in the middle between two numbers of a format is known to be there.
//
//   a point      low and high are the same bits
//   a NaN        both are kNan
//   unknown      low is kNan, high is +Inf: any number, or a NaN
//   otherwise    numbers low < high, or -0 and +0. The sign of a zero at an end counts: [+0, 1]
//   does
//                not have -0 in it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanewise::references {

struct Interval {
  double low, high;
};

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr Interval kNanInterval{kNan, kNan};
inline constexpr Interval kUnknownInterval{kNan, kInfinite};

/// Relative error that is granted to functions of the host's <cmath> and of Boost.Math. The GNU C
/// Library states at most 5 ULP of 2^-52 for those used here (its manual, 'Known Maximum Errors in
/// Math Functions', x86_64); this is 64 of them.
inline constexpr double kLibraryMargin = 0x1p-46;
/// Relative error of one rounded operation, doubled so that the widening's own rounding is covered.
inline constexpr double kOperationMargin = 0x1p-52;

/// Below this a result is only known to lie between 0 and twice this: denormal doubles have no
/// relative accuracy, and every format rounds all of it to a zero.
inline constexpr double kTiny = 0x1p-1000;

/// What is smaller need not be known any better: no format tells it from 0, not even when it is
/// multiplied by the largest FP32 a few times.
inline constexpr double kNegligible = 0x1p-800;

/// What overflows a double is at least this, even if the host errs.
inline constexpr double kOverflow = 0x1p1022;

// gelu(x) = x Phi(x), Phi(x) = erfc(-x / sqrt(2)) / 2. The argument of erfc has two rounding errors
// of 2^-53, and |z erfc'(z) / erfc(z)| is at most 2 z^2 + 2 = x^2 + 2 for x < 0, below 1 for x > 0.
inline constexpr double kRootOfHalf = 0.707106781186547524400844362104849;

// gelu_tanh(x) = x (1 + tanh(v / 2)) / 2 = x sigmoid(v), v = x (linear + cubic x^2). It has seven
// rounding errors of 2^-53, and |v sigmoid'(v) / sigmoid(v)| is at most |v| for v < 0, below 1 for
// v > 0.
inline constexpr double kGeluLinear = 2 * 0.797884560802865355879892119868764; // 2 sqrt(2 / pi)
inline constexpr double kGeluCubic = kGeluLinear * 0.044715;
inline constexpr double kGeluArgumentMargin = 4 * kOperationMargin;

/// How closely ReferenceValue::exact is known.
inline constexpr double kExactMargin = 0x1p-40;

inline bool is_point(Interval a) {
  return std::bit_cast<std::uint64_t>(a.low) == std::bit_cast<std::uint64_t>(a.high);
}
/// A NaN or unknown.
inline bool lacks_bounds(Interval a) {
  return a.low != a.low;
}
inline bool is_nan(Interval a) {
  return a.high != a.high;
}
inline Interval point(double value) {
  return value == value ? Interval{value, value} : kNanInterval;
}

/// What follows from operands of which at least one lacks bounds.
inline Interval without_bounds(Interval a, Interval b) {
  return is_nan(a) || is_nan(b) ? kNanInterval : kUnknownInterval;
}

/// A number that is at most margin * |value| away from `value`, on the same side of 0. A result
/// of 0 or infinity stands for one that is too small or too large for a double. Not for NaN.
inline Interval widen(double value, double margin) {
  const double size = std::fabs(value);
  if (size < kTiny) [[unlikely]] {
    return std::signbit(value) ? Interval{-2 * kTiny, -0.0} : Interval{0.0, 2 * kTiny};
  }
  if (size == kInfinite) [[unlikely]] {
    return value > 0 ? Interval{kOverflow, kInfinite} : Interval{-kInfinite, -kOverflow};
  }
  return {value - size * margin, value + size * margin};
}

/// An interval around an operation's result that is not exact; NaN tells that the operation has no
/// value for some of its operands, which is certain if they are points.
inline Interval around(double low, double high, bool of_points) {
  if (low != low || high != high) return of_points ? kNanInterval : kUnknownInterval;
  return {widen(low, kOperationMargin).low, widen(high, kOperationMargin).high};
}

/// From -0 up to +0, as the ends of intervals need it.
inline double smaller(double a, double b) {
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
inline double larger(double a, double b) {
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}

// --- Arithmetic

/// The rounding error of a + b, exactly (Knuth's TwoSum); NaN if the sum is infinite.
inline double error_of_sum(double a, double b, double sum) {
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return (a - a_part) + (b - b_part);
}

inline Interval operator-(Interval a) {
  return lacks_bounds(a) ? a : Interval{-a.high, -a.low};
}

inline Interval operator+(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  const bool of_points = is_point(a) && is_point(b);
  const double low = a.low + b.low;
  if (of_points && (error_of_sum(a.low, b.low, low) == 0 || std::isinf(a.low) || std::isinf(b.low)))
    return point(low);
  return around(low, of_points ? low : a.high + b.high, of_points);
}

inline Interval operator-(Interval a, Interval b) {
  return a + -b;
}

/// At most 26 bits of significand, so that products of two such numbers fit.
inline bool is_short(double value) {
  return (std::bit_cast<std::uint64_t>(value) & ((std::uint64_t{1} << 27) - 1)) == 0;
}

inline Interval product_of_points(double a, double b) {
  const double result = a * b;
  const double size = std::fabs(result);
  const bool is_special = a == 0 || b == 0 || std::isinf(a) || std::isinf(b);
  const bool is_exact = size > kTiny && size < kInfinite &&
                        ((is_short(a) && is_short(b)) || std::fma(a, b, -result) == 0);
  return is_special || is_exact ? point(result) : around(result, result, true);
}

inline Interval operator*(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  if (is_point(a) && is_point(b)) return product_of_points(a.low, b.low);
  const double ll = a.low * b.low, lh = a.low * b.high, hl = a.high * b.low, hh = a.high * b.high;
  if (std::isnan(ll + lh) || std::isnan(hl + hh)) {
    // Also for infinities of both signs, which is only slower.
    return kUnknownInterval;
  }
  return around(smaller(smaller(ll, lh), smaller(hl, hh)), larger(larger(ll, lh), larger(hl, hh)),
                false);
}

inline Interval quotient_of_points(double a, double b) {
  const double result = a / b;
  const bool is_special = a == 0 || b == 0 || std::isinf(a) || std::isinf(b);
  const double size = std::fabs(result);
  // The residual itself must not underflow.
  const bool is_exact =
      size > kTiny && size < kInfinite && std::fabs(a) > 0x1p-900 && std::fma(result, b, -a) == 0;
  return is_special || is_exact ? point(result) : around(result, result, true);
}

/// Whether numbers of both signs are in an interval, counting those of zeros.
inline bool has_both_signs(Interval a) {
  return std::signbit(a.low) != std::signbit(a.high);
}

inline Interval operator/(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  if (is_point(a) && is_point(b)) return quotient_of_points(a.low, b.low);
  if (has_both_signs(b)) return kUnknownInterval;
  const double ll = a.low / b.low, lh = a.low / b.high, hl = a.high / b.low, hh = a.high / b.high;
  if (std::isnan(ll + lh) || std::isnan(hl + hh)) return kUnknownInterval;
  return around(smaller(smaller(ll, lh), smaller(hl, hh)), larger(larger(ll, lh), larger(hl, hh)),
                false);
}

inline Interval absolute(Interval a) {
  if (lacks_bounds(a)) return a;
  if (!std::signbit(a.low)) return a;
  if (std::signbit(a.high)) return -a;
  return {0.0, std::max(-a.low, a.high)};
}

inline Interval square(Interval a) {
  const Interval size = absolute(a);
  return size * size;
}

inline Interval minimum(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  return {smaller(a.low, b.low), smaller(a.high, b.high)};
}

inline Interval maximum(Interval a, Interval b) {
  if (lacks_bounds(a) || lacks_bounds(b)) return without_bounds(a, b);
  return {larger(a.low, b.low), larger(a.high, b.high)};
}

// --- Truth values: the points 0 and 1, or [0, 1] where it is open.

inline constexpr Interval kFalse{0, 0};
inline constexpr Interval kTrue{1, 1};
inline constexpr Interval kMaybe{0, 1};

inline Interval less(Interval a, Interval b) {
  if (is_nan(a) || is_nan(b)) return kFalse;
  if (lacks_bounds(a) || lacks_bounds(b)) return kMaybe;
  if (a.high < b.low) return kTrue;
  return a.low >= b.high ? kFalse : kMaybe;
}

inline Interval less_equal(Interval a, Interval b) {
  if (is_nan(a) || is_nan(b)) return kFalse;
  if (lacks_bounds(a) || lacks_bounds(b)) return kMaybe;
  if (a.high <= b.low) return kTrue;
  return a.low > b.high ? kFalse : kMaybe;
}

inline Interval equal(Interval a, Interval b) {
  if (is_nan(a) || is_nan(b)) return kFalse;
  if (lacks_bounds(a) || lacks_bounds(b)) return kMaybe;
  if (a.low == b.high && a.high == b.low) return kTrue;
  return a.high < b.low || a.low > b.high ? kFalse : kMaybe;
}

/// Whether a number counts as true: it is neither 0 nor NaN.
inline Interval truth(Interval a) {
  if (is_nan(a)) return kFalse;
  if (lacks_bounds(a)) return kMaybe;
  if (a.low > 0 || a.high < 0) return kTrue;
  return a.low == 0 && a.high == 0 ? kFalse : kMaybe;
}

inline Interval logical_not(Interval a) {
  const Interval t = truth(a);
  return {1 - t.high, 1 - t.low};
}

/// The smallest interval that has both in it.
inline Interval hull(Interval a, Interval b) {
  if (is_nan(a) && is_nan(b)) return a;
  if (lacks_bounds(a) || lacks_bounds(b)) return kUnknownInterval;
  return {smaller(a.low, b.low), larger(a.high, b.high)};
}

inline Interval choose(Interval condition, Interval a, Interval b) {
  const Interval t = truth(condition);
  if (is_point(t)) return t.low != 0 ? a : b;
  return hull(a, b);
}

} // namespace lanewise::references
