// Functions that several examples build on. Each is a few SFPI lines; all calls are inlined into
// the kernel's words.
#pragma once

#include "sfpi.h"

/// The multiple of 2^16 in fp32 next to `x`: what a bf16 Dst stores without cutting bits off. A
/// plain store truncates.
sfpi_inline sfpi::vFloat rounded_to_bf16(sfpi::vFloat x) {
  return sfpi::reinterpret<sfpi::vFloat>(sfpi::float_to_fp16b(x, 0));
}

/// 2^y for y from -126 to 127, relative error below 6e-6.
///
/// y = n + f with n whole: near 1.5 * 2^23 floats are the whole numbers, so adding that rounds. The
/// integer n is the difference of the bit patterns, and goes into the exponent of 2^f.
sfpi_inline sfpi::vFloat power_of_two(sfpi::vFloat y) {
  const sfpi::vFloat shift = 12582912.0f; // 1.5 * 2^23
  const sfpi::vFloat shifted = y + shift;
  const sfpi::vInt n =
      sfpi::reinterpret<sfpi::vInt>(shifted) - sfpi::reinterpret<sfpi::vInt>(shift);
  const sfpi::vFloat f = y - (shifted - shift);
  // 2^f on [-1/2, 1/2]: the coefficients of least relative error, 5.4e-6.
  const sfpi::vFloat p =
      (((0.009676037f * f + 0.05600579f) * f + 0.24022168f) * f + 0.69310533f) * f + 1.0f;
  return sfpi::setexp(p, sfpi::exexp_nodebias(p) + n);
}

/// 1 / x for a positive, normal x below 2^126, by Newton's method from a straight line.
///
/// The mantissa m of x lies in [1, 2), where 24/17 - 8/17 m is at most 1/17 off 1 / m. Each step
/// squares the error: 3.5e-3, 1.2e-5, 1.4e-10. The exponent of x is then taken off that of the
/// result.
sfpi_inline sfpi::vFloat reciprocal_of(sfpi::vFloat x) {
  const sfpi::vFloat m = sfpi::setexp(x, 127);
  sfpi::vFloat r = m * -0.47058824f + 1.4117647f;
  for (int step = 0; step < 3; ++step) r = r * (2.0f - m * r);
  return sfpi::setexp(r, sfpi::exexp_nodebias(r) - sfpi::exexp(x));
}
