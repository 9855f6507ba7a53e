// Kernels that compute exp(x), by five algorithms.
#include <cmath>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/formulas.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

double natural_exponential(double x) {
  return std::exp(x);
}

} // namespace

std::vector<LlkKernel> llk_exponentials() {
  return {
      {.name = "exp_fast",
       .header = "exp",
       .init = "_init_exponential_<true, true, 0x3F800000>()",
       .call = "_calculate_exponential_<true, false, 8, true, false>(0x3F80)",
       // Schraudolph's method: x / ln 2 as the bits of a float, 3 % off at worst; 8 bits of
       // fraction are kept, so that bf16 loses little more.
       .dst = both_widths({.ulp = 1, .relative = 0.034}, {.relative = 0.032}),
       .domain = {.text = "-87 <= x <= 88", .holds = is_between<-87, 88>},
       .has_twin = true,
       .reference = natural_exponential},
      {.name = "exp_approx",
       .header = "exp",
       .init = "_init_exponential_<true, false, 0x3F800000>()",
       .call = "_calculate_exponential_<true, false, 8, false, false>(0x3F80)",
       // The same without the correction that centres the error. Beyond 44 the sum with 2^7 + 2^6
       // leaves [2^7, 2^8), and the formula no longer holds.
       .dst = both_widths({.ulp = 1, .relative = 0.062}, {.ulp = 1, .relative = 0.062}),
       .domain = {.text = "-42 <= x <= 44", .holds = is_between<-42, 44>},
       .reference = natural_exponential},
      {.name = "exp_approx_scaled",
       .header = "exp",
       .init = "_init_exponential_<true, false, 0x3F800000>()",
       .call = "_calculate_exponential_<true, true, 8, false, false>(0x3F00)",
       .dst = both_widths({.ulp = 1, .relative = 0.062}, {.ulp = 1, .relative = 0.062}),
       .domain = {.text = "-84 <= x <= 88", .holds = is_between<-84, 88>},
       .reference = [](double x) { return std::exp(x / 2); }},
      {.name = "exp_precise",
       .header = "exp",
       .init = "_init_exponential_<false, false, 0x3F800000>()",
       .call = "_calculate_exponential_<false, false, 8, false, false>(0x3F80)",
       // The parabola is 0.6 % off at 0.5, and the squares double that error with each power of 2.
       .dst = both_widths({.ulp = 1, .relative = 0.02}, {.ulp = 1, .relative = 0.014}),
       .domain = {.text = "-1 <= x <= 1", .holds = is_between<-1, 1>},
       .reference = natural_exponential},
      {.name = "exp_precise_series",
       .header = "exp",
       .init = "_init_exponential_<false, false, 0x3F800000>()",
       .call = "_calculate_exponential_<false, false, 8, false, false>(0x3F80)",
       // Up to 8 roundings, of which the squares double the first 7 times.
       .dst = both_widths({.ulp = 1}, {.ulp = 1, .relative = 1e-5}),
       .domain = {.text = "-80 <= x <= 80", .holds = is_between<-80, 80>},
       .reference = exp_series},
      {.name = "exp_21f",
       .header = "exp",
       .call = each_vector_is("_sfpu_exp_21f_bf16_<{FP32}>(v)"),
       // A parabola for the fraction, 0.17 % off at worst; in bf16, rounded to nearest.
       .dst = both_widths({.ulp = 0.95}, {.relative = 0.00175}),
       .domain = {.text = "-87 <= x <= 88", .holds = is_between<-87, 88>},
       .reference = natural_exponential},
      {.name = "exp_accurate",
       .header = "exp",
       .call = each_vector_is("_sfpu_exp_fp32_accurate_(v)"),
       // Reduction in two steps and powers up to r^7.
       .dst = both_widths({.ulp = 1}, {.ulp = 0.85}),
       .domain = {.text = "-87 <= x <= 88", .holds = is_between<-87, 88>},
       .reference = natural_exponential},
  };
}

} // namespace lanewise::corpus
