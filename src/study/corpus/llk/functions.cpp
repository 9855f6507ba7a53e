// Kernels that compute functions of one float: arithmetic, polynomials, tables.
//
// bf16 results are truncated when they are stored, which costs up to 1 ULP. Errors of the
// approximations themselves are in the bounds as they have been measured, rounded up. A kernel
// whose approximation is coarse is here twice: against the function, and as ..._table against its
// own formula, which it has to meet to the last bit or two.
#include <array>
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/formulas.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

/// The constants of _init_sigmoid_ (ISA: SFPLUTFP32, FP16_6ENTRY_TABLE2).
double sigmoid_table(double x) {
  static const std::array kPieces{
      Piece{0.5, half(0x33D9), half(0x9018)}, Piece{1, half(0x32F4), half(0x23C8)},
      Piece{1.5, half(0x318A), half(0x2BAA)}, Piece{2, half(0x300A), half(0x3027)},
      Piece{4, half(0x2A35), half(0x34CC)},   Piece{HUGE_VAL, 0, half(0x37FF)}};
  return std::copysign(line_table(kPieces, x), x) + 0.5;
}

/// The constants of _init_gelu_ (FP16_6ENTRY_TABLE1).
double gelu_table(double x) {
  static const std::array kPieces{
      Piece{0.5, half(0x322B), half(0x86D8)}, Piece{1, half(0x37E7), half(0xB122)},
      Piece{1.5, half(0x38F3), half(0xB479)}, Piece{2, half(0x38E1), half(0xB437)},
      Piece{3, half(0x3852), half(0xAFA4)},   Piece{HUGE_VAL, half(0x3800), 0}};
  return 0.5 * x + line_table(kPieces, x);
}

// -------------------------------------------------------------------- domains

const LlkDomain kSmallPositive{.text = "0 <= x <= 8",
                               .holds = [](double x, double) { return x >= 0 && x <= 8; }};
const LlkDomain kHundred{.text = "|x| <= 100",
                         .holds = [](double x, double) { return std::abs(x) <= 100; }};

std::vector<LlkKernel> polynomials() {
  // The results of three to seven roundings, each carried through the multiplications behind it.
  return {
      {.name = "polyval5",
       .header = "polyval",
       .call = each_vector_is("POLYVAL5<vFloat>(0.25f, 0.5f, 0.75f, 1.5f, 2.0f, v)"),
       // Up to SFPI 7.78, products are rounded before a literal is added to them.
       .dst = both_widths({.ulp = 1}, {.ulp = 2}),
       .domain = kSmallPositive,
       .reference = [](double x) { return (((0.25 * x + 0.5) * x + 0.75) * x + 1.5) * x + 2; }},
      {.name = "polyval7",
       .header = "polyval",
       .call = each_vector_is("POLYVAL7<vFloat>(0.125f, 0.25f, 0.25f, 0.5f, 0.75f, 1.5f, 2.0f, v)"),
       .dst = both_widths({.ulp = 1}, {.ulp = 2.2}),
       .domain = kSmallPositive,
       .reference =
           [](double x) {
             return (((((0.125 * x + 0.25) * x + 0.25) * x + 0.5) * x + 0.75) * x + 1.5) * x + 2;
           }},
      {.name = "polynomial_evaluator",
       .header = "polyval",
       .call = each_vector_is("PolynomialEvaluator::eval(v, 2.0f, 1.5f, vConst1, 0.25f)"),
       .dst = both_widths({.ulp = 1}, {.ulp = 1.65}),
       .domain = kSmallPositive,
       .reference = [](double x) { return ((0.25 * x + 1) * x + 1.5) * x + 2; }},
  };
}

