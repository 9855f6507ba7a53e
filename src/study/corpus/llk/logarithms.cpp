// Logarithms, and what is made of them: inverse hyperbolic functions and powers.
#include <cmath>
#include <limits>
#include <numbers>

#include "study/corpus/llk/corpus.h"
#include "study/corpus/llk/formulas.h"
#include "study/corpus/llk/specification.h"

namespace lanewise::corpus {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// -------------------------------------------------------------------- logarithms

/// log_minimax() is 0.0022 off at worst, and ln 2 = 0.69287 by 4e-4 of it. In bf16, that comes to
/// the truncation.
const std::vector<LlkDst> kLogarithm =
    both_widths({.ulp = 1.3, .absolute = 0.0065}, {.absolute = 0.0026, .relative = 0.00145});
/// log_series() is 0.0142 off where the mantissa is nearly 2, and up to 127 times ln 2 by 0.035.
constexpr LlkBound kCoarseLogarithm{.ulp = 1.3, .absolute = 0.05};
/// Against the formula: the roundings of a polynomial below 4 and of a number below 88.
constexpr LlkBound kLogarithmFormula{.ulp = 1, .absolute = 6e-7};

constexpr double kBase10 = 0.434326171875; ///< 36F3 as FP16: 1 / ln 10

std::vector<LlkKernel> logarithms() {
  // -0 is no zero: its logarithm is that of 2^-127.
  const LlkDomain domain{.text = "x >= 0, not -0",
                         .holds = [](double x, double) { return !std::signbit(x); }};
  const LlkKernel log{.name = "log",
                      .header = "log",
                      .init = "_init_log_<true>()",
                      .call = "_calculate_log_<true, false, 8>(8, 0)",
                      .dst = both_widths(kCoarseLogarithm, {.absolute = 0.05}),
                      .domain = domain,
                      .reference = [](double x) { return std::log(x); }};
  LlkKernel log10 = log;
  log10.name = "log_with_base";
  log10.call = "_calculate_log_<true, true, 8>(8, 0x36F3)";
  log10.dst = both_widths({.ulp = 1.5, .absolute = 0.022}, {.absolute = 0.022});
  log10.reference = [](double x) { return std::log10(x); };
  LlkKernel minimax = log;
  minimax.name = "log_no_init";
  minimax.init.clear();
  minimax.dst = kLogarithm;
  minimax.call = each_vector_is("_calculate_log_body_no_init_(v)");
  const auto formula_dst = both_widths(kLogarithmFormula, kLogarithmFormula);
  return {log, by_formula(log, formula_dst, log_series), log10,
          // Of a number below 88 and of its product.
          by_formula(
              log10, both_widths(kLogarithmFormula, {.ulp = 2.5, .absolute = 6e-7}),
              +[](double x) { return log_series(x) * kBase10; }),
          minimax, by_formula(minimax, formula_dst, log_minimax)};
}

// -------------------------------------------------------------------- inverse hyperbolic functions

/// Rounded to float as the kernel's numbers are: a logarithm does not end where the next one
/// begins, so that it matters on which side of a power of 2 its argument is.
double rounded(double number) {
  return static_cast<float>(number);
}

double asinh_formula(double x) {
  const double root = rounded(std::sqrt(rounded(x * x + 1)));
  return std::copysign(log_minimax(rounded(root + std::abs(x))), x);
}
double acosh_formula(double x) {
  if (x < 1) return kNoNumber;
  const double root = rounded(std::sqrt(rounded(rounded(x * x) - 1)));
  return x == 1 ? 0 : log_minimax(rounded(root + x));
}

std::vector<LlkKernel> inverse_hyperbolic() {
  const LlkDomain squarable{.text = "|x| <= 2^63",
                            .holds = [](double x, double) { return std::abs(x) <= 0x1p63; }};
  const auto kernel = [&](const std::string& name, const std::string& is_approximate,
                          NumberOfOne reference) {
    return LlkKernel{.name = name + (is_approximate == "true" ? "_approx" : ""),
                     .header = "trigonometry",
                     .init = "_init_inverse_hyperbolic_<" + is_approximate + ">()",
                     .call = "_calculate_" + name + "_<" + is_approximate + ", 8>()",
                     .dst = kLogarithm,
                     .domain = squarable,
                     .reference = reference};
  };
  const auto atanh = [](const std::string& is_approximate, std::vector<Arch> chips, LlkBound bf16,
                        LlkBound fp32) {
    return LlkKernel{.name = is_approximate == "true" ? "atanh_approx" : "atanh",
                     .header = "trigonometry",
                     .init = "_init_atanh_<" + is_approximate + ">()",
                     .call = "_calculate_atanh_<" + is_approximate + ", {FP32}, 8>()",
                     .chips = std::move(chips),
                     .dst = both_widths(bf16, fp32),
                     .domain = all_but_nan(),
                     .reference = [](double x) { return std::atanh(x); }};
  };
  const auto asinh = [](double x) { return std::asinh(x); };
  // The square root of 10 bits is 0.0009 off, which may put the argument behind a power of 2, where
  // the logarithm is 0.002 off.
  const auto ten_bits = both_widths({.ulp = 1.3, .absolute = 0.0045}, {.absolute = 0.003});
  const auto all_bits = both_widths({.ulp = 1.02, .absolute = 6e-7}, kLogarithmFormula);
  const std::vector<Arch> blackhole{Arch::Blackhole}, wormhole{Arch::Wormhole};
  return {
      kernel("asinh", "true", asinh),
      by_formula(kernel("asinh", "true", asinh), ten_bits, asinh_formula),
      kernel("asinh", "false", asinh),
      by_formula(kernel("asinh", "false", asinh), all_bits, asinh_formula),
      by_formula(kernel("acosh", "true", asinh), ten_bits, acosh_formula),
      by_formula(kernel("acosh", "false", asinh), all_bits, acosh_formula),
      // Half of a logarithm. Blackhole's reciprocal is a table of 7 bits, 0.0056 off; Wormhole's is
      // one Newton step.
      atanh("true", blackhole, {.ulp = 1.6, .absolute = 0.0065}, {.absolute = 0.004}),
      atanh("true", wormhole, {.ulp = 1.3, .absolute = 0.004}, {.absolute = 0.002}),
      // The reciprocal is rounded to bf16 for Dst of 16 bits, by 2^-9.
      atanh("false", {kArchs.begin(), kArchs.end()}, {.ulp = 1.6, .absolute = 0.005},
            {.absolute = 0.002}),
  };
}

// -------------------------------------------------------------------- powers

/// Not an integer: no power of a negative number.
bool has_no_power(double x, double y) {
  return std::signbit(x) && y != std::trunc(y);
}

double power_formula(double x, double y) {
  if (has_no_power(x, y)) return kNoNumber;
  if (x == 0) return y < 0 ? HUGE_VAL : 0;
  const double magnitude = exp_series(y * log_minimax(std::abs(x)));
  const bool is_odd = std::fmod(y, 2) != 0;
  return std::signbit(x) && is_odd ? -magnitude : magnitude;
}

LlkKernel binary(const std::string& name, std::vector<LlkInput> inputs, std::vector<LlkDst> dst,
                 LlkDomain domain, NumberOfTwo reference) {
  const std::string operation = "BinaryOp::" + name;
  return {.name = "binary_" + name,
          .header = "binary",
          .init = "_sfpu_binary_init_<true, " + operation + ">()",
          .call = "_calculate_sfpu_binary_<true, " + operation + ", 8>(0, 1, 2)",
          .dst = std::move(dst),
          .inputs = std::move(inputs),
          .outputs = {{.tile = 2}},
          .domain = std::move(domain),
          .reference = reference};
}

std::vector<LlkKernel> powers() {
  const LlkDomain small{.text = "0.5 <= x <= 2, |y| <= 1", .holds = [](double x, double y) {
                          return x >= 0.5 && x <= 2 && std::abs(y) <= 1;
                        }};
  // Of 0, not -0.
  const LlkDomain medium{.text = "|y ln x| <= 80; 0 to a power but 0",
                         .holds = [](double x, double y) {
                           if (x == 0) return !std::signbit(x) && y != 0;
                           return std::abs(y * std::log(std::abs(x))) <= 80;
                         }};
  const LlkKernel power = binary("POW", {{"every"}, {"random:1:-1:1"}},
                                 both_widths({.ulp = 1, .relative = 0.02}, {.relative = 0.02}),
                                 small, [](double x, double y) { return std::pow(x, y); });
  LlkKernel any_power = binary("POW", {{"every"}, {"random:1:-8:8"}}, {}, medium, nullptr);
  LlkKernel signed_power = binary("POW", {{"every"}, {"halves"}}, {}, medium, nullptr);
  signed_power.name += "_signed";
  // Eight squares double the rounding of the exponent, 2^-18 below 64, and add their own.
  const auto power_dst = both_widths({.ulp = 1.01}, {.relative = 2e-5});
  const auto product = [](double x, double y) {
    return std::signbit(y) ? kNoNumber : std::log(y) * x;
  };
  const LlkKernel product_of_log =
      binary("XLOGY", {{"random:1:-8:8"}, {"every"}},
             // 8 times the error of the logarithm.
             both_widths({.ulp = 3.1, .absolute = 0.4}, {.absolute = 0.4}),
             {.text = "finite, -8 <= x <= 8"}, product);
  return {
      power,
      by_formula(any_power, power_dst, power_formula),
      by_formula(signed_power, power_dst, power_formula),
      product_of_log,
      // The roundings of the logarithm and the product. In bf16 the logarithm lies in Dst for a
      // while, which cuts it down.
      by_formula(
          product_of_log, both_widths({.ulp = 3, .absolute = 5e-6}, {.ulp = 2, .absolute = 5e-6}),
          +[](double x, double y) { return std::signbit(y) ? kNoNumber : log_series(y) * x; }),
  };
}

} // namespace

std::vector<LlkKernel> llk_logarithms() {
  return joined(logarithms(), inverse_hyperbolic(), powers());
}

} // namespace lanewise::corpus
