// What number/references/gamma.h has at any precision.
#include <cmath>

#include "number/references/arb.h"
#include "number/references/enclosure.h"
#include "number/references/gamma.h"

namespace lanewise::references {
namespace {

/// A ball of Arb's: a midpoint and a radius.
class Ball {
 public:
  Ball() { arb().init(value_); }
  Ball(const Real& low, const Real& high) : Ball() {
    arb().set_interval(value_, low, high, Precision::bits());
  }
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  ~Ball() { arb().clear(value_); }
  operator arb_ptr() { return value_; }
  operator arb_srcptr() const { return value_; }

 private:
  arb_t value_;
};

class Series {
 public:
  Series() { arb().poly_init(value_); }
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;
  ~Series() { arb().poly_clear(value_); }
  operator arb_poly_struct*() { return value_; }

 private:
  arb_poly_t value_;
};

/// What a ball contains; any number at all, if it has no end. `maybe_nan`: of the operand.
Enclosure contents(const Ball& ball, bool maybe_nan) {
  if (arb().is_finite(ball) == 0) return Enclosure::everything(true);
  Enclosure result;
  arb().get_interval(result.low, result.high, ball);
  result.maybe_nan = maybe_nan;
  return result;
}

bool is_whole(const Real& x) {
  return mpfr_integer_p(x) != 0;
}
bool is_not_positive(const Real& x) {
  return mpfr_sgn(static_cast<mpfr_srcptr>(x)) <= 0;
}
bool is_infinite_at_an_end(const Enclosure& a) {
  return a.low.is_infinite() || a.high.is_infinite();
}

/// log |Gamma(x)| = log(pi / |sin(pi x)|) - log Gamma(1 - x) on the left of 0.
void log_gamma(Ball& result, const Ball& x, mpfr_prec_t bits) {
  if (arb().is_positive(x) != 0) return arb().lgamma(result, x, bits);
  Ball sine, other;
  arb().sin_pi(sine, x, bits);
  arb().abs(sine, sine);
  arb().log(sine, sine, bits);
  arb().sub_ui(other, x, 1, bits);
  arb().neg(other, other);
  arb().lgamma(other, other, bits);
  arb().const_pi(result, bits);
  arb().log(result, result, bits);
  arb().sub(result, result, sine, bits);
  arb().sub(result, result, other, bits);
}

/// The derivative of digamma, by the Taylor series of digamma around x.
Enclosure derivative(unsigned order, const Enclosure& a) {
  const mpfr_prec_t bits = Precision::bits();
  Series around, result;
  Ball coefficient;
  arb().poly_set_coeff(around, 0, Ball(a.low, a.high));
  arb().poly_set_coeff_si(around, 1, 1);
  arb().poly_digamma_series(result, around, order + 1, bits);
  arb().poly_get_coeff(coefficient, result, order);
  Ball factorial;
  arb().fac_ui(factorial, order, bits);
  arb().mul(coefficient, coefficient, factorial, bits);
  return contents(coefficient, a.maybe_nan);
}

/// Of a whole order, 1 or more.
Enclosure polygamma_of(unsigned order, const Enclosure& a) {
  const double sign = order % 2 == 1 ? 1.0 : -1.0;
  if (a.is_point()) {
    if (a.low.is_infinite()) return a.low.is_negative() ? Enclosure::nan() : Enclosure(sign * 0.0);
    if (is_not_positive(a.low) && is_whole(a.low)) return Enclosure(sign * kInfinite);
  }
  if (is_infinite_at_an_end(a)) return Enclosure::everything(true);
  return derivative(order, a);
}

} // namespace

Enclosure lgamma(const Enclosure& a) {
  if (a.is_nan) return a;
  if (a.is_point()) {
    const bool is_end = a.low.is_infinite() || (is_not_positive(a.low) && is_whole(a.low));
    if (is_end) return Enclosure(kInfinite);
    if (mpfr_cmp_ui(a.low, 1) == 0 || mpfr_cmp_ui(a.low, 2) == 0) return Enclosure(0);
  }
  if (is_infinite_at_an_end(a)) return Enclosure::everything(a.maybe_nan);
  Ball result;
  log_gamma(result, Ball(a.low, a.high), Precision::bits());
  return contents(result, a.maybe_nan);
}

Enclosure digamma(const Enclosure& a) {
  if (a.is_nan) return a;
  if (a.is_point()) {
    if (a.low.is_zero()) return Enclosure(a.low.is_negative() ? kInfinite : -kInfinite);
    if (a.low.is_infinite()) return a.low.is_negative() ? Enclosure::nan() : a;
    if (is_not_positive(a.low) && is_whole(a.low)) return Enclosure::nan();
  }
  if (is_infinite_at_an_end(a)) return Enclosure::everything(true);
  return derivative(0, a);
}

Enclosure polygamma(const Enclosure& order, const Enclosure& a) {
  if (order.is_nan || a.is_nan) return Enclosure::nan();
  if (!order.is_point()) return Enclosure::everything(true);
  const bool is_order = is_whole(order.low) && mpfr_sgn(static_cast<mpfr_srcptr>(order.low)) >= 0 &&
                        mpfr_cmp_d(order.low, kLargestPolygammaOrder) <= 0;
  if (!is_order) return Enclosure::nan();
  const auto number = static_cast<unsigned>(mpfr_get_ui(order.low, MPFR_RNDZ));
  return number == 0 ? digamma(a) : polygamma_of(number, a);
}

void free_gamma_caches() {
  free_arb_caches();
}

} // namespace lanewise::references
