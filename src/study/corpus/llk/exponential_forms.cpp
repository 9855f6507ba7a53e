// The other forms of exp(x), and the algorithms of study/corpus/llk/exponentials.cpp against their
// formulas, which are narrower than the error of an algorithm, and hold where it is no exponential
// any more.
#include <algorithm>
#include <cmath>
#include <limits>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/formulas.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

double exponential(double x) {
  return std::exp(x);
}
double half_exponential(double x) {
  return std::exp(x / 2);
}

template <int kHighest>
LlkDomain up_to() {
  return {.text = "x <= " + std::to_string(kHighest),
          .holds = [](double x, double) { return x <= kHighest; },
          .nan_and_infinity = true};
}

// -------------------------------------------------------------------- Schraudolph's method

/// Bits 30 to 15 of the result as an integer: 256 x / ln 2, and the bias 127 * 256 less what
/// centres the error.
double schraudolph_units(double x) {
  constexpr double kPerUnit = 256 * 1.4426950408889634f, kBias = 32500.818359375;
  return kPerUnit * x + kBias;
}
/// 16 of the 31 bits of the magnitude, as a number.
double of_units(double units) {
  constexpr unsigned kShift = 15;
  return formats::value_of_bits(formats::Format::FP32, static_cast<std::uint32_t>(units) << kShift);
}

/// Numbers below -88.5 count as that, and the integer is unsigned.
double clamped_formula(double x) {
  constexpr double kLargest = 0xFFFF;
  const double units = schraudolph_units(std::max(x, -88.5));
  return of_units(std::nearbyint(std::clamp(units, 0.0, kLargest)));
}
/// Nothing is clamped but the integer, of which the sign becomes that of the result.
double unclamped_formula(double x) {
  constexpr double kLargest = 0x7FFF;
  const double units = std::nearbyint(std::clamp(schraudolph_units(x), -kLargest, kLargest));
  return std::copysign(of_units(std::abs(units)), units);
}
double unclamped_exponential(double x) {
  return std::exp(std::min(x, 0.7207)); // where the integer is 32767
}

std::vector<LlkKernel> schraudolph() {
  // Schraudolph's method: 3 % off at worst; 8 bits of fraction are kept.
  const auto method = both_widths({.ulp = 1, .relative = 0.034}, {.relative = 0.032});
  // The integer may be rounded to the other side where a multiply-add has rounded before: 1/256.
  const auto formula = both_widths({.ulp = 1}, {.relative = 0x1p-8});
  const LlkKernel clamped{.name = "exp_fast_formula",
                          .header = "exp",
                          .init = "_init_exponential_<true, true, 0x3F800000>()",
                          .call = "_calculate_exponential_<true, false, 8, true, false>(0x3F80)",
                          .dst = formula,
                          .domain = up_to<88>(),
                          .has_twin = true,
                          .reference = clamped_formula};
  LlkKernel scaled = clamped;
  scaled.name = "exp_fast_scaled";
  scaled.init = "_init_exponential_<true, true, 0x3F000000>()";
  scaled.dst = method;
  scaled.domain = {.text = "-174 <= x <= 176", .holds = is_between<-174, 176>};
  scaled.reference = half_exponential;
  const LlkKernel unclamped{
      .name = "exp_fast_unclamped",
      .header = "exp",
      .init = "_init_exponential_<true, true, 0x3F800000, false>()",
      .call = "_calculate_exponential_<true, false, 8, true, false, false>(0x3F80)",
      .dst = method,
      .domain = {.text = "-87 <= x <= 88", .holds = is_between<-87, 88>},
      .has_twin = true,
      .reference = unclamped_exponential};
  LlkKernel unclamped_formula_row = unclamped;
  unclamped_formula_row.name += "_formula";
  unclamped_formula_row.dst = formula;
  unclamped_formula_row.domain = all_but_nan();
  unclamped_formula_row.reference = unclamped_formula;
  LlkKernel whole_tile = unclamped;
  whole_tile.name = "exp_fast_unclamped_32";
  whole_tile.call = "_calculate_exponential_<true, false, 32, true, false, false>(0x3F80)";
  whole_tile.faces = sfpi::Faces::Whole;
  return {clamped, scaled, unclamped, unclamped_formula_row, whole_tile};
}

// -------------------------------------------------------------------- the other algorithms

/// A line for the fraction of x / ln 2, of which 16 bits are kept; saturated outside [-42, 89).
double line_formula(double x) {
  if (x >= 89) return std::numeric_limits<double>::infinity();
  if (x < -42) return 0;
  const double scaled = x * 1.442695f, whole = std::floor(scaled);
  return std::ldexp(1 + scaled - whole, static_cast<int>(whole));
}

