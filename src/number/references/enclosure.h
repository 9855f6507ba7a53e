// Intervals of MPFR numbers: the slow half of correctly rounded references, at any precision.
//
// Ends are rounded outward. Unlike Interval they may be open: then the number lies strictly inside.
// x * Phi(x) for a large x is below x by less than any precision shows, and x may be the middle
// between two numbers of a format; that the end is open decides it.
//
// Operations work at the calling thread's precision (Precision).
#pragma once

#include <mpfr.h>

#include <string>

namespace lanewise::references {

/// Sets the calling thread's precision while it lives.
class Precision {
 public:
  explicit Precision(mpfr_prec_t bits) : before_(mpfr_get_default_prec()) {
    mpfr_set_default_prec(bits);
  }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;
  ~Precision() { mpfr_set_default_prec(before_); }
  static mpfr_prec_t bits() { return mpfr_get_default_prec(); }

 private:
  mpfr_prec_t before_;
};

/// One MPFR number of the precision that is set when it is made; NaN until it is given a value.
class Real {
 public:
  Real() { mpfr_init(value_); }
  explicit Real(double number) : Real() { mpfr_set_d(value_, number, MPFR_RNDN); }
  Real(const Real& other) {
    mpfr_init2(value_, mpfr_get_prec(other.value_));
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real(Real&& other) noexcept : Real() { mpfr_swap(value_, other.value_); }
  Real& operator=(Real other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~Real() { mpfr_clear(value_); }

  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

  bool is_nan() const { return mpfr_nan_p(value_) != 0; }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  bool is_infinite() const { return mpfr_inf_p(value_) != 0; }
  bool is_negative() const { return mpfr_signbit(value_) != 0; }

 private:
  mpfr_t value_;
};

/// From -0 up to +0.
bool is_below(const Real& a, const Real& b);

struct Enclosure {
  Real low, high;
  bool low_open = false, high_open = false;
  bool maybe_nan = false; ///< besides what the ends say, the result may be a NaN
  bool is_nan = false;    ///< certainly

  Enclosure() = default;
  /// A point.
  explicit Enclosure(double number);
  static Enclosure nan();
  static Enclosure of_real(const Real& number);
  /// Any number at all.
  static Enclosure everything(bool maybe_nan);
  /// Between two numbers, both included.
  static Enclosure between(double low, double high);
  /// The value of a literal of MPFR's, decimal or hexadecimal.
  static Enclosure of_text(const std::string& text);

  bool is_point() const;
  bool has_both_signs() const { return low.is_negative() != high.is_negative(); }
};

/// A function of MPFR with one operand.
using RealFunction = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

/// A strictly rising or falling function. Where it is undefined, `a` must not reach.
Enclosure rising(RealFunction function, const Enclosure& a);
Enclosure falling(RealFunction function, const Enclosure& a);

/// The part of `a` from `lowest` to `highest`, maybe a NaN if that is not all of it; a NaN if
/// it is nothing.
Enclosure within(const Enclosure& a, double lowest, double highest);

Enclosure operator-(const Enclosure& a);
Enclosure operator+(const Enclosure& a, const Enclosure& b);
Enclosure operator-(const Enclosure& a, const Enclosure& b);
Enclosure operator*(const Enclosure& a, const Enclosure& b);
Enclosure operator/(const Enclosure& a, const Enclosure& b);
Enclosure absolute(const Enclosure& a);
Enclosure square(const Enclosure& a);
Enclosure power(const Enclosure& a, const Enclosure& b);
/// fmod(): what is left of `a` after whole multiples of `b`, with the sign of `a`.
Enclosure remainder(const Enclosure& a, const Enclosure& b);
/// copysign().
Enclosure with_sign(const Enclosure& a, const Enclosure& sign);
Enclosure minimum(const Enclosure& a, const Enclosure& b);
Enclosure maximum(const Enclosure& a, const Enclosure& b);

// Truth values, as for Interval.
Enclosure less(const Enclosure& a, const Enclosure& b);
Enclosure less_equal(const Enclosure& a, const Enclosure& b);
Enclosure equal(const Enclosure& a, const Enclosure& b);
Enclosure truth(const Enclosure& a);
Enclosure logical_not(const Enclosure& a);
Enclosure hull(const Enclosure& a, const Enclosure& b);
Enclosure choose(const Enclosure& condition, const Enclosure& a, const Enclosure& b);

inline bool is_point(const Enclosure& a) {
  return a.is_point();
}

/// A number next to an open end, and within, that no format and no step function tells from those
/// between: they change at numbers with far fewer bits than this has.
Real step_inward(const Real& end, bool upward);

/// The ends of `a` as doubles that every format rounds as it rounds the numbers next to the ends
/// within `a`. They have all bits of the end down to the last, which is set if anything follows
/// (rounding to odd), so that rounding them again is rounding once.
struct DoubleEnds {
  double low, high;
};
DoubleEnds to_double_ends(const Enclosure& a);

/// The middle of `a`, to the nearest double.
double middle(const Enclosure& a);

} // namespace lanewise::references
