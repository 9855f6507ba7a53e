#include "number/references/enclosure_functions.h"

#include <limits>

#include "number/references/special.h"

namespace lanewise::references {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();

Enclosure half(const Enclosure& a) {
  return a * Enclosure(0.5);
}

/// Beyond this exponent, sines are not computed: MPFR would need as many bits of pi.
constexpr mpfr_exp_t kLargestAngleExponent = 1 << 16;

bool is_huge(const Real& angle) {
  return mpfr_regular_p(static_cast<mpfr_srcptr>(angle)) != 0 &&
         mpfr_get_exp(angle) > kLargestAngleExponent;
}

/// Sine or cosine, whose slope is at most 1 in size.
Enclosure oscillating(RealFunction function, const Enclosure& a) {
  if (a.is_nan) return a;
  const bool is_infinite = a.low.is_infinite() || a.high.is_infinite();
  if (is_infinite && a.is_point()) return Enclosure::nan();
  Enclosure result = Enclosure::between(-1, 1);
  result.maybe_nan = a.maybe_nan || is_infinite;
  if (is_infinite || is_huge(a.low) || is_huge(a.high)) return result;
  Enclosure at_low;
  at_low.low_open = function(at_low.low, a.low, MPFR_RNDD) != 0;
  at_low.high_open = function(at_low.high, a.low, MPFR_RNDU) != 0;
  if (!a.is_point()) {
    const Enclosure width = Enclosure::of_real(a.high) - Enclosure::of_real(a.low);
    const Enclosure reach = hull(-width, width);
    at_low = at_low + reach;
  }
  at_low.maybe_nan = a.maybe_nan;
  return minimum(maximum(at_low, Enclosure(-1)), Enclosure(1));
}

using Part = Enclosure (*)(const Enclosure&);

/// x * g(x), with a rising g from 0 to 1 that vanishes faster than x grows.
Enclosure times_rising(const Enclosure& a, Part g) {
  const bool is_at_the_end = a.is_point() && a.low.is_infinite() && a.low.is_negative();
  return is_at_the_end ? Enclosure(-0.0) : a * g(a);
}

/// The normal distribution function, erfc(-x / sqrt(2)) / 2.
Enclosure normal_distribution(const Enclosure& a) {
  return half(erfc(-a * sqrt(Enclosure(0.5))));
}

Enclosure tanh_of_softplus(const Enclosure& a) {
  return tanh(softplus(a));
}

/// (1 + tanh(u)) / 2 = sigmoid(2 u) with u = sqrt(2/pi) (x + 0.044715 x^3).
Enclosure tanh_factor(const Enclosure& a) {
  const Enclosure root = sqrt(Enclosure(8) / constant_pi());
  return sigmoid(root * a * (Enclosure(1) + Enclosure::of_text("0.044715") * square(a)));
}

Enclosure less_its_tanh(const Enclosure& a) {
  return a - tanh(a);
}

/// Whether all of it lies on one side of 0, without it.
bool is_beside_zero(const Enclosure& a) {
  return !a.has_both_signs() && !a.low.is_zero() && !a.high.is_zero();
}

Enclosure angle_of_point(const Enclosure& a, const Enclosure& b) {
  Enclosure result;
  result.low_open = mpfr_atan2(result.low, a.low, b.low, MPFR_RNDD) != 0;
  result.high_open = mpfr_atan2(result.high, a.low, b.low, MPFR_RNDU) != 0;
  return result;
}

Enclosure softplus_at(const Enclosure& a) {
  return a.low.is_negative() ? log1p(exp(a)) : a + log1p(exp(-a));
}

/// The number at which a step function tells what it is within an open end. Numbers too large to
/// have a fraction do not get finer: there the end itself is taken.
Real stepping_end(const Real& end, bool is_open, bool is_low) {
  const bool is_fine = mpfr_regular_p(static_cast<mpfr_srcptr>(end)) == 0 ||
                       mpfr_get_exp(end) < mpfr_get_prec(end) - 2;
  return is_open && is_fine ? step_inward(end, is_low) : end;
}

Enclosure whole(const Enclosure& a, int (*round)(mpfr_ptr, mpfr_srcptr)) {
  if (a.is_nan) return a;
  Enclosure result;
  round(result.low, stepping_end(a.low, a.low_open, true));
  round(result.high, stepping_end(a.high, a.high_open, false));
  result.maybe_nan = a.maybe_nan;
  return result;
}

} // namespace

Enclosure exp(const Enclosure& a) {
  return rising(mpfr_exp, a);
}
Enclosure exp2(const Enclosure& a) {
  return rising(mpfr_exp2, a);
}
Enclosure exp10(const Enclosure& a) {
  return rising(mpfr_exp10, a);
}
Enclosure expm1(const Enclosure& a) {
  return rising(mpfr_expm1, a);
}
Enclosure log(const Enclosure& a) {
  return rising(mpfr_log, within(a, 0, kNoBound));
}
Enclosure log2(const Enclosure& a) {
  return rising(mpfr_log2, within(a, 0, kNoBound));
}
Enclosure log10(const Enclosure& a) {
  return rising(mpfr_log10, within(a, 0, kNoBound));
}
Enclosure log1p(const Enclosure& a) {
  return rising(mpfr_log1p, within(a, -1, kNoBound));
}

Enclosure sqrt(const Enclosure& a) {
  return rising(mpfr_sqrt, within(a, 0, kNoBound));
}
Enclosure cbrt(const Enclosure& a) {
  return rising(mpfr_cbrt, a);
}

