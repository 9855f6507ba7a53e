// The functions of expressions on vectors of intervals, under the names of
// number/references/interval_functions.h, which says why they are right.
#pragma once

#include <array>
#include <cmath>

#include "number/references/kernels/error_functions.h"
#include "number/references/kernels/intervals.h"
#include "number/references/kernels/vector_math.h"
#include "number/references/piecewise.h"

namespace lanewise::LANEWISE_LEVEL {

// --- Functions at a number, and at both ends

LANEWISE_INLINE Intervals library_result(Doubles x, Doubles result, Doubles margin) {
  const Doubles size = size_of(result);
  if (all(is_ordinary(size) & is_ordinary(size_of(x)))) [[likely]]
    return {result - size * margin, result + size * margin};
  const Intervals wide = widen(result, margin);
  const Mask has_no_value = is_nan(result);
  const Mask is_end = same(x, splat(0)) | is_infinite(x);
  const Mask is_exact = same(size, splat(0)) | same(size, splat(0.5)) | same(size, splat(1)) |
                        same(size, splat(references::kInfinite));
  return select(has_no_value | (is_end & is_exact), points(result), wide);
}
LANEWISE_INLINE Intervals library_result(Doubles x, Doubles result,
                                         double margin = references::kLibraryMargin) {
  return library_result(x, result, splat(margin));
}

/// What is neither known at `first` nor at `last` is a point's NaN, or open.
template <class At>
LANEWISE_INLINE Intervals at_ends(Intervals a, bool is_rising, At at) {
  const Intervals first = at(a.low);
  const Mask of_points = is_point(a);
  if (all(of_points)) return first;
  const Intervals last = at(a.high);
  const Intervals between =
      is_rising ? Intervals(first.low, last.high) : Intervals(last.low, first.high);
  const Mask is_open = lacks_bounds(first, last);
  return select(of_points, first, select(is_open, unknown(), between));
}

template <class Function>
LANEWISE_INLINE Intervals rising(Intervals a, Function function) {
  return at_ends(
      a, true, [&](Doubles x) __attribute__((always_inline)) {
        return library_result(x, function(x));
      });
}

/// For a function that is 0 at 1.
LANEWISE_INLINE Intervals zero_at_one(Doubles x, Doubles result) {
  return select(same(x, splat(1)), Intervals(0), library_result(x, result));
}
template <class Function>
LANEWISE_INLINE Intervals rising_through_one(Intervals a, Function function) {
  return at_ends(
      a,
      true, [&](Doubles x) __attribute__((always_inline)) { return zero_at_one(x, function(x)); });
}

LANEWISE_INLINE Intervals bounded(Intervals a, double lowest, double highest) {
  return where_bounded(a, {at_least(a.low, lowest), no_more_than(a.high, highest)});
}

// --- Exponentials and logarithms

LANEWISE_INLINE Intervals exp(Intervals a) {
  return rising(a, exp_of);
}
LANEWISE_INLINE Intervals exp10(Intervals a) {
  return rising(a, exp10_of);
}
LANEWISE_INLINE Intervals expm1(Intervals a) {
  return rising(a, expm1_of);
}
LANEWISE_INLINE Intervals log(Intervals a) {
  return rising_through_one(a, log_of);
}
LANEWISE_INLINE Intervals log10(Intervals a) {
  return rising_through_one(a, log10_of);
}
LANEWISE_INLINE Intervals log1p(Intervals a) {
  return rising(a, log1p_of);
}

inline constexpr int kMantissaBits = 52;
inline constexpr double kExponentBias = 1023;

/// 2^x of a whole number from -1000 to 1000.
LANEWISE_INLINE Doubles power_of_two(Doubles x) {
  // The field of the exponent stands in the lowest bits of this sum.
  const Doubles field = x + (kWhole + kExponentBias);
  return (Doubles)((Words)field << kMantissaBits);
}
LANEWISE_INLINE Intervals exp2_at(Doubles x) {
  constexpr double kLargestExact = 1000;
  const Intervals result = library_result(x, exp2_of(x));
  const Mask is_power = is_whole(x) & below(size_of(x), splat(kLargestExact));
  if (!any(is_power)) [[likely]]
    return result;
  return select(is_power, points(power_of_two(x)), result);
}
LANEWISE_INLINE Intervals exp2(Intervals a) {
  return at_ends(a, true, exp2_at);
}

/// The exponent of a number that is not denormal.
LANEWISE_INLINE Doubles exponent_of(Doubles x) {
  const Words field = (Words)size_of(x) >> kMantissaBits;
  return (Doubles)(field | (Words)splat(kWhole)) - (kWhole + kExponentBias);
}
LANEWISE_INLINE Intervals log2_at(Doubles x) {
  constexpr std::uint64_t kMantissa = (std::uint64_t{1} << kMantissaBits) - 1;
  const Intervals result = library_result(x, log2_of(x));
  const Mask is_normal = at_most(splat(0x1p-1022), x) & below(x, splat(references::kInfinite));
  const Mask is_power = is_normal & has_none(x, kMantissa);
  if (!any(is_power)) [[likely]]
    return result;
  return select(is_power, points(exponent_of(x)), result);
}
LANEWISE_INLINE Intervals log2(Intervals a) {
  return at_ends(a, true, log2_at);
}

// --- Roots and powers

LANEWISE_INLINE Intervals sqrt_at(Doubles x) {
  const Doubles root = square_root(x);
  const Mask is_exact = is_short(root) & same(root * root, x);
  return select(is_exact, points(root), library_result(x, root, references::kOperationMargin));
}
LANEWISE_INLINE Intervals sqrt(Intervals a) {
  return at_ends(a, true, sqrt_at);
}
LANEWISE_INLINE Intervals cbrt(Intervals a) {
  return rising(a, library::cbrt);
}

/// Where IEEE 754 has a rule for pow() that leaves no error, and NaNs.
LANEWISE_INLINE Mask is_special_power(Doubles a, Doubles b) {
  return is_special(a, b) | same(a, splat(1)) | either_nan(a, b);
}
LANEWISE_INLINE Intervals power_of_points(Doubles a, Doubles b) {
  const Intervals result = library_result(splat(1), power_of(a, b));
  const Mask special = is_special_power(a, b);
  if (!any(special)) [[likely]]
    return result;
  return select(special, unknown(), result);
}

/// Monotone in each operand where the base has no sign: the extremes are at the corners.
LANEWISE_INLINE Intervals power(Intervals a, Intervals b) {
  const Intervals first = power_of_points(a.low, b.low);
  const Mask a_is_point = is_point(a), b_is_point = is_point(b);
  if (all(a_is_point & b_is_point)) return first;
  Intervals corners = first;
  if (!all(b_is_point)) corners = hull(corners, power_of_points(a.low, b.high));
  if (!all(a_is_point)) corners = hull(corners, power_of_points(a.high, b.low));
  if (!all(a_is_point) && !all(b_is_point))
    corners = hull(corners, power_of_points(a.high, b.high));
  const Intervals of_others = select(has_sign(a.low) | lacks_bounds(a, b), unknown(), corners);
  return select(a_is_point & b_is_point, first, of_others);
}

/// A whole exponent of all lanes is a product; one of some lanes is left to them.
LANEWISE_INLINE Intervals pow(Intervals a, Intervals b) {
  const Doubles size = size_of(b.low);
  const Mask is_factor = is_point(b) & is_whole(b.low) & at_most(splat(1), size) &
                         at_most(size, splat(references::kLargestWholeExponent));
  if (!any(is_factor)) return power(a, b);
  const double exponent = b.low[0];
  if (!all(is_factor & same(b.low, splat(exponent))))
    return select(is_factor, unknown(), power(a, b));
  const Intervals result = references::whole_power(a, static_cast<unsigned>(std::fabs(exponent)));
  return exponent > 0 ? result : Intervals(1) / result;
}

// --- Trigonometric and hyperbolic functions

/// A sine or a cosine. From kFar on the reduction is dear: that is left to one double.
template <class Function>
LANEWISE_INLINE Intervals oscillating(Intervals a, Function function) {
  constexpr double kFar = 0x1p22;
  const Mask of_points = is_point(a);
  const Doubles center = select(of_points, a.low, a.low / 2 + a.high / 2);
  const Mask is_near = below(size_of(center), splat(kFar));
  const Doubles value = function(select(is_near, center, splat(1)));
  const Intervals of_point = bounded(library_result(center, value), -1, 1);
  if (all(of_points & is_near)) return of_point;
  const Doubles reach = (a.high - a.low) + size_of(center) * references::kOperationMargin;
  const Intervals near = widen(value, splat(references::kLibraryMargin));
  const Intervals of_others = bounded({near.low - reach, near.high + reach}, -1, 1);
  return select(is_near, select(of_points, of_point, of_others),
                select(is_nan(a), nans(), unknown()));
}
LANEWISE_INLINE Intervals sin(Intervals a) {
  return oscillating(a, library::sin);
}
LANEWISE_INLINE Intervals cos(Intervals a) {
  return oscillating(a, library::cos);
}
LANEWISE_INLINE Intervals tan(Intervals a) {
  const Mask of_points = is_point(a);
  const Intervals of_point = library_result(a.low, library::tan(a.low));
  if (all(of_points)) return of_point;
  return select(of_points, of_point, sin(a) / cos(a));
}
LANEWISE_INLINE Intervals asin(Intervals a) {
  return rising(a, asin_of);
}
LANEWISE_INLINE Intervals acos_at(Doubles x) {
  return zero_at_one(x, acos_of(x));
}
LANEWISE_INLINE Intervals acos(Intervals a) {
  return at_ends(a, false, acos_at);
}
LANEWISE_INLINE Intervals atan(Intervals a) {
  return rising(a, library::atan);
}
LANEWISE_INLINE Intervals sinh(Intervals a) {
  return rising(a, sinh_of);
}
LANEWISE_INLINE Intervals cosh(Intervals a) {
  return rising(absolute(a), cosh_of);
}
LANEWISE_INLINE Intervals tanh(Intervals a) {
  return bounded(rising(a, tanh_of), -1, 1);
}
LANEWISE_INLINE Intervals asinh(Intervals a) {
  return rising(a, asinh_of);
}
LANEWISE_INLINE Intervals acosh(Intervals a) {
  return rising_through_one(a, acosh_of);
}
LANEWISE_INLINE Intervals atanh(Intervals a) {
  return rising(a, atanh_of);
}

// --- Error functions; what has no vector form

LANEWISE_INLINE Intervals erf(Intervals a) {
  return bounded(rising(a, erf_of), -1, 1);
}
LANEWISE_INLINE Intervals erfc(Intervals a) {
  const auto at = [](Doubles x) __attribute__((always_inline)) {
    return library_result(x, erfc_of(x));
  };
  return bounded(at_ends(a, false, at), 0, 2);
}
LANEWISE_INLINE Intervals erfinv(Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals bessel_i0(Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals bessel_i1(Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals remainder(Intervals, Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals angle(Intervals, Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals tanhshrink(Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals lgamma(Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals digamma(Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals polygamma(Intervals, Intervals) {
  return unknown();
}
LANEWISE_INLINE Intervals multigammaln(Intervals, Intervals) {
  return unknown();
}

// --- Activations

template <class Factor>
LANEWISE_INLINE Intervals times_rising(Intervals a, Factor factor_at) {
  const Mask of_points = is_point(a);
  const Intervals factor = at_ends(a, true, factor_at);
  if (!all(of_points)) {
    const Mask is_left = of_points | lacks_bounds(a); // to one lane
    return select(is_left, unknown(), a * factor);
  }
  const Doubles x = a.low;
  const Doubles first = x * factor.low, last = x * factor.high;
  const Mask is_negative = has_sign(x);
  const Intervals product =
      around(select(is_negative, last, first), select(is_negative, first, last), of_points);
  const Mask vanishes = at_most(factor.high, splat(2 * references::kTiny));
  const Mask is_exact = same(x, splat(0)) | is_infinite(x);
  if (!any(vanishes | is_exact | is_nan(x))) [[likely]]
    return product;
  const Intervals next_to_nothing{splat(-references::kNegligible), splat(-0.0)};
  const Doubles end = select(same(x, splat(-references::kInfinite)), splat(-0.0), x);
  return select(is_exact | is_nan(x), points(end), select(vanishes, next_to_nothing, product));
}

LANEWISE_INLINE Doubles sigmoid_of(Doubles x) {
  return 1 / (1 + exp_of(-x));
}
LANEWISE_INLINE Doubles softplus_of(Doubles x) {
  // x stands before log(1 + e^-x) where it is positive.
  const Doubles rest = library::log1p(exp_of(-size_of(x)));
  return select(below(splat(0), x), x + rest, rest);
}
LANEWISE_INLINE Intervals sigmoid(Intervals a) {
  return bounded(rising(a, sigmoid_of), 0, 1);
}
LANEWISE_INLINE Intervals softplus(Intervals a) {
  return rising(a, softplus_of);
}
LANEWISE_INLINE Intervals sigmoid_at(Doubles x) {
  return library_result(x, sigmoid_of(x));
}
LANEWISE_INLINE Intervals silu(Intervals a) {
  return times_rising(a, sigmoid_at);
}
LANEWISE_INLINE Intervals mish_factor_at(Doubles x) {
  return library_result(x, tanh_of(softplus_of(x)));
}
LANEWISE_INLINE Intervals mish(Intervals a) {
  return times_rising(a, mish_factor_at);
}
LANEWISE_INLINE Intervals gelu_factor_at(Doubles x) {
  const Doubles z = x * -references::kRootOfHalf;
  const Doubles of_argument = select(has_sign(x), x * x * references::kOperationMargin, splat(0));
  return bounded(library_result(x, erfc_of(z) / 2, of_argument + references::kLibraryMargin), 0, 1);
}
LANEWISE_INLINE Intervals gelu(Intervals a) {
  return times_rising(a, gelu_factor_at);
}
LANEWISE_INLINE Intervals gelu_tanh_factor_at(Doubles x) {
  const Doubles v = x * (references::kGeluLinear + references::kGeluCubic * x * x);
  const Doubles of_argument = select(has_sign(v), -v * references::kGeluArgumentMargin, splat(0));
  return bounded(library_result(x, sigmoid_of(v), of_argument + references::kLibraryMargin), 0, 1);
}
LANEWISE_INLINE Intervals gelu_tanh(Intervals a) {
  return times_rising(a, gelu_tanh_factor_at);
}

LANEWISE_INLINE Intervals softsign_at(Doubles x) {
  const Intervals at{x, x};
  const Intervals quotient = at / (Intervals(1) + absolute(at));
  return select(is_infinite(x), points(with_sign_of(splat(1), x)), quotient);
}
LANEWISE_INLINE Intervals softsign(Intervals a) {
  return at_ends(a, true, softsign_at);
}

// --- Step functions, which are exact

/// `at(x)` for each double by itself; what lacks bounds is left to one lane.
template <class At>
LANEWISE_INLINE Intervals stepwise(Intervals a, At at) {
  std::array<double, kLanes> low, high;
  const Mask lacking = lacks_bounds(a);
  store(low.data(), select(lacking, splat(0), a.low));
  store(high.data(), select(lacking, splat(0), a.high));
  for (double& end : low) end = at(end);
  for (double& end : high) end = at(end);
  return select(lacking, unknown(), {load(low.data()), load(high.data())});
}

LANEWISE_INLINE Intervals round_down(Intervals a) {
  return where_bounded(a, {downward(a.low), downward(a.high)});
}
LANEWISE_INLINE Intervals round_up(Intervals a) {
  return where_bounded(a, {upward(a.low), upward(a.high)});
}
LANEWISE_INLINE Intervals round_to_zero(Intervals a) {
  return where_bounded(a, {to_zero(a.low), to_zero(a.high)});
}
LANEWISE_INLINE Intervals round_half_away(Intervals a) {
  return where_bounded(a, {half_away(a.low), half_away(a.high)});
}
LANEWISE_INLINE Intervals round_half_even(Intervals a) {
  return where_bounded(a, {to_nearest(a.low), to_nearest(a.high)});
}

} // namespace lanewise::LANEWISE_LEVEL
