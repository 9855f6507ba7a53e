#include "number/references/enclosure.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace lanewise::references {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What is left to do if one operand is, or may be, a NaN.
bool any_nan(const Enclosure& a, const Enclosure& b) {
  return a.is_nan || b.is_nan;
}

Enclosure marked(Enclosure result, const Enclosure& a, const Enclosure& b) {
  result.maybe_nan = result.maybe_nan || a.maybe_nan || b.maybe_nan;
  return result;
}

/// One end of an operand.
struct End {
  const Real& value;
  bool open;
};

/// A candidate for an end of a result.
struct Candidate {
  Real value;
  bool open = false;
};

using RealOperation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// Multiplies or divides the ends of `a` and `b` in all four ways.
class Corners {
 public:
  /// Of an operation that is strictly monotone in each operand, open ends make open ends.
  Corners(RealOperation operation, bool is_strict, const Enclosure& a, const Enclosure& b)
      : operation_(operation),
        is_strict_(is_strict),
        a_{End{a.low, a.low_open}, End{a.high, a.high_open}},
        b_{End{b.low, b.low_open}, End{b.high, b.high_open}} {}

  Enclosure result() {
    Candidate low = extreme(MPFR_RNDD), high = extreme(MPFR_RNDU);
    if (undefined_) return Enclosure::everything(true);
    Enclosure all;
    all.low = std::move(low.value);
    all.low_open = low.open;
    all.high = std::move(high.value);
    all.high_open = high.open;
    return all;
  }

 private:
  Candidate corner(const End& a, const End& b, mpfr_rnd_t direction) {
    Candidate result;
    const int inexact = operation_(result.value, a.value, b.value, direction);
    // 0 * Inf, 0 / 0, Inf / Inf: other ends decide if one of the two is never reached, but which
    // depends on how fast the other is approached.
    if (result.value.is_nan()) undefined_ = true;
    // Zero times what is open is still zero, and so is infinity.
    const auto is_absorbing = [](const Real& r) { return r.is_zero() || r.is_infinite(); };
    const bool a_opens = a.open && !(is_absorbing(b.value) && !b.open);
    const bool b_opens = b.open && !(is_absorbing(a.value) && !a.open);
    result.open = inexact != 0 || (is_strict_ && (a_opens || b_opens));
    return result;
  }

  Candidate extreme(mpfr_rnd_t direction) {
    Candidate best = corner(a_[0], b_[0], direction);
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 0}, std::pair{1, 1}}) {
      Candidate next = corner(a_[i], b_[j], direction);
      const bool is_better = direction == MPFR_RNDD ? is_below(next.value, best.value)
                                                    : is_below(best.value, next.value);
      const bool is_same = !is_better && mpfr_equal_p(next.value, best.value) != 0 &&
                           next.value.is_negative() == best.value.is_negative();
      const bool open = best.open && next.open;
      if (is_better) best = std::move(next);
      if (is_same) best.open = open;
    }
    return best;
  }

  RealOperation operation_;
  bool is_strict_;
  End a_[2], b_[2];
  bool undefined_ = false;
};

/// An operation on points, which is exact or not.
Enclosure of_points(RealOperation operation, const Enclosure& a, const Enclosure& b) {
  Enclosure result;
  const int low = operation(result.low, a.low, b.low, MPFR_RNDD);
  const int high = operation(result.high, a.low, b.low, MPFR_RNDU);
  if (result.low.is_nan()) return marked(Enclosure::nan(), a, b);
  result.low_open = low != 0;
  result.high_open = high != 0;
  if (low == 0 && high == 0) {
    // x - x is -0 when rounded down, but IEEE's default is +0.
    operation(result.low, a.low, b.low, MPFR_RNDN);
    result.high = result.low;
  }
  return marked(std::move(result), a, b);
}

Enclosure monotone(RealFunction function, const Enclosure& a, bool is_rising) {
  if (a.is_nan) return a;
  Enclosure result;
  const int low = function(result.low, is_rising ? a.low : a.high, MPFR_RNDD);
  const int high = function(result.high, is_rising ? a.high : a.low, MPFR_RNDU);
  if (result.low.is_nan() || result.high.is_nan()) return Enclosure::everything(true);
  result.low_open = low != 0 || (is_rising ? a.low_open : a.high_open);
  result.high_open = high != 0 || (is_rising ? a.high_open : a.low_open);
  result.maybe_nan = a.maybe_nan;
  return result;
}

/// The lower end of the smaller, or the upper end of the larger, with its openness.
Candidate end_of_two(const Real& a, bool a_open, const Real& b, bool b_open, bool want_smaller) {
  const bool is_same = !is_below(a, b) && !is_below(b, a);
  if (is_same) return {a, a_open && b_open};
  return is_below(a, b) == want_smaller ? Candidate{a, a_open} : Candidate{b, b_open};
}

