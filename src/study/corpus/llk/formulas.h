// Formulas by which kernels of LLK approximate functions, in the exact arithmetic of doubles.
//
// A kernel has to meet its own formula within the roundings of its instructions, however coarse the
// formula is as an approximation. Constants are those of the headers, as the registers hold them:
// rounded to float where the header has a decimal number, cut down to bf16 in sFloat16b().
#pragma once

#include <cstdint>
#include <span>

namespace lanewise::corpus {

/// A line on |x|, up to a bound.
struct Piece {
  double below, slope, offset;
};

/// What SFPLUT and SFPLUTFP32 compute before the sign.
double line_table(std::span<const Piece> pieces, double x);

/// An FP16 number of a table.
double half(std::uint32_t bits);

/// _init_tanh_ loads 1DFF, 481A and FF00: two 8-bit floats each, slope and offset (ISA: SFPLUT).
double tanh_table(double x);

/// _calculate_cdf_appx_: a polynomial up to 2.5, 1 beyond it.
double cdf_table(double x);

/// The distribution function of the normal distribution.
double normal_cdf(double x);

/// _sfpu_exp_, and its reciprocal for negative numbers: a parabola for the fraction, then a square
/// for each bit of the exponent.
double exp_series(double x);

/// _sfpu_exp_21f_bf16_ without its rounding to bf16: a parabola for the fraction of x / ln 2, which
/// has been rounded to a float.
double exp_21f(double x);

/// _calculate_log_body_: a polynomial of third degree for the mantissa, and a multiple of ln 2.
double log_series(double x);

/// _calculate_log_body_no_init_: the same with the coefficients of another fit.
double log_minimax(double x);

} // namespace lanewise::corpus
