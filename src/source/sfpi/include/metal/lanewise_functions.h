// Functions of the Vector Unit, of one vector each. They are Lanewise's own, with the errors that
// are given here, and none of tt-metal's: results differ in last bits. `approximate` modes of the
// API are the same functions.
#pragma once

#include "lanewise_sfpu.h"

#if defined(UCK_CHLKC_MATH)

#include <limits>

namespace lanewise_metal {

using sfpi::vFloat;
using sfpi::vInt;

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A number by its bits, as arguments of kernels are.
inline float from_bits(u32 bits) {
  return __builtin_bit_cast(float, bits);
}

/// 2^y, relative error below 6e-6; 0 up to -127, infinity from 128 on.
sfpi_inline vFloat power_of_two(vFloat y) {
  const vFloat shift = 12582912.0f; // 1.5 * 2^23: near it floats are the whole numbers
  vFloat within = y;
  vFloat lowest = -126.5f;
  sfpi::vec_min_max(lowest, within); // the larger is in the second
  vFloat highest = 127.49f;
  sfpi::vec_min_max(within, highest); // the smaller is in the first
  const vFloat shifted = within + shift;
  const vInt n = sfpi::reinterpret<vInt>(shifted) - sfpi::reinterpret<vInt>(shift);
  const vFloat f = within - (shifted - shift);
  // On [-1/2, 1/2]: the coefficients of least relative error.
  const vFloat p =
      (((0.009676037f * f + 0.05600579f) * f + 0.24022168f) * f + 0.69310533f) * f + 1.0f;
  vFloat result = sfpi::setexp(p, sfpi::exexp_nodebias(p) + n);
  v_if (y >= 128.0f) {
    result = kInfinity;
  }
  v_endif;
  v_if (y < -126.5f) {
    result = 0.0f;
  }
  v_endif;
  return result;
}

/// e^x, relative error below 2e-5.
sfpi_inline vFloat exponential(vFloat x) {
  return power_of_two(x * 1.442695f);
}

/// 1 / x for a positive, normal x below 2^126: a straight line, and three steps of Newton's method.
sfpi_inline vFloat reciprocal_of_normal(vFloat x) {
  const vFloat m = sfpi::setexp(x, 127);
  vFloat r = m * -0.47058824f + 1.4117647f;
  for (int step = 0; step < 3; ++step) r = r * (2.0f - m * r);
  return sfpi::setexp(r, sfpi::exexp_nodebias(r) - sfpi::exexp(x));
}

/// 1 / x, relative error below 3e-7; 0 from 2^126 on, infinity below the normal numbers.
sfpi_inline vFloat reciprocal(vFloat x) {
  const vInt exponent = sfpi::exexp(x);
  vFloat result = reciprocal_of_normal(sfpi::setsgn(x, 0));
  v_if (exponent >= 126) {
    result = 0.0f;
  }
  v_endif;
  v_if (exponent < -126) {
    result = kInfinity;
  }
  v_endif;
  return sfpi::setsgn(result, x);
}

/// 1 / sqrt(x) for a positive, normal x: the bits halved and subtracted from a constant, and three
/// steps of Newton's method; relative error below 3e-7.
sfpi_inline vFloat reciprocal_root(vFloat x) {
  const vInt half = sfpi::reinterpret<vInt>(sfpi::reinterpret<sfpi::vUInt>(x) >> 1);
  vFloat r = sfpi::reinterpret<vFloat>(vInt(0x5F3759DF) - half);
  for (int step = 0; step < 3; ++step) r = r * (1.5f - x * 0.5f * r * r);
  return r;
}

/// The square root: 0 of zeros, infinity of infinity, NaN of negative numbers.
sfpi_inline vFloat root(vFloat x) {
  vFloat result = x * reciprocal_root(x);
  v_if (sfpi::exexp(x) < -126) {
    result = 0.0f;
  }
  v_endif;
  v_if (x == kInfinity) {
    result = kInfinity;
  }
  v_endif;
  v_if (x < 0.0f) {
    result = std::numeric_limits<float>::quiet_NaN();
  }
  v_endif;
  return result;
}
sfpi_inline vFloat inverse_root(vFloat x) {
  vFloat result = reciprocal_root(x);
  v_if (sfpi::exexp(x) < -126) {
    result = kInfinity;
  }
  v_endif;
  v_if (x == kInfinity) {
    result = 0.0f;
  }
  v_endif;
  v_if (x < 0.0f) {
    result = std::numeric_limits<float>::quiet_NaN();
  }
  v_endif;
  return result;
}

/// log(x): with x = 2^e m, e log(2) and a polynomial in m of an absolute error of 8.7e-6.
sfpi_inline vFloat logarithm(vFloat x) {
  const vInt exponent = sfpi::exexp_nodebias(x);
  const vFloat m = sfpi::setexp(sfpi::setsgn(x, 0), 127);
  vFloat p = 0.0311039841f * m + -0.288739708f;
  p = p * m + 1.13062548f;
  p = p * m + -2.46122113f;
  p = p * m + 3.52930431f;
  p = p * m + (-1.94106425f - 127.0f * 0.693147182f);
  vFloat result = sfpi::int32_to_float(exponent, 0) * 0.693147182f + p;
  v_if (exponent == 0) {
    result = -kInfinity;
  }
  v_endif;
  v_if (x == kInfinity) {
    result = kInfinity;
  }
  v_endif;
  v_if (x < 0.0f) {
    result = std::numeric_limits<float>::quiet_NaN();
  }
  v_endif;
  return result;
}

/// 1 / (1 + e^-x): of t = e^-|x| only, so that nothing overflows.
sfpi_inline vFloat sigmoid(vFloat x) {
  const vFloat t = exponential(sfpi::setsgn(x, 1));
  const vFloat upper = reciprocal_of_normal(t + 1.0f);
  vFloat result = upper * t;
  v_if (x >= 0.0f) {
    result = upper;
  }
  v_endif;
  return result;
}

/// (1 - t) / (1 + t) with t = e^(-2|x|); near zero x - x^3/3.
sfpi_inline vFloat hyperbolic_tangent(vFloat x) {
  const vFloat t = power_of_two(sfpi::setsgn(x, 1) * 2.88539f);
  vFloat result = sfpi::setsgn((1.0f - t) * reciprocal_of_normal(1.0f + t), x);
  v_if (sfpi::setsgn(x, 0) < 0.0625f) {
    result = x + x * x * x * -0.33333334f;
  }
  v_endif;
  return result;
}

/// x Phi(x), as in examples/gelu.cpp: the tail of the normal distribution by a polynomial in
/// u = 1 / (1 + 0.26 |x|), relative error below 1e-4.
sfpi_inline vFloat gelu(vFloat x) {
  const vFloat t = sfpi::setsgn(x, 0);
  const vFloat u = reciprocal_of_normal(t * 0.26f + 1.0f);
  const vFloat factor =
      ((((0.17029031f * u + 0.0049320334f) * u + 0.11981448f) * u + 0.10126272f) * u +
       0.10374018f) *
      u;
  const vFloat bell = power_of_two(t * t * -0.72134752f);
  vFloat y = x * factor * bell;
  vFloat tail = factor * bell;
  v_if (t >= 13.1875f) {
    y = 0.0f;
    tail = 0.0f;
  }
  v_endif;
  v_if (x >= 0.0f) {
    y = x * (1.0f - tail);
  }
  v_endif;
  return y;
}

/// log(1 + e^x): max(x, 0) and a polynomial in t = e^-|x|, relative error below 1e-4.
sfpi_inline vFloat softplus(vFloat x) {
  const vFloat t = exponential(sfpi::setsgn(x, 1));
  vFloat result =
      ((((0.043104534f * t + -0.16135991f) * t + 0.3092233f) * t + -0.49777442f) * t + 1.0f) * t;
  v_if (x >= 0.0f) {
    result = result + x;
  }
  v_endif;
  return result;
}

} // namespace lanewise_metal