std::vector<LlkKernel> approximate() {
  // 192 + x / ln 2 is rounded to 2^-16.
  const auto formula = both_widths({.ulp = 1, .relative = 0x1p-16}, {.relative = 0x1p-16});
  const LlkDomain has_formula{.text = "x <= 44, x >= 89",
                              .holds = [](double x, double) { return x <= 44 || x >= 89; },
                              .nan_and_infinity = true};
  const auto kernel = [&](const char* name, const char* arguments, LlkDomain domain,
                          NumberOfOne reference) {
    return LlkKernel{.name = name,
                     .header = "exp",
                     .init = "_init_exponential_<true, false, 0x3F800000>()",
                     .call = std::string("_calculate_exponential_<true, ") + arguments,
                     .dst = formula,
                     .domain = std::move(domain),
                     .reference = reference};
  };
  return {
      kernel("exp_approx_formula", "false, 8, false, false>(0x3F80)", has_formula, line_formula),
      kernel("exp_approx_unchecked_formula", "false, 8, false, true>(0x3F80)",
             {.text = "x <= 44", .holds = [](double x, double) { return x <= 44; }}, line_formula),
      kernel("exp_approx_scaled_formula", "true, 8, false, false>(0x3F00)", up_to<88>(),
             [](double x) { return line_formula(x / 2); }),
  };
}

/// The first powers of 2 that a float does not hold are infinite.
double to_float(double number) {
  return number > std::numeric_limits<float>::max() ? HUGE_VAL : number;
}

std::vector<LlkKernel> precise() {
  const LlkKernel scaled{.name = "exp_precise_scaled_series",
                         .header = "exp",
                         .init = "_init_exponential_<false, false, 0x3F800000>()",
                         .call = "_calculate_exponential_<false, true, 8, false, false>(0x3F00)",
                         .dst = both_widths({.ulp = 1}, {.ulp = 1, .relative = 1.1e-5}),
                         .domain = {.text = "-160 <= x <= 160", .holds = is_between<-160, 160>},
                         .reference = [](double x) { return exp_series(x / 2); }};
  // The roundings of a parabola below 2; up to SFPI 7.78, x / ln 2 is rounded before 127 is added.
  const LlkKernel line{.name = "exp_21f_formula",
                       .header = "exp",
                       .call = each_vector_is("_sfpu_exp_21f_bf16_<{FP32}>(v)"),
                       .dst = both_widths({.ulp = 0.51}, {.relative = 1.5e-5}),
                       .domain = up_to<88>(),
                       .reference = exp_21f};
  const LlkKernel accurate{.name = "exp_accurate_saturated",
                           .header = "exp",
                           .call = each_vector_is("_sfpu_exp_fp32_accurate_(v)"),
                           .dst = both_widths({.ulp = 1}, {.ulp = 0.85}),
                           .domain = all_but_nan(),
                           .reference = [](double x) { return to_float(std::exp(x)); }};
  const LlkKernel by_width{.name = "exp_accurate_by_width",
                           .header = "exp",
                           .call = each_vector_is("_sfpu_exp_accurate_<{FP32}>(v)"),
                           .dst = both_widths({.ulp = 0.95}, {.ulp = 0.85}),
                           .domain = {.text = "-87 <= x <= 88", .holds = is_between<-87, 88>},
                           .reference = exponential};
  return {scaled, line, accurate, by_width};
}

// -------------------------------------------------------------------- powers of two

std::vector<LlkKernel> base_two() {
  const LlkKernel exp2{
      .name = "exp2",
      .header = "exp2",
      .init = "_init_exp2_<true>()",
      .call = "_calculate_exp2_<true, {FP32}, 8>()",
      // exp_21f in bf16. In fp32, exp_accurate of x ln 2, which is rounded below 64: to 2^-19.
      .dst = both_widths({.ulp = 0.95}, {.relative = 4.2e-6}),
      .domain = {.text = "-125 <= x <= 127", .holds = is_between<-125, 127>},
      .reference = [](double x) { return std::exp2(x); }};
  LlkKernel formula = exp2;
  formula.name += "_formula";
  formula.dst = {{.format = formats::Format::FP32, .bound = {.ulp = 0.85}}};
  formula.reference = [](double x) {
    return std::exp(static_cast<double>(static_cast<float>(x * 0.6931471805f)));
  };
  return {exp2, formula};
}

} // namespace

std::vector<LlkKernel> llk_exponential_forms() {
  return joined(schraudolph(), approximate(), precise(), base_two());
}

} // namespace lanewise::corpus
