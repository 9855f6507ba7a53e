// Intervals of doubles (number/references/interval.h), as many as a vector has lanes, under the
// names that they have for one.
//
// What is not worth a vector is unknown here: then the function is evaluated once more for that
// lane alone (kernels/level.cpp).
#pragma once

#include "number/references/kernels/doubles.h"

namespace lanewise::LANEWISE_LEVEL {

struct Intervals {
  Doubles low, high;

  Intervals() = default;
  LANEWISE_INLINE Intervals(Doubles lower, Doubles upper) : low(lower), high(upper) {}
  /// The same point in each lane.
  LANEWISE_INLINE explicit Intervals(double number) : low(splat(number)), high(splat(number)) {}
};

LANEWISE_INLINE Intervals nans() {
  return Intervals(references::kNan);
}
LANEWISE_INLINE Intervals unknown() {
  return {splat(references::kNan), splat(references::kInfinite)};
}
LANEWISE_INLINE Intervals select(Mask mask, Intervals a, Intervals b) {
  return {select(mask, a.low, b.low), select(mask, a.high, b.high)};
}

LANEWISE_INLINE Mask is_point(Intervals a) {
  return same_bits(a.low, a.high);
}
/// A NaN or unknown.
LANEWISE_INLINE Mask lacks_bounds(Intervals a) {
  return is_nan(a.low);
}
LANEWISE_INLINE Mask lacks_bounds(Intervals a, Intervals b) {
  return either_nan(a.low, b.low);
}
LANEWISE_INLINE Mask is_nan(Intervals a) {
  return is_nan(a.high);
}
LANEWISE_INLINE Mask is_unknown(Intervals a) {
  return and_not(is_nan(a.low), is_nan(a.high));
}
/// Every NaN is the same one.
LANEWISE_INLINE Intervals points(Doubles numbers) {
  const Doubles result = select(is_nan(numbers), splat(references::kNan), numbers);
  return {result, result};
}

/// `result`, but where an operand lacks bounds what follows from that.
LANEWISE_INLINE Intervals where_bounded(Intervals a, Intervals b, Intervals result) {
  const Mask lacking = lacks_bounds(a, b);
  if (!any(lacking)) [[likely]]
    return result;
  const Mask is_certain = either_nan(a.high, b.high);
  return select(lacking, select(is_certain, nans(), unknown()), result);
}
LANEWISE_INLINE Intervals where_bounded(Intervals a, Intervals result) {
  return select(lacks_bounds(a), a, result);
}

// --- Results of the host, widened

/// Sizes that are neither next to nothing nor infinite.
LANEWISE_INLINE Mask is_ordinary(Doubles size) {
  return at_most(splat(references::kTiny), size) & below(size, splat(references::kInfinite));
}

/// The lower end of what widen() makes of a number.
LANEWISE_INLINE Doubles lower_end(Doubles value, Doubles step) {
  const Doubles size = size_of(value);
  const Mask is_odd =
      below(size, splat(references::kTiny)) | same(size, splat(references::kInfinite));
  const Doubles low = value - step;
  if (!any(is_odd)) [[likely]]
    return low;
  const Mask is_negative = has_sign(value);
  const Doubles tiny = select(is_negative, splat(-2 * references::kTiny), splat(0.0));
  const Doubles large =
      select(is_negative, splat(-references::kInfinite), splat(references::kOverflow));
  return select(is_odd, select(below(size, splat(references::kTiny)), tiny, large), low);
}
LANEWISE_INLINE Doubles upper_end(Doubles value, Doubles step) {
  return -lower_end(-value, step);
}

/// As for one number; a NaN gives two.
LANEWISE_INLINE Intervals widen(Doubles value, Doubles margin) {
  const Doubles size = size_of(value);
  const Intervals wide{value - size * margin, value + size * margin};
  const Mask is_tiny = below(size, splat(references::kTiny));
  const Mask is_odd = is_tiny | same(size, splat(references::kInfinite));
  if (!any(is_odd)) [[likely]]
    return wide;
  const Doubles inner = select(is_tiny, splat(0), splat(references::kOverflow));
  const Doubles outer = select(is_tiny, splat(2 * references::kTiny), splat(references::kInfinite));
  const Intervals odd = select(has_sign(value), {-outer, -inner}, {inner, outer});
  return select(is_odd, odd, wide);
}

LANEWISE_INLINE Intervals around(Doubles low, Doubles high, Mask of_points) {
  const Doubles low_size = size_of(low), high_size = size_of(high);
  if (all(is_ordinary(low_size) & is_ordinary(high_size))) [[likely]]
    return {low - low_size * references::kOperationMargin,
            high + high_size * references::kOperationMargin};
  const Intervals result{lower_end(low, low_size * references::kOperationMargin),
                         upper_end(high, high_size * references::kOperationMargin)};
  const Mask has_no_value = either_nan(low, high);
  if (!any(has_no_value)) [[likely]]
    return result;
  return select(has_no_value, select(of_points, nans(), unknown()), result);
}

// --- Arithmetic

LANEWISE_INLINE Intervals operator-(Intervals a) {
  return where_bounded(a, {-a.high, -a.low});
}

LANEWISE_INLINE Intervals operator+(Intervals a, Intervals b) {
  const Mask of_points = is_point(a) & is_point(b);
  const Doubles low = a.low + b.low;
  const Intervals result = around(low, a.high + b.high, of_points);
  if (!any(of_points)) return where_bounded(a, b, result);
  const Mask has_no_rest = same(error_of_sum(a.low, b.low, low), splat(0));
  const Mask is_exact = has_no_rest | is_infinite(a.low) | is_infinite(b.low);
  return where_bounded(a, b, select(of_points & is_exact, points(low), result));
}

LANEWISE_INLINE Intervals operator-(Intervals a, Intervals b) {
  return a + -b;
}

/// Where an operand of a product or a quotient makes it exact: 0 or infinite.
LANEWISE_INLINE Mask is_special(Doubles a, Doubles b) {
  return same(a, splat(0)) | same(b, splat(0)) | is_infinite(a) | is_infinite(b);
}
/// Sizes that leave room for a rest of 53 more bits above the smallest double.
LANEWISE_INLINE Mask has_room(Doubles a) {
  const Doubles size = size_of(a);
  return below(splat(0x1p-900), size) & below(size, splat(0x1p900));
}

/// At most 26 bits of significand.
LANEWISE_INLINE Mask is_short(Doubles a) {
  return has_none(a, (std::uint64_t{1} << 27) - 1);
}

LANEWISE_INLINE Mask is_exact_product(Doubles a, Doubles b, Doubles product) {
  const Mask without_rest = same(product_less(a, b, product), splat(0));
  return is_special(a, b) | (has_room(product) & ((is_short(a) & is_short(b)) | without_rest));
}
LANEWISE_INLINE Mask is_exact_quotient(Doubles a, Doubles b, Doubles quotient) {
  const Mask without_rest = same(product_less(quotient, b, a), splat(0));
  return is_special(a, b) | (has_room(quotient) & has_room(a) & has_room(b) & without_rest);
}

/// The smallest interval around results, of which none may be a NaN.
LANEWISE_INLINE Intervals around_results(Doubles least, Doubles most, Mask has_nan) {
  const Intervals result = around(least, most, below(least, least));
  if (!any(has_nan)) [[likely]]
    return result;
  return select(has_nan, unknown(), result);
}

/// What `at` gives at the ends of two intervals, enclosed; `ll` and `hh` are at(a.low, b.low) and
/// at(a.high, b.high).
template <class At>
LANEWISE_INLINE Intervals around_corners(Intervals a, Intervals b, Doubles ll, Doubles hh, At at) {
  if (all(is_point(a)) || all(is_point(b)))
    return around_results(smaller(ll, hh), larger(ll, hh), either_nan(ll, hh));
  const Doubles lh = at(a.low, b.high), hl = at(a.high, b.low);
  return around_results(smaller(smaller(ll, lh), smaller(hl, hh)),
                        larger(larger(ll, lh), larger(hl, hh)),
                        either_nan(ll, lh) | either_nan(hl, hh));
}

LANEWISE_INLINE Intervals operator*(Intervals a, Intervals b) {
  const Mask of_points = is_point(a) & is_point(b);
  const Doubles ll = a.low * b.low;
  Intervals result;
  if (any(of_points)) {
    const Mask is_exact = is_exact_product(a.low, b.low, ll);
    result = all(is_exact) ? points(ll) : select(is_exact, points(ll), around(ll, ll, of_points));
    if (all(of_points)) return where_bounded(a, b, result);
  }
  const Intervals between = around_corners(
      a, b, ll, a.high * b.high,
      [](Doubles x, Doubles y) __attribute__((always_inline)) { return x * y; });
  return where_bounded(a, b, select(of_points, result, between));
}

LANEWISE_INLINE Mask has_both_signs(Intervals a) {
  return and_not(has_sign(a.low), has_sign(a.high)) | and_not(has_sign(a.high), has_sign(a.low));
}

LANEWISE_INLINE Intervals operator/(Intervals a, Intervals b) {
  const Mask of_points = is_point(a) & is_point(b);
  const Doubles ll = a.low / b.low;
  Intervals result;
  if (any(of_points)) {
    const Mask is_exact = is_exact_quotient(a.low, b.low, ll);
    result = select(is_exact, points(ll), around(ll, ll, of_points));
    if (all(of_points)) return where_bounded(a, b, result);
  }
  const Intervals between = around_corners(
      a, b, ll, a.high / b.high,
      [](Doubles x, Doubles y) __attribute__((always_inline)) { return x / y; });
  const Intervals of_others = select(has_both_signs(b), unknown(), between);
  return where_bounded(a, b, select(of_points, result, of_others));
}

LANEWISE_INLINE Intervals absolute(Intervals a) {
  const Doubles low = size_of(a.low), high = size_of(a.high);
  // Both ends on one side of 0: in their order or the other one.
  const Intervals of_one_sign =
      select(has_sign(a.high), Intervals(high, low), Intervals(low, high));
  const Intervals of_both{splat(0), larger(low, high)};
  return where_bounded(a, select(has_both_signs(a), of_both, of_one_sign));
}

LANEWISE_INLINE Intervals square(Intervals a) {
  const Intervals size = absolute(a);
  return size * size;
}

LANEWISE_INLINE Intervals minimum(Intervals a, Intervals b) {
  return where_bounded(a, b, {smaller(a.low, b.low), smaller(a.high, b.high)});
}
LANEWISE_INLINE Intervals maximum(Intervals a, Intervals b) {
  return where_bounded(a, b, {larger(a.low, b.low), larger(a.high, b.high)});
}

// --- Truth values: the points 0 and 1, or [0, 1] where it is open

LANEWISE_INLINE Intervals truth_values(Mask is_true, Mask is_false) {
  return {select(is_true, splat(1), splat(0)), select(is_false, splat(0), splat(1))};
}

/// A comparison: 0 if an operand is a NaN, open if one is unknown.
LANEWISE_INLINE Intervals outcome(Intervals a, Intervals b, Mask is_true, Mask is_false) {
  return truth_values(is_true, is_false | either_nan(a.high, b.high));
}

// Comparisons with the NaN of an operand that lacks bounds are never true.
LANEWISE_INLINE Intervals less(Intervals a, Intervals b) {
  const Mask bounded = ~lacks_bounds(a, b);
  return outcome(a, b, bounded & below(a.high, b.low), bounded & at_most(b.high, a.low));
}
LANEWISE_INLINE Intervals less_equal(Intervals a, Intervals b) {
  const Mask bounded = ~lacks_bounds(a, b);
  return outcome(a, b, bounded & at_most(a.high, b.low), bounded & below(b.high, a.low));
}
LANEWISE_INLINE Intervals equal(Intervals a, Intervals b) {
  const Mask bounded = ~lacks_bounds(a, b);
  return outcome(a, b, bounded & same(a.low, b.high) & same(a.high, b.low),
                 bounded & (below(a.high, b.low) | below(b.high, a.low)));
}

LANEWISE_INLINE Intervals truth(Intervals a) {
  const Doubles zero = splat(0);
  const Mask bounded = ~lacks_bounds(a);
  return truth_values(bounded & (below(zero, a.low) | below(a.high, zero)),
                      is_nan(a) | (same(a.low, zero) & same(a.high, zero)));
}
LANEWISE_INLINE Intervals logical_not(Intervals a) {
  const Intervals t = truth(a);
  return {1 - t.high, 1 - t.low};
}
LANEWISE_INLINE Intervals is_a_nan(Intervals a) {
  return truth_values(is_nan(a), ~lacks_bounds(a));
}

LANEWISE_INLINE Intervals hull(Intervals a, Intervals b) {
  const Intervals bounded{smaller(a.low, b.low), larger(a.high, b.high)};
  const Mask lacking = lacks_bounds(a, b);
  if (!any(lacking)) [[likely]]
    return bounded;
  return select(lacking, select(is_nan(a) & is_nan(b), nans(), unknown()), bounded);
}

LANEWISE_INLINE Intervals choose(Intervals condition, Intervals a, Intervals b) {
  const Intervals t = truth(condition);
  const Mask is_open = ~is_point(t);
  const Intervals chosen = select(below(splat(0), t.low), a, b);
  if (!any(is_open)) [[likely]]
    return chosen;
  return select(is_open, hull(a, b), chosen);
}

/// copysign()
LANEWISE_INLINE Intervals with_sign(Intervals a, Intervals sign) {
  const Intervals size = absolute(a);
  const Mask is_open = lacks_bounds(sign) | has_both_signs(sign);
  const Intervals of_open = select(is_nan(sign), size, hull(size, -size));
  return select(is_open, of_open, select(has_sign(sign.low), -size, size));
}

} // namespace lanewise::LANEWISE_LEVEL
