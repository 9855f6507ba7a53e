// Mathematical functions of as many doubles as the level has, by those of SLEEF that have the same
// bits at every level and on every machine with a fused multiply-add (its names with 'finz'), in
// the range where they are good, and with the results of <cmath> beyond it. The error functions,
// which are dear there, are those of error_functions.h. Where there is no SLEEF (docs/browser.md),
// the others are those of <cmath>, lane by lane.
//
// Each is within kLibraryMargin of the true result, and 0 or infinite where that is too small or
// too large for a double; a number below kTiny may be any other below it.
#pragma once

#include <cmath>

#include "chip/machine/fused.h"
#include "number/references/flat.h"
#include "number/references/kernels/doubles.h"

namespace lanewise::LANEWISE_LEVEL {

namespace library {
#if !defined(__GLIBC__)
/// Other libraries have them for a double alone.
#define LANEWISE_ONE(name, accuracy)                                             \
  LANEWISE_INLINE Doubles name(Doubles x) {                                      \
    for (std::size_t lane = 0; lane < kLanes; ++lane) x[lane] = ::name(x[lane]); \
    return x;                                                                    \
  }
LANEWISE_INLINE Doubles pow(Doubles x, Doubles y) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) x[lane] = ::pow(x[lane], y[lane]);
  return x;
}
#elif defined(__AVX512F__)
#define LANEWISE_ONE(name, accuracy) \
  Doubles name(Doubles) __asm__("Sleef_finz_" #name "d8_" #accuracy "avx512f")
Doubles pow(Doubles, Doubles) __asm__("Sleef_finz_powd8_u10avx512f");
#elif defined(__AVX2__)
#define LANEWISE_ONE(name, accuracy) \
  Doubles name(Doubles) __asm__("Sleef_finz_" #name "d4_" #accuracy "avx2")
Doubles pow(Doubles, Doubles) __asm__("Sleef_finz_powd4_u10avx2");
#else
#define LANEWISE_ONE(name, accuracy)                                                       \
  Doubles name##_with_fma(Doubles) __asm__("Sleef_finz_" #name "d2_" #accuracy "avx2128"); \
  Doubles name##_without_fma(Doubles) __asm__("Sleef_cinz_" #name "d2_" #accuracy "sse2"); \
  LANEWISE_INLINE Doubles name(Doubles x) {                                                \
    return has_fma() ? name##_with_fma(x) : name##_without_fma(x);                         \
  }                                                                                        \
  static_assert(kLanes == 2)
Doubles pow_with_fma(Doubles, Doubles) __asm__("Sleef_finz_powd2_u10avx2128");
Doubles pow_without_fma(Doubles, Doubles) __asm__("Sleef_cinz_powd2_u10sse2");
LANEWISE_INLINE Doubles pow(Doubles x, Doubles y) {
  return has_fma() ? pow_with_fma(x, y) : pow_without_fma(x, y);
}
#endif
// u10: within 1.0 ULP, u35: within 3.5, where that is faster.
LANEWISE_ONE(exp, u10);
LANEWISE_ONE(exp2, u35);
LANEWISE_ONE(exp10, u35);
LANEWISE_ONE(expm1, u10);
LANEWISE_ONE(log, u35);
LANEWISE_ONE(log2, u35);
LANEWISE_ONE(log10, u10);
LANEWISE_ONE(log1p, u10);
LANEWISE_ONE(cbrt, u35);
LANEWISE_ONE(sin, u35);
LANEWISE_ONE(cos, u35);
LANEWISE_ONE(tan, u35);
LANEWISE_ONE(asin, u35);
LANEWISE_ONE(acos, u35);
LANEWISE_ONE(atan, u35);
LANEWISE_ONE(sinh, u35);
LANEWISE_ONE(cosh, u35);
LANEWISE_ONE(tanh, u35);
LANEWISE_ONE(asinh, u10);
LANEWISE_ONE(acosh, u10);
LANEWISE_ONE(atanh, u10);
#undef LANEWISE_ONE
} // namespace library

/// An exponential function: beyond `lowest` results are below kTiny, `highest` is the last number
/// whose result fits.
template <class Function>
LANEWISE_INLINE Doubles exponential(Doubles x, double lowest, double highest, Function function) {
  const Mask is_beyond = below(x, splat(lowest)) | below(splat(highest), x);
  const Doubles of_beyond = select(has_sign(x), splat(0), splat(references::kInfinite));
  // Three quarters of all FP32.
  if (all(is_beyond | below(size_of(x), splat(references::kNextToZero))))
    return select(is_beyond, of_beyond, splat(1));
  return select(is_beyond, of_beyond, function(select(is_beyond, splat(0), x)));
}

LANEWISE_INLINE Doubles exp_of(Doubles x) {
  return exponential(x, references::kLowestExp, references::kHighestExp, library::exp);
}
LANEWISE_INLINE Doubles exp2_of(Doubles x) {
  return exponential(x, references::kLowestExp2, references::kHighestExp2, library::exp2);
}
LANEWISE_INLINE Doubles exp10_of(Doubles x) {
  return exponential(x, references::kLowestExp10, references::kHighestExp10, library::exp10);
}
LANEWISE_INLINE Doubles expm1_of(Doubles x) {
  constexpr double kLowest = -60; // e^-60 is far below 2^-52
  const Mask is_beyond = below(splat(references::kHighestExp), x);
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
  constexpr double kAll = 0x1p60; // 1 + x is x from there on
  const Doubles result = within(
      x, at_most(splat(-1), x), 0, [](Doubles y) __attribute__((always_inline)) {
        return library::log1p(no_more_than(y, kAll));
      });
  const Mask is_beyond = below(splat(kAll), x);
  return any(is_beyond) ? select(is_beyond, log_of(x), result) : result;
}
LANEWISE_INLINE Doubles asin_of(Doubles x) {
  return within(x, at_most(size_of(x), splat(1)), 0, library::asin);
}
LANEWISE_INLINE Doubles acos_of(Doubles x) {
  return within(x, at_most(size_of(x), splat(1)), 0, library::acos);
}
/// asinh() and acosh() of a size, which are log(2x) where x^2 drowns the 1.
template <class Function>
LANEWISE_INLINE Doubles inverse_hyperbolic(Doubles size, Function function) {
  constexpr double kLarge = 0x1p500, kLogOf2 = 0.693147180559945309417232121458177;
  const Mask is_beyond = below(splat(kLarge), size);
  const Doubles result = function(no_more_than(size, kLarge));
  return any(is_beyond) ? select(is_beyond, log_of(size) + kLogOf2, result) : result;
}
LANEWISE_INLINE Doubles asinh_of(Doubles x) {
  return with_sign_of(inverse_hyperbolic(size_of(x), library::asinh), x);
}
LANEWISE_INLINE Doubles acosh_of(Doubles x) {
  return within(
      x, at_most(splat(1), x), 1, [](Doubles y) __attribute__((always_inline)) {
        return inverse_hyperbolic(y, library::acosh);
      });
}
LANEWISE_INLINE Doubles atanh_of(Doubles x) {
  return within(x, at_most(size_of(x), splat(1)), 0, library::atanh);
}

/// sinh() or cosh() of a size. SLEEF's may be infinite from 709 on, where both are e^x / 2.
template <class Function>
LANEWISE_INLINE Doubles hyperbolic(Doubles size, Function function) {
  constexpr double kLarge = 709;
  const Mask is_beyond = below(splat(kLarge), size);
  const Doubles result = function(no_more_than(size, kLarge));
  if (!any(is_beyond)) [[likely]]
    return result;
  const Doubles root = exp_of(size / 2);
  return select(is_beyond, root * (root / 2), result);
}
/// SLEEF's has the same bits there.
LANEWISE_INLINE Doubles tanh_of(Doubles x) {
  constexpr double kLinear = 0x1p-60;
  const Doubles size = size_of(x);
  const Mask is_flat = at_most(splat(references::kLowestFlatTanh), size);
  if (all(is_flat | below(size, splat(kLinear))))
    return select(is_flat, with_sign_of(splat(1), x), x);
  return library::tanh(x);
}
LANEWISE_INLINE Doubles sinh_of(Doubles x) {
  return with_sign_of(hyperbolic(size_of(x), library::sinh), x);
}
LANEWISE_INLINE Doubles cosh_of(Doubles x) {
  return hyperbolic(size_of(x), library::cosh);
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
