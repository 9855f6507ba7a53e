// The functions of expressions on intervals of MPFR numbers, under the names that they have for
// intervals of doubles (number/references/interval_functions.h).
#pragma once

#include <span>

#include "number/references/enclosure.h"
#include "number/references/gamma.h"
#include "number/references/piecewise.h"

namespace lanewise::references {

/// A row of number/references/functions.def.
using EnclosureFunction = Enclosure (*)(const Enclosure* operands);
/// In the order of reference_functions().
std::span<const EnclosureFunction> enclosure_functions();

Enclosure exp(const Enclosure& a);
Enclosure exp2(const Enclosure& a);
Enclosure exp10(const Enclosure& a);
Enclosure expm1(const Enclosure& a);
Enclosure log(const Enclosure& a);
Enclosure log2(const Enclosure& a);
Enclosure log10(const Enclosure& a);
Enclosure log1p(const Enclosure& a);

Enclosure sqrt(const Enclosure& a);
Enclosure cbrt(const Enclosure& a);

Enclosure sin(const Enclosure& a);
Enclosure cos(const Enclosure& a);
Enclosure tan(const Enclosure& a);
Enclosure asin(const Enclosure& a);
Enclosure acos(const Enclosure& a);
Enclosure atan(const Enclosure& a);
/// atan2(): the angle of the point (b, a).
Enclosure angle(const Enclosure& a, const Enclosure& b);
Enclosure sinh(const Enclosure& a);
Enclosure cosh(const Enclosure& a);
Enclosure tanh(const Enclosure& a);
Enclosure tanhshrink(const Enclosure& a);
Enclosure asinh(const Enclosure& a);
Enclosure acosh(const Enclosure& a);
Enclosure atanh(const Enclosure& a);

Enclosure erf(const Enclosure& a);
Enclosure erfc(const Enclosure& a);
Enclosure erfinv(const Enclosure& a);
Enclosure bessel_i0(const Enclosure& a);
Enclosure bessel_i1(const Enclosure& a);

Enclosure sigmoid(const Enclosure& a);
Enclosure softplus(const Enclosure& a);
Enclosure silu(const Enclosure& a);
Enclosure mish(const Enclosure& a);
Enclosure gelu(const Enclosure& a);
Enclosure gelu_tanh(const Enclosure& a);

Enclosure round_down(const Enclosure& a);
Enclosure round_up(const Enclosure& a);
Enclosure round_to_zero(const Enclosure& a);
Enclosure round_half_away(const Enclosure& a);
Enclosure round_half_even(const Enclosure& a);

/// A function that never falls, of doubles and NaN, which steps only at numbers with at most 51
/// bits, so that it is the same for a number and for its double rounded to odd.
template <class At>
Enclosure stepwise(const Enclosure& a, At at) {
  Enclosure of_nan(at(__builtin_nan("")));
  if (a.is_nan) return of_nan;
  const DoubleEnds ends = to_double_ends(a);
  const Enclosure result = Enclosure::between(at(ends.low), at(ends.high));
  return a.maybe_nan ? hull(result, of_nan) : result;
}

Enclosure constant_pi();
Enclosure constant_e();

// What templates over both kinds of intervals ask (number/references/piecewise.h).

inline double number_of(const Enclosure& a) {
  return mpfr_get_d(a.low, MPFR_RNDN);
}
inline Enclosure is_a_nan(const Enclosure& a) {
  if (a.maybe_nan) return Enclosure::between(0, 1);
  return Enclosure(a.is_nan ? 1 : 0);
}

template <>
inline Enclosure pi_of<Enclosure>() {
  return constant_pi();
}

/// As for Interval.
template <class Function>
Enclosure rising_by_ends(const Enclosure& a, Function function) {
  if (a.is_nan || a.is_point()) return function(a);
  Enclosure result = function(Enclosure::of_real(a.low));
  const Enclosure last = function(Enclosure::of_real(a.high));
  result.high = last.high;
  result.high_open = last.high_open;
  result.maybe_nan = a.maybe_nan || result.maybe_nan || last.maybe_nan;
  return result;
}

} // namespace lanewise::references