#endif

/// NAME_tile_init() and NAME_tile(tile), of x; what is behind them is MATH's. What Dst cannot hold
/// of `result` is rounded.
#define LANEWISE_FUNCTION(name, result)                                         \
  namespace ckernel {                                                           \
  template <bool...>                                                            \
  ALWI void name##_tile_init() {}                                               \
  template <bool...>                                                            \
  ALWI void name##_tile(std::uint32_t tile, int mode = VectorMode::RC) {        \
    MATH(lanewise_metal::unary(tile, mode, [](sfpi::vFloat x) -> sfpi::vFloat { \
      return lanewise_metal::rounded(result);                                   \
    }));                                                                        \
  }                                                                             \
  }
/// The same with a number beside the tile, whose bits the kernel gives: `number` in `result`.
#define LANEWISE_FUNCTION_WITH(name, result)                                                    \
  namespace ckernel {                                                                           \
  ALWI void name##_tile_init() {}                                                               \
  ALWI void name##_tile(std::uint32_t tile, std::uint32_t bits) {                               \
    MATH(const float number = lanewise_metal::from_bits(bits);                                  \
         lanewise_metal::unary(tile, VectorMode::RC, [number](sfpi::vFloat x) -> sfpi::vFloat { \
           return lanewise_metal::rounded(result);                                              \
         }));                                                                                   \
  }                                                                                             \
  }