Enclosure from_ends(Candidate low, Candidate high) {
  Enclosure result;
  result.low = std::move(low.value);
  result.low_open = low.open;
  result.high = std::move(high.value);
  result.high_open = high.open;
  return result;
}

/// Toward zero, with the last bit set if anything was cut off.
double to_odd(const Real& value) {
  const double truncated = mpfr_get_d(value, MPFR_RNDZ);
  if (value.is_nan() || mpfr_cmp_d(value, truncated) == 0) return truncated;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(truncated) | 1);
}

} // namespace

bool is_below(const Real& a, const Real& b) {
  if (a.is_zero() && b.is_zero()) return a.is_negative() && !b.is_negative();
  return mpfr_less_p(a, b) != 0;
}

Enclosure::Enclosure(double number) : low(number), high(number), is_nan(std::isnan(number)) {}

Enclosure Enclosure::nan() {
  return Enclosure(std::numeric_limits<double>::quiet_NaN());
}

Enclosure Enclosure::between(double low, double high) {
  Enclosure result(low);
  result.high = Real(high);
  return result;
}

Enclosure Enclosure::of_real(const Real& number) {
  Enclosure result;
  result.low = result.high = number;
  return result;
}

Enclosure Enclosure::everything(bool maybe_nan) {
  Enclosure result = between(-kInfinity, kInfinity);
  result.maybe_nan = maybe_nan;
  return result;
}

Enclosure Enclosure::of_text(const std::string& text) {
  Enclosure result;
  result.low_open = mpfr_strtofr(result.low, text.c_str(), nullptr, 0, MPFR_RNDD) != 0;
  result.high_open = mpfr_strtofr(result.high, text.c_str(), nullptr, 0, MPFR_RNDU) != 0;
  return result;
}

bool Enclosure::is_point() const {
  return !is_nan && !maybe_nan && mpfr_equal_p(low, high) != 0 && !has_both_signs();
}

Enclosure rising(RealFunction function, const Enclosure& a) {
  return monotone(function, a, true);
}

Enclosure falling(RealFunction function, const Enclosure& a) {
  return monotone(function, a, false);
}

Enclosure within(const Enclosure& a, double lowest, double highest) {
  if (a.is_nan) return a;
  if (mpfr_cmp_d(a.high, lowest) < 0 || mpfr_cmp_d(a.low, highest) > 0) return Enclosure::nan();
  Enclosure part = a;
  if (mpfr_cmp_d(a.low, lowest) < 0) {
    part.low = Real(lowest);
    part.low_open = false;
    part.maybe_nan = true;
  }
  if (mpfr_cmp_d(a.high, highest) > 0) {
    part.high = Real(highest);
    part.high_open = false;
    part.maybe_nan = true;
  }
  return part;
}

Enclosure operator-(const Enclosure& a) {
  return falling(mpfr_neg, a);
}

Enclosure operator+(const Enclosure& a, const Enclosure& b) {
  if (any_nan(a, b)) return Enclosure::nan();
  if (a.is_point() && b.is_point()) return of_points(mpfr_add, a, b);
  Enclosure result;
  const int low = mpfr_add(result.low, a.low, b.low, MPFR_RNDD);
  const int high = mpfr_add(result.high, a.high, b.high, MPFR_RNDU);
  if (result.low.is_nan() || result.high.is_nan()) return Enclosure::everything(true);
  // Infinity plus what is open is still infinity.
  const auto opens = [](bool open, const Real& other) { return open && !other.is_infinite(); };
  result.low_open = low != 0 || opens(a.low_open, b.low) || opens(b.low_open, a.low);
  result.high_open = high != 0 || opens(a.high_open, b.high) || opens(b.high_open, a.high);
  return marked(std::move(result), a, b);
}

Enclosure operator-(const Enclosure& a, const Enclosure& b) {
  return a + -b;
}

Enclosure operator*(const Enclosure& a, const Enclosure& b) {
  if (any_nan(a, b)) return Enclosure::nan();
  if (a.is_point() && b.is_point()) return of_points(mpfr_mul, a, b);
  return marked(Corners(mpfr_mul, true, a, b).result(), a, b);
}

Enclosure operator/(const Enclosure& a, const Enclosure& b) {
  if (any_nan(a, b)) return Enclosure::nan();
  if (a.is_point() && b.is_point()) return of_points(mpfr_div, a, b);
  if (b.has_both_signs())
    return marked(Enclosure::everything(a.low.is_zero() || a.high.is_zero() || a.has_both_signs()),
                  a, b);
  return marked(Corners(mpfr_div, true, a, b).result(), a, b);
}

