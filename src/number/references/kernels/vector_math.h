// Mathematical functions of as many doubles as the level has, by libmvec of the GNU C Library, in
// the range where it does not go lane by lane, and with the results of <cmath> beyond it. Where
// there is no such library (docs/browser.md), they are those of <cmath>, lane by lane.
//
// Each is within kLibraryMargin of the true result, and 0 or infinite where that is too small or
// too large for a double; a number below kTiny may be any other below it.
#pragma once

#include <cmath>

#include "number/references/kernels/doubles.h"

namespace lanewise::LANEWISE_LEVEL {

#if defined(__AVX512F__)
#define LANEWISE_OF_LIBRARY "_ZGVeN8v"
#elif defined(__AVX2__)
#define LANEWISE_OF_LIBRARY "_ZGVdN4v"
#else
#define LANEWISE_OF_LIBRARY "_ZGVbN2v"
#endif

namespace library {
#if defined(__GLIBC__)
/// The names of glibc's vector ABI for x86-64: instruction set, lanes, a `v` for each operand.
#define LANEWISE_ONE(name) Doubles name(Doubles) __asm__(LANEWISE_OF_LIBRARY "_" #name)
Doubles pow(Doubles, Doubles) __asm__(LANEWISE_OF_LIBRARY "v_pow");
#else
/// Other libraries have them for a double alone.
#define LANEWISE_ONE(name)                                                       \
  LANEWISE_INLINE Doubles name(Doubles x) {                                      \
    for (std::size_t lane = 0; lane < kLanes; ++lane) x[lane] = ::name(x[lane]); \
    return x;                                                                    \
  }
LANEWISE_INLINE Doubles pow(Doubles x, Doubles y) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) x[lane] = ::pow(x[lane], y[lane]);
  return x;
}
#endif
LANEWISE_ONE(exp);
LANEWISE_ONE(exp2);
LANEWISE_ONE(exp10);
LANEWISE_ONE(expm1);
LANEWISE_ONE(log);
LANEWISE_ONE(log2);
LANEWISE_ONE(log10);
LANEWISE_ONE(log1p);
LANEWISE_ONE(cbrt);
LANEWISE_ONE(sin);
LANEWISE_ONE(cos);
LANEWISE_ONE(tan);
LANEWISE_ONE(asin);
LANEWISE_ONE(acos);
LANEWISE_ONE(atan);
LANEWISE_ONE(sinh);
LANEWISE_ONE(cosh);
LANEWISE_ONE(tanh);
LANEWISE_ONE(asinh);
LANEWISE_ONE(acosh);
LANEWISE_ONE(atanh);
LANEWISE_ONE(erf);
LANEWISE_ONE(erfc);
#undef LANEWISE_ONE
} // namespace library

#undef LANEWISE_OF_LIBRARY

/// An exponential function: `lowest` is a number whose result is below kTiny, `highest` the last
/// one whose result fits.
template <class Function>
LANEWISE_INLINE Doubles exponential(Doubles x, double lowest, double highest, Function function) {
  const Mask is_beyond = below(x, splat(lowest)) | below(splat(highest), x);
  const Doubles result = function(select(is_beyond, splat(0), x));
  return select(is_beyond, select(has_sign(x), splat(0), splat(references::kInfinite)), result);
}

/// 1024 log(2); to base 10; and 1025 log(2), where e^x / 2 overflows. Rounded downward.
inline constexpr double kHighestExp = 0x1.62e42fefa39efp+9;
inline constexpr double kHighestExp10 = 0x1.34413509f79fep+8;
inline constexpr double kHighestSinh = 0x1.633ce8fb9f87dp+9;

LANEWISE_INLINE Doubles exp_of(Doubles x) {
  return exponential(x, -700, kHighestExp, library::exp); // log(2^-1000) is -693.1
}
LANEWISE_INLINE Doubles exp2_of(Doubles x) {
  return exponential(x, -1010, 0x1.fffffffffffffp+9, library::exp2);
}
LANEWISE_INLINE Doubles exp10_of(Doubles x) {
  return exponential(x, -304, kHighestExp10, library::exp10); // log10(2^-1000) is -301.03
}
LANEWISE_INLINE Doubles expm1_of(Doubles x) {
  constexpr double kLowest = -60; // e^-60 is far below 2^-52
  const Mask is_beyond = below(splat(kHighestExp), x);
  const Doubles result = library::expm1(select(is_beyond, splat(0), at_least(x, kLowest)));
  return select(is_beyond, splat(references::kInfinite), result);
}