std::vector<LlkKernel> activations() {
  return {
      {.name = "hardsigmoid",
       .header = "activations",
       .init = "_init_hardsigmoid_<true>()",
       .call = "_calculate_activation_<true, ActivationType::Hardsigmoid, 8>()",
       // x/6 and 1/2 cancel near -3, where one rounding of x/6 remains: 2^-26 and that of 1/6.
       .dst = both_widths({.ulp = 1}, {.ulp = 1, .absolute = 2.5e-8}),
       .reference = [](double x) { return std::fmin(std::fmax(x / 6 + 0.5, 0), 1); }},
      {.name = "sigmoid",
       .header = "sigmoid",
       .init = "_init_sigmoid_<true>()",
       .call = "_calculate_sigmoid_<true, 8>(8)",
       // A table of 6 lines; worst at 4, where the last of them, a constant, begins.
       .dst = both_widths({.ulp = 1, .absolute = 0.018}, {.absolute = 0.018}),
       .reference = [](double x) { return 1 / (1 + std::exp(-x)); }},
      {.name = "sigmoid_table",
       .header = "sigmoid",
       .init = "_init_sigmoid_<true>()",
       .call = "_calculate_sigmoid_<true, 8>(8)",
       // Table and 1/2 cancel for negative numbers: the rounding of the table, 2^-26, remains.
       .dst = both_widths({.ulp = 1}, {.ulp = 1, .absolute = 0x1p-26}),
       .reference = sigmoid_table},
      {.name = "tanh",
       .header = "tanh",
       .init = "_init_tanh_<true>()",
       .call = "_calculate_tanh_<true, 8>(8)",
       // A table of 3 lines; worst at 1, where the line 0.906 x ends.
       .dst = both_widths({.ulp = 1, .absolute = 0.145}, {.absolute = 0.145}),
       .reference = [](double x) { return std::tanh(x); }},
      {.name = "tanh_table",
       .header = "tanh",
       .init = "_init_tanh_<true>()",
       .call = "_calculate_tanh_<true, 8>(8)",
       .dst = both_widths({.ulp = 1}, {.ulp = 0.5}),
       .reference = tanh_table},
      {.name = "cdf",
       .header = "cdf",
       .call = each_vector_is("_calculate_cdf_appx_(v, false)"),
       // A polynomial up to 2.5, 1 beyond it: worst at 2.5.
       .dst = both_widths({.ulp = 1, .absolute = 0.0063}, {.absolute = 0.0062}),
       .reference = normal_cdf},
      {.name = "cdf_table",
       .header = "cdf",
       .call = each_vector_is("_calculate_cdf_appx_(v, false)"),
       // 1 - p cancels for negative numbers.
       .dst = both_widths({.ulp = 1}, {.ulp = 2, .absolute = 1.2e-7}),
       .reference = cdf_table},
      {.name = "cdf_scaled_table",
       .header = "cdf",
       .call = each_vector_is("_calculate_cdf_appx_(v, true)"),
       .dst = both_widths({.ulp = 1, .absolute = 3e-7}, {.ulp = 2, .absolute = 3e-7}),
       .reference = [](double x) { return x * cdf_table(x); }},
      {.name = "gelu_approx",
       .header = "gelu",
       .init = "_init_gelu_<true>()",
       .call = "_calculate_gelu_<true, 8>()",
       // A table of 6 lines for x erf(x / sqrt 2) / 2; worst at -0.25.
       .dst = both_widths({.ulp = 1, .absolute = 0.024}, {.absolute = 0.024}),
       .reference = [](double x) { return x * normal_cdf(x); }},
      {.name = "gelu_approx_table",
       .header = "gelu",
       .init = "_init_gelu_<true>()",
       .call = "_calculate_gelu_<true, 8>()",
       .dst = both_widths({.ulp = 1}, {.ulp = 1, .absolute = 0x1p-24}),
       .reference = gelu_table},
      {.name = "gelu",
       .header = "gelu",
       .init = "_init_gelu_<false>()",
       .call = "_calculate_gelu_<false, 8>()",
       // x cdf(x): 2.5 times the error of cdf; beyond 5 or so it is x or 0 and exact.
       .dst = both_widths({.ulp = 1, .absolute = 0.0166}, {.ulp = 1, .absolute = 0.0155}),
       .reference = [](double x) { return x * normal_cdf(x); }},
  };
}

