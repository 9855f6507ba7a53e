// Activation functions and derivatives that are made of other functions' approximations.
//
// Each is here twice: against the function, with the error of the approximation as the bound, and
// as ..._formula against its own formula, within the roundings of its instructions.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/formulas.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

// -------------------------------------------------------------------- linear units

/// The bits of x / (2 ln 2), moved as if a constant had been added before that aligns them: without
/// that sum, what remains of the float's exponent is shifted out, and no exponential is left.
double celu_approx_formula(double x) {
  constexpr std::uint32_t kAligned = 0x4340, kBias = 127 << 3, kShift = 7;
  if (!std::signbit(x)) return x;
  const auto scaled = std::bit_cast<std::uint32_t>(static_cast<float>(x * 0.5) * 1.442695f);
  const double exponential =
      formats::value_of_bits(formats::Format::FP32, (scaled - kAligned + kBias) << kShift);
  return static_cast<float>(2 * (exponential - 1));
}

std::vector<LlkKernel> linear_units() {
  const LlkKernel celu{
      .name = "celu",
      .header = "activations",
      .init = "_init_exponential_<false, false, 0x3F800000>()",
      .call = "_calculate_activation_<false, ActivationType::Celu, 8>(0x40000000u, 0x3F000000u)",
      // exp_precise is 1.4 % off below 1, and doubles that with each power of 2; of exp(x / 2),
      // 0.011 is the most.
      .dst = both_widths({.ulp = 1, .absolute = 0.024}, {.absolute = 0.022}),
      .domain = all_but_nan(),
      .reference = [](double x) { return x < 0 ? 2 * (std::exp(x / 2) - 1) : x; }};
  const LlkKernel elu{.name = "elu",
                      .header = "elu",
                      .call = "_calculate_elu_<true, {FP32}, 8>(0x3FC00000u)",
                      // 1.5 times the 0.17 % of exp_21f; in bf16, rounded to nearest.
                      .dst = both_widths({.ulp = 0.9, .absolute = 0.0033}, {.absolute = 0.0027}),
                      .domain = all_but_nan(),
                      .reference = [](double x) { return x < 0 ? 1.5 * (std::exp(x) - 1) : x; }};
  return {
      celu,
      // Of the exponential, up to 8 roundings are squared, and 1 is taken away.
      by_formula(celu, both_widths({.ulp = 1, .absolute = 2.5e-6}, {.absolute = 4e-7}),
                 [](double x) { return x < 0 ? 2 * (exp_series(x / 2) - 1) : x; }),
      elu,
      // The roundings of a parabola below 2 and, up to SFPI 7.78, of what it is a parabola of; of 1
      // less and of the product.
      by_formula(elu, both_widths({.ulp = 0.51, .absolute = 5e-7}, {.absolute = 5e-6}),
                 [](double x) { return std::signbit(x) ? 1.5 * (exp_21f(x) - 1) : x; }),
  };
}

// -------------------------------------------------------------------- silu

/// _sigmoid_piecewise_linear_positive_: a line up to 1, a polynomial up to 5, then 1.
double silu_formula(double x) {
  const double y = std::abs(x);
  double sigmoid = 1;
  if (y <= 1) {
    sigmoid = 0.229f * y + 0.5;
  } else if (y < 5) {
    sigmoid =
        (((0.00144462f * y - 0.01055479f) * y - 0.01203685f) * y + 0.24300185f) * y + 0.50437757f;
  }
  return x * (x < 0 ? 1 - sigmoid : sigmoid);
}

std::vector<LlkKernel> silu() {
  const LlkKernel silu{
      .name = "silu",
      .header = "silu",
      .call = "_calculate_silu_<true, 8>()",
      // At 5, where 1 follows the polynomial.
      .dst = both_widths({.ulp = 1, .absolute = 0.047}, {.ulp = 1, .absolute = 0.042}),
      .reference = [](double x) { return x / (1 + std::exp(-x)); }};
  return {silu,
          // 1 - s cancels for negative numbers, and 5 times its rounding remains.
          by_formula(silu, both_widths({.ulp = 1}, {.ulp = 2, .absolute = 3e-7}), silu_formula)};
}

// -------------------------------------------------------------------- derivatives

double normal_density(double x) {
  return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
}
double gelu_derivative(double x) {
  return normal_cdf(x) + x * normal_density(x);
}

/// The constants of _init_gelu_derivative_<true> (ISA: SFPLUTFP32, FP16_6ENTRY_TABLE1), which keep
/// the sign of x.
double gelu_derivative_table(double x) {
  static const std::array kPieces{
      Piece{0.5, half(0x3A66), half(0x3800)}, Piece{1, half(0x3666), half(0x399A)},
      Piece{1.5, half(0x2E66), half(0x3BEC)}, Piece{2, half(0xADC3), half(0x3D14)},
      Piece{3, half(0xACCD), half(0x3CF1)},   Piece{HUGE_VAL, 0, half(0x3C00)}};
  const double positive = line_table(kPieces, x);
  return std::signbit(x) ? 1 - positive : positive;
}

