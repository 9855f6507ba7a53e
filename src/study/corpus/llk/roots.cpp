// Roots and reciprocals in all their forms.
#include <cmath>
#include <limits>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

using formats::Format;

/// What the kernels have for negative numbers, among which -0 is: NaN, of which the rounding to 16
/// bits makes infinity.
template <Format kFormat>
double or_nan(double x, double result) {
  if (!std::signbit(x)) return result;
  using Limits = std::numeric_limits<double>;
  return kFormat == Format::BF16 ? Limits::infinity() : Limits::quiet_NaN();
}
template <Format kFormat>
double root(double x) {
  return or_nan<kFormat>(x, std::sqrt(x));
}
template <Format kFormat>
double reciprocal_root(double x) {
  return or_nan<kFormat>(x, 1 / std::sqrt(x));
}

LlkKernel root_kernel(const std::string& name, const std::string& function,
                      const std::string& init_arguments, const std::string& arguments,
                      std::vector<LlkDst> dst, LlkDomain domain, NumberOfOne reference) {
  return {.name = name,
          .header = function,
          .init = "_init_" + function + "_<" + init_arguments + ">()",
          .call = "_calculate_" + function + "_<" + arguments + ">(8)",
          .dst = std::move(dst),
          .domain = std::move(domain),
          .reference = reference};
}

/// The four kernels of a function in one width of Dst.
std::vector<LlkKernel> forms(const std::string& function, const LlkDst& ten_bits,
                             const LlkDst& all_bits, NumberOfOne reference) {
  const LlkDomain number = all_but_nan();
  const LlkDomain positive{
      .text = "x >= 0, infinity",
      .holds = [](double x, double) { return !std::isnan(x) && !std::signbit(x); },
      .nan_and_infinity = true};
  const auto form = [&](const char* name, const std::string& is_approximate, const char* is_fast,
                        const LlkDst& dst, const LlkDomain& domain) {
    return root_kernel(function + name, function, is_approximate,
                       is_approximate + ", 8, {FP32}, " + is_fast, {dst}, domain, reference);
  };
  return {form("_approx", "true", "false", ten_bits, number),
          form("_approx_fast", "true", "true", ten_bits, positive),
          form("", "false", "false", all_bits, number),
          form("_fast", "false", "true", all_bits, positive)};
}

/// Kokosinski, Gepner, Moroz and others, "Fast and accurate approximation algorithms for computing
/// floating point square root" (2024): the algorithm for 10 bits and the one for 23 bits, each with
/// a rounding to nearest behind it where Dst has 16 bits.
std::vector<LlkKernel> roots() {
  constexpr Format kNarrow = Format::BF16, kWide = Format::FP32;
  const LlkDst ten_bits{.format = kNarrow, .bound = {.ulp = 0.7}};
  const LlkDst ten_bits_wide{.format = kWide, .bound = {.relative = 0.0009}};
  const LlkDst all_bits{.format = kNarrow, .bound = {.ulp = 0.51}};
  const LlkDst root_wide{.format = kWide, .bound = {.ulp = 0.9}};
  const LlkDst reciprocal_wide{.format = kWide, .bound = {.ulp = 1.05}};
  return joined(forms("sqrt", ten_bits, all_bits, root<kNarrow>),
                forms("sqrt", ten_bits_wide, root_wide, root<kWide>),
                forms("rsqrt", ten_bits, all_bits, reciprocal_root<kNarrow>),
                forms("rsqrt", ten_bits_wide, reciprocal_wide, reciprocal_root<kWide>));
}

/// The kernels of rsqrt_compat, called from elsewhere; their bounds are explained there.
std::vector<LlkKernel> legacy_forms() {
  const LlkDomain has_root{.text = "2^-124 <= x <= 2^125",
                           .holds = [](double x, double) { return x >= 0x1p-124 && x <= 0x1p125; }};
  const LlkDomain invertible{.text = "2^-126 <= |x| <= 2^125", .holds = [](double x, double) {
                               return std::abs(x) >= 0x1p-126 && std::abs(x) <= 0x1p125;
                             }};
  const auto reciprocal = [](double x) { return 1 / x; };
  const auto reciprocal_kernel = [&](const char* name, const std::string& is_approximate,
                                     std::vector<LlkDst> dst) {
    return LlkKernel{.name = name,
                     .header = "recip",
                     .init = "_init_reciprocal_<" + is_approximate + ", {FP32}, true>()",
                     .call = "_calculate_reciprocal_<" + is_approximate + ", 8, {FP32}, true>(8)",
                     .dst = std::move(dst),
                     .domain = invertible,
                     .reference = reciprocal};
  };
  return {
      root_kernel("sqrt_legacy_approx", "sqrt", "true, true", "true, 8, {FP32}, false, true",
                  both_widths({.ulp = 1, .relative = 0.061}, {.relative = 0.061}), has_root,
                  root<Format::FP32>),
      root_kernel("sqrt_legacy", "sqrt", "false, true", "false, 8, {FP32}, false, true",
                  both_widths({.ulp = 1}, {.relative = 5.6e-6}), has_root, root<Format::FP32>),
      root_kernel("rsqrt_legacy_approx", "rsqrt", "true, true", "true, 8, {FP32}, false, true",
                  both_widths({.ulp = 1, .relative = 0.062}, {.relative = 0.058}), has_root,
                  reciprocal_root<Format::FP32>),
      root_kernel("rsqrt_legacy", "rsqrt", "false, true", "false, 8, {FP32}, false, true",
                  both_widths({.ulp = 2}, {.relative = 0.0015}), has_root,
                  reciprocal_root<Format::FP32>),
      reciprocal_kernel("recip_legacy_approx", "true",
                        both_widths({.ulp = 1, .relative = 0.039}, {.relative = 0.0385})),
      reciprocal_kernel("recip_legacy", "false", both_widths({.ulp = 0.56}, {.relative = 0.0015})),
  };
}

} // namespace

std::vector<LlkKernel> llk_roots() {
  return joined(roots(), legacy_forms());
}

} // namespace lanewise::corpus