std::vector<LlkKernel> compatible_roots() {
  // Beyond, the square of the root's estimate is a denormal, or half of x is.
  const LlkDomain has_root{.text = "2^-124 <= x <= 2^125",
                           .holds = [](double x, double) { return x >= 0x1p-124 && x <= 0x1p125; }};
  const LlkDomain invertible_compat{
      .text = "2^-126 <= |x| <= 2^125",
      .holds = [](double x, double) { return std::abs(x) >= 0x1p-126 && std::abs(x) <= 0x1p125; }};
  const auto reciprocal = [](double x) { return 1 / x; };
  const auto reciprocal_root = [](double x) { return 1 / std::sqrt(x); };
  return {
      {.name = "sqrt_compat_approx",
       .header = "rsqrt_compat",
       .call = "_calculate_sqrt_compat_<true, 8, {FP32}>(8)",
       // Half the exponent, and a line for the mantissa.
       .dst = both_widths({.ulp = 1, .relative = 0.061}, {.relative = 0.061}),
       .domain = has_root,
       .reference = [](double x) { return std::sqrt(x); }},
      {.name = "sqrt_compat",
       .header = "rsqrt_compat",
       .call = "_calculate_sqrt_compat_<false, 8, {FP32}>(8)",
       // Two Newton steps for 1 / sqrt(x) from an estimate by the exponent.
       .dst = both_widths({.ulp = 1}, {.relative = 5.6e-6}),
       .domain = has_root,
       .reference = [](double x) { return std::sqrt(x); }},
      {.name = "recip_compat_approx",
       .header = "rsqrt_compat",
       .call = "_calculate_reciprocal_compat_<true, 8, {FP32}>(8)",
       // 1.4427 as the estimate for 1/x on [0.5, 1) is off by 0.44 at worst; each of the two Newton
       // steps, of which the second stands in the loop, squares that.
       .dst = both_widths({.ulp = 1, .relative = 0.039}, {.relative = 0.0385}),
       .domain = invertible_compat,
       .reference = reciprocal},
      {.name = "recip_compat",
       .header = "rsqrt_compat",
       .call = "_calculate_reciprocal_compat_<false, 8, {FP32}>(8)",
       // A third Newton step.
       .dst = both_widths({.ulp = 0.56}, {.relative = 0.0015}),
       .domain = invertible_compat,
       .reference = reciprocal},
      {.name = "rsqrt_compat_approx",
       .header = "rsqrt_compat",
       .call = "_calculate_rsqrt_compat_<true, 8, {FP32}>(8)",
       // The root of sqrt_compat_approx, then the reciprocal.
       .dst = both_widths({.ulp = 1, .relative = 0.062}, {.relative = 0.058}),
       .domain = has_root,
       .reference = reciprocal_root},
      {.name = "rsqrt_compat",
       .header = "rsqrt_compat",
       .call = "_calculate_rsqrt_compat_<false, 8, {FP32}>(8)",
       // The kernel keeps the root in Dst, which truncates it in bf16; its reciprocal
       // is that of recip_compat.
       .dst = both_widths({.ulp = 2}, {.relative = 0.0015}),
       .domain = has_root,
       .reference = reciprocal_root},
  };
}

std::vector<LlkKernel> transcendental() {
  const auto sine = [](double x) { return std::sin(x); };
  const auto cosine = [](double x) { return std::cos(x); };
  const LlkDomain above_one{.text = "1 <= x <= 2^63",
                            .holds = [](double x, double) { return x >= 1 && x <= 0x1p63; }};
  const auto acosh = [](double x) { return std::acosh(x); };
  // log(x + sqrt(x^2 - 1)): the logarithm is a polynomial, 0.0022 off at worst, and a multiple of
  // ln 2 = 0.69287, too small by 4e-4 of it.
  const auto acosh_dst = both_widths({.ulp = 1.45}, {.absolute = 0.0022, .relative = 9.5e-4});
  return {
      {.name = "sine_approx",
       .header = "trigonometry",
       .call = "_calculate_sine_<true, 8>(8)",
       // Powers up to x^7 on [-pi/2, pi/2]: the next is 1.6e-4 at the end.
       .dst = both_widths({.ulp = 1.05, .absolute = 1.6e-4}, {.absolute = 1.6e-4}),
       .domain = kHundred,
       .reference = sine},
      {.name = "sine",
       .header = "trigonometry",
       .call = "_calculate_sine_<false, 8>(8)",
       // x / pi is rounded once, and what is left of it after the whole turns keeps that error: for
       // x = 100, up to 2^-20 pi and the error of the constant.
       .dst = both_widths({.ulp = 1.05, .absolute = 7e-6}, {.absolute = 7e-6}),
       .domain = kHundred,
       .reference = sine},
      {.name = "cosine_approx",
       .header = "trigonometry",
       .call = "_calculate_cosine_<true, 8>(8)",
       // Powers up to x^6: the next is 9.2e-4 at pi/2.
       .dst = both_widths({.ulp = 1.35, .absolute = 1.1e-3}, {.absolute = 9.2e-4}),
       .domain = kHundred,
       .reference = cosine},
      {.name = "cosine",
       .header = "trigonometry",
       .call = "_calculate_cosine_<false, 8>(8)",
       .dst = both_widths({.ulp = 1.05, .absolute = 7e-6}, {.absolute = 7e-6}),
       .domain = kHundred,
       .reference = cosine},
      {.name = "acosh_approx",
       .header = "trigonometry",
       .init = "_init_inverse_hyperbolic_<true>()",
       .call = "_calculate_acosh_<true, 8>()",
       .dst = acosh_dst,
       .domain = above_one,
       .reference = acosh},
      {.name = "acosh",
       .header = "trigonometry",
       .init = "_init_inverse_hyperbolic_<false>()",
       .call = "_calculate_acosh_<false, 8>()",
       .dst = acosh_dst,
       .domain = above_one,
       .reference = acosh},
  };
}

} // namespace

std::vector<LlkKernel> llk_functions() {
  return joined(activations(), polynomials(), compatible_roots(), transcendental());
}

} // namespace lanewise::corpus
