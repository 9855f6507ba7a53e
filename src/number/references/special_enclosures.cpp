// What number/references/special.h has at any precision.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "number/references/enclosure.h"
#include "number/references/special.h"

namespace lanewise::references {
namespace {

/// I_n(x) = (x/2)^n * sum of (x^2/4)^k / (k! (k+n)!), for n = 0 or 1 and a number x > 0, rounded
/// in one direction. All terms are positive, so that rounding each of them bounds the sum.
Real bessel_series(unsigned n, const Real& x, mpfr_rnd_t direction) {
  Real square, term(1.0), sum(1.0), bound;
  mpfr_sqr(square, x, direction);
  mpfr_div_2ui(square, square, 2, direction);
  for (unsigned long k = 1;; ++k) {
    mpfr_mul(term, term, square, direction);
    mpfr_div_ui(term, term, k * (k + n), direction);
    mpfr_add(sum, sum, term, direction);
    // From here on each term is less than half of the one before: the rest is less than `term`.
    mpfr_set_ui(bound, k * k / 2, MPFR_RNDD);
    if (mpfr_less_p(square, bound) == 0) continue;
    if (term.is_zero() || mpfr_get_exp(term) < mpfr_get_exp(sum) - Precision::bits()) break;
  }
  if (direction == MPFR_RNDU) mpfr_add(sum, sum, term, direction);
  if (n == 1) {
    mpfr_mul(sum, sum, x, direction);
    mpfr_div_2ui(sum, sum, 1, direction);
  }
  return sum;
}

/// One end of I_n of a number x >= 0.
Real bessel_end(unsigned n, const Real& x, mpfr_rnd_t direction) {
  Real result;
  if (x.is_zero()) {
    mpfr_set_ui(result, n == 0 ? 1 : 0, direction);
    return result;
  }
  if (mpfr_cmp_d(x, kLargestBesselArgument) <= 0) return bessel_series(n, x, direction);
  // I0 and I1 rise, and I1(10000) is about e^10000 / 251, that is 2^14418.
  constexpr long kFarBelow = 14'000;
  if (direction == MPFR_RNDU || x.is_infinite()) {
    mpfr_set_inf(result, 1);
  } else {
    mpfr_set_ui_2exp(result, 1, kFarBelow, direction);
  }
  return result;
}

Enclosure bessel(unsigned n, const Enclosure& x) {
  if (x.is_nan) return x;
  Enclosure result;
  result.low = bessel_end(n, x.low, MPFR_RNDD);
  result.high = bessel_end(n, x.high, MPFR_RNDU);
  // The values at 0 and infinity are exact, and no others.
  const auto is_exact = [](const Real& at) { return at.is_zero() || at.is_infinite(); };
  result.low_open = x.low_open || !is_exact(x.low);
  result.high_open = x.high_open || !is_exact(x.high);
  result.maybe_nan = x.maybe_nan;
  return result;
}

/// y - (erf(y) - x) / erf'(y), and 1 / erf'(y) = sqrt(pi)/2 e^(y^2).
void newton_step(Real& y, const Real& x) {
  Real error, slope;
  mpfr_erf(error, y, MPFR_RNDN);
  mpfr_sub(error, error, x, MPFR_RNDN);
  mpfr_sqr(slope, y, MPFR_RNDN);
  mpfr_exp(slope, slope, MPFR_RNDN);
  mpfr_mul(error, error, slope, MPFR_RNDN);
  mpfr_const_pi(slope, MPFR_RNDN);
  mpfr_sqrt(slope, slope, MPFR_RNDN);
  mpfr_div_2ui(slope, slope, 1, MPFR_RNDN);
  mpfr_mul(error, error, slope, MPFR_RNDN);
  mpfr_sub(y, y, error, MPFR_RNDN);
}

/// Where Newton's iteration starts. Very close to 1 the rest is erfc(y) = e^(-y^2) / (y sqrt(pi)),
/// nearly (DLMF 7.12.1).
double newton_start(const Real& x, const Real& rest) {
  constexpr int kAsymptotic = -50;
  if (rest.is_zero() || mpfr_get_exp(rest) > kAsymptotic) {
    return inverse_erf_of(mpfr_get_d(x, MPFR_RNDZ));
  }
  Real logarithm;
  mpfr_log(logarithm, rest, MPFR_RNDN);
  const double size = -mpfr_get_d(logarithm, MPFR_RNDN);
  return std::sqrt(size - std::log(size * std::numbers::pi) / 2);
}

/// Whether the inverse of `x` is above `y`, certainly.
bool is_above(const Real& x, const Real& y) {
  Real at_y;
  mpfr_erf(at_y, y, MPFR_RNDU);
  return mpfr_less_p(at_y, x) != 0;
}

bool is_under(const Real& x, const Real& y) {
  Real at_y;
  mpfr_erf(at_y, y, MPFR_RNDD);
  return mpfr_greater_p(at_y, x) != 0;
}

/// y moved by a relative 2^-bits.
Real moved(const Real& y, mpfr_prec_t bits, bool upward) {
  Real step, result;
  mpfr_div_2ui(step, y, static_cast<unsigned long>(bits), MPFR_RNDU);
  if (upward) {
    mpfr_add(result, y, step, MPFR_RNDU);
  } else {
    mpfr_sub(result, y, step, MPFR_RNDD);
  }
  return result;
}

/// One end for a number 0 < x < 1.
Real inverse_erf_end(const Real& x, bool upper) {
  const mpfr_prec_t bits = Precision::bits();
  // Near 1, erf(y) tells y by what is left to 1 only; for a small x it is erf(y) - x that is small.
  Real rest;
  mpfr_ui_sub(rest, 1, x, MPFR_RNDD);
  const mpfr_prec_t lost = rest.is_zero() ? bits : std::max<mpfr_prec_t>(0, -mpfr_get_exp(rest));
  const Precision finer(bits + lost + 32);
  Real y(newton_start(x, rest));
  Real before;
  constexpr unsigned kMostSteps = 100; // each doubles the bits; a start has about 5 at the worst
  for (unsigned step = 0; step < kMostSteps; ++step) {
    before = y;
    newton_step(y, x);
    mpfr_sub(before, before, y, MPFR_RNDN);
    if (before.is_zero() || mpfr_get_exp(before) < mpfr_get_exp(y) - bits) break;
  }
  for (mpfr_prec_t near = bits; near > 0; near -= 8) {
    Real end = moved(y, near, upper);
    if (upper ? is_under(x, end) : is_above(x, end)) return end;
  }
  return Real(upper ? std::numeric_limits<double>::infinity() : 0.0);
}

Real inverse_erf_rounded(const Real& x, mpfr_rnd_t direction) {
  Real result;
  if (x.is_zero()) return x;
  if (mpfr_cmpabs_ui(x, 1) == 0) {
    mpfr_set_inf(result, x.is_negative() ? -1 : 1);
    return result;
  }
  Real size;
  mpfr_abs(size, x, MPFR_RNDN);
  const bool away = (direction == MPFR_RNDU) != x.is_negative();
  const Real end = inverse_erf_end(size, away);
  mpfr_setsign(result, end, x.is_negative() ? 1 : 0, direction);
  return result;
}

} // namespace

Enclosure bessel_i0_of(const Enclosure& x) {
  return bessel(0, x);
}

Enclosure bessel_i1_of(const Enclosure& x) {
  return bessel(1, x);
}

Enclosure inverse_erf_of(const Enclosure& x) {
  if (x.is_nan) return x;
  Enclosure result;
  result.low = inverse_erf_rounded(x.low, MPFR_RNDD);
  result.high = inverse_erf_rounded(x.high, MPFR_RNDU);
  const auto is_exact = [](const Real& at) { return at.is_zero() || mpfr_cmpabs_ui(at, 1) == 0; };
  result.low_open = x.low_open || !is_exact(x.low);
  result.high_open = x.high_open || !is_exact(x.high);
  result.maybe_nan = x.maybe_nan;
  return result;
}

} // namespace lanewise::references