/// A function for numbers in `domain`; beyond it, NaN.
template <class Function>
LANEWISE_INLINE Doubles within(Doubles x, Mask domain, double inside, Function function) {
  const Doubles result = function(select(domain, x, splat(inside)));
  return select(domain, result, splat(references::kNan));
}
/// A logarithm, of 0 and infinity as well.
template <class Function>
LANEWISE_INLINE Doubles logarithm(Doubles x, Function function) {
  const Mask domain = below(splat(0), x) & below(x, splat(references::kInfinite));
  const Doubles result = within(x, domain, 1, function);
  const Mask is_end = same(x, splat(0)) | same(x, splat(references::kInfinite));
  return select(is_end, select(same(x, splat(0)), splat(-references::kInfinite), x), result);
}

LANEWISE_INLINE Doubles log_of(Doubles x) {
  return logarithm(x, library::log);
}
LANEWISE_INLINE Doubles log2_of(Doubles x) {
  return logarithm(x, library::log2);
}
LANEWISE_INLINE Doubles log10_of(Doubles x) {
  return logarithm(x, library::log10);
}
LANEWISE_INLINE Doubles log1p_of(Doubles x) {
  return within(x, at_most(splat(-1), x), 0, library::log1p);
}
LANEWISE_INLINE Doubles asin_of(Doubles x) {
  return within(x, at_most(size_of(x), splat(1)), 0, library::asin);
}
LANEWISE_INLINE Doubles acos_of(Doubles x) {
  return within(x, at_most(size_of(x), splat(1)), 0, library::acos);
}
LANEWISE_INLINE Doubles acosh_of(Doubles x) {
  return within(x, at_most(splat(1), x), 1, library::acosh);
}
LANEWISE_INLINE Doubles atanh_of(Doubles x) {
  return within(x, at_most(size_of(x), splat(1)), 0, library::atanh);
}

/// sinh() or cosh(), which overflow on both sides.
template <class Function>
LANEWISE_INLINE Doubles hyperbolic(Doubles x, Doubles beyond, Function function) {
  const Mask is_beyond = below(splat(kHighestSinh), size_of(x));
  return select(is_beyond, beyond, function(select(is_beyond, splat(0), x)));
}
LANEWISE_INLINE Doubles sinh_of(Doubles x) {
  return hyperbolic(x, with_sign_of(splat(references::kInfinite), x), library::sinh);
}
LANEWISE_INLINE Doubles cosh_of(Doubles x) {
  return hyperbolic(x, splat(references::kInfinite), library::cosh);
}

LANEWISE_INLINE Doubles erfc_of(Doubles x) {
  constexpr double kHighest = 26.4; // erfc(26.3) is below kTiny
  const Doubles result = library::erfc(no_more_than(x, kHighest));
  return select(below(splat(kHighest), x), splat(0), result);
}

/// x^y, but where a special rule of IEEE 754 holds: x is 0, 1 or infinite, y is 0 or infinite,
/// or one is a NaN.
LANEWISE_INLINE Doubles power_of(Doubles x, Doubles y) {
  constexpr double kLowest = -1010, kHighest = 1024 - 0x1p-20;
  const Doubles size = size_of(x);
  // The error of the logarithm moves the borders by 2^-30 at most.
  const Doubles binary_logarithm = y * log2_of(size);
  const Mask fits =
      at_most(splat(kLowest), binary_logarithm) & at_most(binary_logarithm, splat(kHighest));
  const Doubles power = library::pow(select(fits, size, splat(1)), select(fits, y, splat(1)));
  const Doubles beyond = select(has_sign(binary_logarithm), splat(0), splat(references::kInfinite));
  const Doubles result = select(fits, power, beyond);
  const Mask is_negative = below(x, splat(0));
  if (!any(is_negative)) [[likely]]
    return result;
  const Mask is_odd = and_not(is_whole(y), is_whole(y / 2));
  const Doubles of_negative = select(is_odd, -result, result);
  return select(is_negative, select(is_whole(y), of_negative, splat(references::kNan)), result);
}

} // namespace lanewise::LANEWISE_LEVEL