Enclosure power(const Enclosure& a, const Enclosure& b) {
  // A power of 1 is 1, and so is a power to 0, also of NaN (IEEE 754, 9.2.1).
  const auto is_certainly = [](const Enclosure& c, long number) {
    return c.is_point() && mpfr_cmp_si(c.low, number) == 0;
  };
  if (is_certainly(a, 1) || is_certainly(b, 0)) return Enclosure(1);
  if (any_nan(a, b)) return Enclosure::nan();
  if (a.is_point() && b.is_point()) return of_points(mpfr_pow, a, b);
  if (a.low.is_negative()) return Enclosure::everything(true);
  return marked(Corners(mpfr_pow, false, a, b).result(), a, b);
}

Enclosure remainder(const Enclosure& a, const Enclosure& b) {
  if (any_nan(a, b)) return Enclosure::nan();
  if (a.is_point() && b.is_point()) return of_points(mpfr_fmod, a, b);
  const bool is_plain = b.is_point() && !b.low.is_zero() && !b.low.is_infinite();
  if (!is_plain) return Enclosure::everything(true);
  const Enclosure width = Enclosure::of_real(a.high) - Enclosure::of_real(a.low);
  const Enclosure low = of_points(mpfr_fmod, Enclosure::of_real(a.low), b);
  const Enclosure high = of_points(mpfr_fmod, Enclosure::of_real(a.high), b);
  const bool is_one_period = !low.is_nan && !high.is_nan && !a.has_both_signs() &&
                             mpfr_cmpabs(width.high, b.low) < 0 && !is_below(high.low, low.low);
  if (is_one_period) return marked(hull(low, high), a, b);
  const Enclosure size = absolute(b);
  return marked(hull(-size, size), a, b);
}

Enclosure with_sign(const Enclosure& a, const Enclosure& sign) {
  if (sign.is_nan) return absolute(a);
  if (sign.has_both_signs() || sign.maybe_nan) return hull(absolute(a), -absolute(a));
  return sign.low.is_negative() ? -absolute(a) : absolute(a);
}

Enclosure absolute(const Enclosure& a) {
  if (a.is_nan || !a.low.is_negative()) return a;
  Enclosure negated = -a;
  if (a.high.is_negative()) return negated;
  Enclosure result =
      from_ends(Candidate{Real(0.0), false},
                end_of_two(a.high, a.high_open, negated.high, negated.high_open, false));
  result.maybe_nan = a.maybe_nan;
  return result;
}

Enclosure square(const Enclosure& a) {
  const Enclosure size = absolute(a);
  return size * size;
}

Enclosure minimum(const Enclosure& a, const Enclosure& b) {
  if (any_nan(a, b)) return Enclosure::nan();
  Candidate low = end_of_two(a.low, a.low_open, b.low, b.low_open, true);
  Candidate high = end_of_two(a.high, a.high_open, b.high, b.high_open, true);
  return marked(from_ends(std::move(low), std::move(high)), a, b);
}

Enclosure maximum(const Enclosure& a, const Enclosure& b) {
  return -minimum(-a, -b);
}

Enclosure hull(const Enclosure& a, const Enclosure& b) {
  const bool maybe_nan = a.maybe_nan || b.maybe_nan || a.is_nan != b.is_nan;
  if (a.is_nan && b.is_nan) return a;
  Enclosure result = a.is_nan ? b : a;
  if (!a.is_nan && !b.is_nan) {
    result = from_ends(end_of_two(a.low, a.low_open, b.low, b.low_open, true),
                       end_of_two(a.high, a.high_open, b.high, b.high_open, false));
  }
  result.maybe_nan = maybe_nan;
  return result;
}

Real step_inward(const Real& end, bool upward) {
  const Precision finer(mpfr_get_prec(end) + 2);
  Real inner;
  mpfr_set(inner, end, MPFR_RNDN);
  if (upward) {
    mpfr_nextabove(inner);
  } else {
    mpfr_nextbelow(inner);
  }
  return inner;
}

DoubleEnds to_double_ends(const Enclosure& a) {
  return {to_odd(a.low_open ? step_inward(a.low, true) : a.low),
          to_odd(a.high_open ? step_inward(a.high, false) : a.high)};
}

double middle(const Enclosure& a) {
  if (a.is_nan) return std::numeric_limits<double>::quiet_NaN();
  if (mpfr_equal_p(a.low, a.high) != 0) return mpfr_get_d(a.low, MPFR_RNDN);
  Real sum;
  mpfr_add(sum, a.low, a.high, MPFR_RNDN);
  if (sum.is_nan()) return a.maybe_nan ? std::numeric_limits<double>::quiet_NaN() : 0;
  mpfr_div_2ui(sum, sum, 1, MPFR_RNDN);
  return mpfr_get_d(sum, MPFR_RNDN);
}

} // namespace lanewise::references