Enclosure sin(const Enclosure& a) {
  return oscillating(mpfr_sin, a);
}
Enclosure cos(const Enclosure& a) {
  return oscillating(mpfr_cos, a);
}
Enclosure tan(const Enclosure& a) {
  const bool is_plain = a.is_point() && !a.low.is_infinite() && !is_huge(a.low);
  return is_plain ? rising(mpfr_tan, a) : sin(a) / cos(a);
}
Enclosure asin(const Enclosure& a) {
  return rising(mpfr_asin, within(a, -1, 1));
}
Enclosure acos(const Enclosure& a) {
  return falling(mpfr_acos, within(a, -1, 1));
}
Enclosure atan(const Enclosure& a) {
  return rising(mpfr_atan, a);
}
Enclosure angle(const Enclosure& a, const Enclosure& b) {
  if (a.is_nan || b.is_nan) return Enclosure::nan();
  if (a.is_point() && b.is_point()) return angle_of_point(a, b);
  // The four sides of the plane, each with the quotient that stays small there.
  if (is_beside_zero(b) && !b.low.is_negative()) return atan(a / b);
  if (is_beside_zero(a)) return with_sign(half(constant_pi()), a) - atan(b / a);
  if (is_beside_zero(b) && !a.has_both_signs()) return with_sign(constant_pi(), a) + atan(a / b);
  Enclosure anywhere = hull(-constant_pi(), constant_pi());
  anywhere.maybe_nan = a.maybe_nan || b.maybe_nan;
  return anywhere;
}
Enclosure sinh(const Enclosure& a) {
  return rising(mpfr_sinh, a);
}
Enclosure cosh(const Enclosure& a) {
  return rising(mpfr_cosh, absolute(a));
}
Enclosure tanh(const Enclosure& a) {
  return rising(mpfr_tanh, a);
}
Enclosure tanhshrink(const Enclosure& a) {
  return rising_by_ends(a, less_its_tanh);
}
Enclosure asinh(const Enclosure& a) {
  return rising(mpfr_asinh, a);
}
Enclosure acosh(const Enclosure& a) {
  return rising(mpfr_acosh, within(a, 1, kNoBound));
}
Enclosure atanh(const Enclosure& a) {
  return rising(mpfr_atanh, within(a, -1, 1));
}

Enclosure erf(const Enclosure& a) {
  return rising(mpfr_erf, a);
}
Enclosure erfc(const Enclosure& a) {
  return falling(mpfr_erfc, a);
}
Enclosure erfinv(const Enclosure& a) {
  return inverse_erf_of(within(a, -1, 1));
}
Enclosure bessel_i0(const Enclosure& a) {
  return bessel_i0_of(absolute(a));
}
Enclosure bessel_i1(const Enclosure& a) {
  // Odd: the two sides of 0 are evaluated on their own.
  if (a.is_nan || !a.low.is_negative()) return bessel_i1_of(a);
  if (a.high.is_negative()) return -bessel_i1_of(-a);
  Enclosure left = a, right = a;
  left.high = Real(-0.0);
  right.low = Real(0.0);
  left.high_open = right.low_open = false;
  return hull(bessel_i1(left), bessel_i1(right));
}

Enclosure sigmoid(const Enclosure& a) {
  return Enclosure(1) / (Enclosure(1) + exp(-a));
}
Enclosure softplus(const Enclosure& a) {
  if (a.is_nan || a.is_point()) return softplus_at(a);
  Enclosure low = softplus_at(Enclosure::of_real(a.low));
  const Enclosure high = softplus_at(Enclosure::of_real(a.high));
  low.high = high.high;
  low.high_open = high.high_open;
  low.maybe_nan = a.maybe_nan;
  return low;
}
Enclosure silu(const Enclosure& a) {
  return times_rising(a, sigmoid);
}
Enclosure mish(const Enclosure& a) {
  return times_rising(a, tanh_of_softplus);
}
Enclosure gelu(const Enclosure& a) {
  return times_rising(a, normal_distribution);
}
Enclosure gelu_tanh(const Enclosure& a) {
  return times_rising(a, tanh_factor);
}

Enclosure round_down(const Enclosure& a) {
  return whole(a, [](mpfr_ptr to, mpfr_srcptr from) { return mpfr_floor(to, from); });
}
Enclosure round_up(const Enclosure& a) {
  return whole(a, [](mpfr_ptr to, mpfr_srcptr from) { return mpfr_ceil(to, from); });
}
Enclosure round_to_zero(const Enclosure& a) {
  return whole(a, [](mpfr_ptr to, mpfr_srcptr from) { return mpfr_trunc(to, from); });
}
Enclosure round_half_away(const Enclosure& a) {
  return whole(a, [](mpfr_ptr to, mpfr_srcptr from) { return mpfr_round(to, from); });
}
Enclosure round_half_even(const Enclosure& a) {
  return whole(a, [](mpfr_ptr to, mpfr_srcptr from) { return mpfr_roundeven(to, from); });
}

Enclosure constant_pi() {
  Enclosure result;
  mpfr_const_pi(result.low, MPFR_RNDD);
  mpfr_const_pi(result.high, MPFR_RNDU);
  result.low_open = result.high_open = true;
  return result;
}
Enclosure constant_e() {
  return exp(Enclosure(1));
}

} // namespace lanewise::references