/// x times an exponential, and 28FF, 3020 and FF10 for the distribution function (ISA: SFPLUT).
double gelu_derivative_series(double x) {
  constexpr std::array kPieces{Piece{1, 0.375, 0}, Piece{2, 0.125, 0.25}, Piece{HUGE_VAL, 0, 0.5}};
  constexpr double kDensity = 0.3984375; // sFloat16b(0.3989423f), which cuts that down
  const double density = x == 0 ? 0 : exp_series(-x * x / 2) * x * kDensity;
  return density + std::copysign(line_table(kPieces, x), x) + 0.5;
}

/// What _init_tanh_ does, which the header does not include.
const std::string kTanhTable =
    "_sfpu_load_imm16_(0, 0x1DFF); _sfpu_load_imm16_(1, 0x481A); _sfpu_load_imm16_(2, 0xFF00)";

std::vector<LlkKernel> derivatives() {
  const LlkKernel gelu_approx{
      .name = "gelu_derivative_approx",
      .header = "gelu",
      .init = "_init_gelu_derivative_<true>()",
      .call = "_calculate_gelu_derivative_<true, 8>()",
      // A table of 6 lines.
      .dst = both_widths({.ulp = 1, .absolute = 0.0332}, {.absolute = 0.033}),
      .reference = gelu_derivative};
  const LlkKernel gelu{.name = "gelu_derivative",
                       .header = "gelu",
                       .init = "_init_gelu_derivative_<false>()",
                       .call = "_calculate_gelu_derivative_<false, 8>()",
                       // A table of 3 lines for the distribution function.
                       .dst = both_widths({.ulp = 1, .absolute = 0.035}, {.absolute = 0.035}),
                       .domain = {.text = "|x| <= 2^60",
                                  .holds = [](double x, double) { return std::abs(x) <= 0x1p60; }},
                       .reference = gelu_derivative};
  const LlkKernel tanh{.name = "tanh_derivative",
                       .header = "tanh_derivative",
                       .init = kTanhTable,
                       .call = "_calculate_tanh_derivative_<true, 0, 8>(8)",
                       // 1 - t^2 of the table of tanh, which is 0.145 off at 1.
                       .dst = both_widths({.ulp = 1, .absolute = 0.242}, {.absolute = 0.242}),
                       .reference = [](double x) { return 1 - std::tanh(x) * std::tanh(x); }};
  return {
      gelu_approx,
      // The table is rounded to 2^-24 below 2; 1 less that cancels.
      by_formula(gelu_approx, both_widths({.ulp = 1}, {.absolute = 0x1p-24}),
                 gelu_derivative_table),
      gelu,
      by_formula(gelu, both_widths({.ulp = 1, .absolute = 1.5e-7}, {.absolute = 1.5e-7}),
                 gelu_derivative_series),
      tanh,
      // Twice the rounding of the table, 2^-25, and one more.
      by_formula(tanh, both_widths({.ulp = 1}, {.absolute = 0x1p-23}),
                 [](double x) { return 1 - tanh_table(x) * tanh_table(x); }),
      {.name = "tanh_derivative_of_tanh",
       .header = "tanh_derivative",
       .init = kTanhTable,
       .call = "_calculate_tanh_derivative_<true, 1, 8>(8)",
       // One rounding of a multiply-add that keeps two bits fewer than the product has where 1
       // takes most of it away (VU 3.2).
       .dst = both_widths({.ulp = 1}, {.ulp = 0.65, .absolute = 0x1p-25}),
       .domain = {.text = "|x| <= 2^63",
                  .holds = [](double x, double) { return std::abs(x) <= 0x1p63; }},
       .reference = [](double x) { return 1 - x * x; }},
  };
}

} // namespace

std::vector<LlkKernel> llk_activations() {
  const LlkKernel celu_approx{
      .name = "celu_approx",
      .header = "activations",
      .init = "_init_exponential_<true, false, 0x3F800000>()",
      .call = "_calculate_activation_<true, ActivationType::Celu, 8>(0x40000000u, 0x3F000000u)",
      .dst = {{.format = formats::Format::FP32, .bound = {.absolute = 0.022}}},
      .domain = {.text = "2^-100 <= |x| <= 2^100",
                 .holds = [](double x,
                             double) { return std::abs(x) >= 0x1p-100 && std::abs(x) <= 0x1p100; }},
      .defect = "the approximate exponential misses the sum that aligns x / ln 2",
      .reference = [](double x) { return x < 0 ? 2 * (std::exp(x / 2) - 1) : x; }};
  LlkKernel as_is =
      by_formula(celu_approx, {{.format = formats::Format::FP32, .bound = {.ulp = 0.51}}},
                 celu_approx_formula);
  as_is.defect.clear();
  return joined(linear_units(), std::vector{celu_approx, std::move(as_is)}, silu(), derivatives());
}

} // namespace lanewise::corpus
