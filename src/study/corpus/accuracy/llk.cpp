// Functions of the kernels of LLK, in the words of number/references/reference.h.
//
// Domains are those of the specifications (study/corpus/llk/), whose text says the same. Kernels
// that stand there twice, once against the formula of their own tables, stand here once, against
// the function that they are meant to be.
#include "study/corpus/accuracy/corpus.h"

namespace lanewise::corpus {

namespace {

AccuracyKernel llk(const char* name, const char* reference, const char* domain = "") {
  return {.name = name, .origin = AccuracyOrigin::Llk, .reference = reference, .domain = domain};
}

AccuracyKernel llk_of_two(const char* name, const char* reference, const char* domain) {
  return {.name = name,
          .origin = AccuracyOrigin::Llk,
          .reference = reference,
          .domain = domain,
          .operands = 2};
}

/// 1 where it holds, 0 where not.
std::vector<AccuracyKernel> predicates() {
  return {
      llk("abs", "abs(x)"),
      llk("negative", "-x"),
      llk("isinf", "isinf(x)"),
      llk("isposinf", "isinf(x) && x > 0"),
      llk("isneginf", "isinf(x) && x < 0"),
      llk("isnan", "isnan(x)"),
      llk("isfinite", "isfinite(x)"),
      llk("equal_zero", "x == 0"),
      llk("not_equal_zero", "x != 0"),
      llk("less_than_zero", "x < 0"),
      llk("greater_than_equal_zero", "x >= 0"),
      llk("greater_than_zero", "x > 0"),
      llk("less_than_equal_zero", "x <= 0"),
      llk("unary_eq", "x == 3"),
      llk("unary_ne", "x != 3"),
      llk("unary_gt", "x > 3"),
      llk("unary_lt", "x < 3"),
      llk("unary_ge", "x >= 3"),
      llk("unary_le", "x <= 3"),
      llk("is_fp16_zero", "x == 0"),
  };
}

/// Limits of a number.
std::vector<AccuracyKernel> limits() {
  return {
      llk("sign", "sign(x)"),
      llk("threshold", "x <= 1.5 ? -3.25 : x"),
      llk("clamp", "clamp(x, -1.5, 2.25) + 0.75"),
      llk("hardtanh", "clamp(x, -1, 2)"),
  };
}

std::vector<AccuracyKernel> activations() {
  const char* const gelu_derivative = "erfc(-x / sqrt(2)) / 2 + x * exp(-x * x / 2) / sqrt(2 * pi)";
  return {
      llk("relu_min", "max(x, 1.5)"),
      llk("relu_max", "clamp(x, 0, 1.5)"),
      llk("lrelu", "leaky_relu(x, 0.1)"),
      llk("hardsigmoid", "clamp(x / 6 + 0.5, 0, 1)"),
      llk("sigmoid", "sigmoid(x)"),
      llk("tanh", "tanh(x)"),
      llk("cdf", "erfc(-x / sqrt(2)) / 2"),
      llk("gelu_approx", "gelu(x)"),
      llk("gelu", "gelu(x)"),
      llk("cdf_scaled_table", "gelu(x)"),
      llk("gelu_derivative_approx", gelu_derivative),
      llk("gelu_derivative", gelu_derivative, "abs(x) <= 2^60"),
      llk("celu", "x < 0 ? 2 * expm1(x / 2) : x"),
      llk("elu", "x < 0 ? 1.5 * expm1(x) : x"),
      llk("silu", "silu(x)"),
      llk("tanh_derivative", "1 - tanh(x) * tanh(x)"),
      llk("tanh_derivative_of_tanh", "1 - x * x", "abs(x) <= 2^63"),
  };
}

std::vector<AccuracyKernel> polynomials() {
  const char* const domain = "x >= 0 && x <= 8";
  return {
      llk("polyval5", "(((0.25 * x + 0.5) * x + 0.75) * x + 1.5) * x + 2", domain),
      llk("polyval7",
          "(((((0.125 * x + 0.25) * x + 0.25) * x + 0.5) * x + 0.75) * x + 1.5) * x + 2", domain),
      llk("polynomial_evaluator", "((0.25 * x + 1) * x + 1.5) * x + 2", domain),
  };
}

std::vector<AccuracyKernel> roots_and_reciprocals() {
  const char* const invertible = "abs(x) >= 2^(-126) && abs(x) < 2^126";
  const char* const invertible_compat = "abs(x) >= 2^(-126) && abs(x) <= 2^125";
  const char* const has_root = "x >= 2^(-124) && x <= 2^125";
  return {
      llk("square", "x * x", "abs(x) >= 2^(-63) && abs(x) < 2^64"),
      llk("recip_approx", "1 / x", invertible),
      llk("recip", "1 / x", invertible),
      llk("sqrt_compat_approx", "sqrt(x)", has_root),
      llk("sqrt_compat", "sqrt(x)", has_root),
      llk("recip_compat_approx", "1 / x", invertible_compat),
      llk("recip_compat", "1 / x", invertible_compat),
      llk("rsqrt_compat_approx", "rsqrt(x)", has_root),
      llk("rsqrt_compat", "rsqrt(x)", has_root),
      llk("sqrt_approx", "sqrt(x)"),
      llk("sqrt", "sqrt(x)"),
      llk("rsqrt_approx", "rsqrt(x)"),
      llk("rsqrt", "rsqrt(x)"),
  };
}

std::vector<AccuracyKernel> transcendental() {
  const char* const hundred = "abs(x) <= 100";
  const char* const above_one = "x >= 1 && x <= 2^63";
  const char* const has_exponential = "x >= -87 && x <= 88";
  return {
      llk("sine_approx", "sin(x)", hundred),
      llk("sine", "sin(x)", hundred),
      llk("cosine_approx", "cos(x)", hundred),
      llk("cosine", "cos(x)", hundred),
      llk("log", "log(x)", "x >= 0"),
      llk("log_with_base", "log10(x)", "x >= 0"),
      llk("log_no_init", "log(x)", "x >= 0"),
      llk("asinh_approx", "asinh(x)", "abs(x) <= 2^63"),
      llk("asinh", "asinh(x)", "abs(x) <= 2^63"),
      llk("atanh_approx", "atanh(x)"),
      llk("atanh", "atanh(x)"),
      llk("acosh_approx", "acosh(x)", above_one),
      llk("acosh", "acosh(x)", above_one),
      llk("exp_fast", "exp(x)", has_exponential),
      llk("exp_approx", "exp(x)", "x >= -42 && x <= 44"),
      llk("exp_approx_scaled", "exp(x / 2)", "x >= -84 && x <= 88"),
      llk("exp_precise", "exp(x)", "x >= -1 && x <= 1"),
      llk("exp_21f", "exp(x)", has_exponential),
      llk("exp_accurate", "exp(x)", has_exponential),
      llk("exp_accurate_by_width", "exp(x)", has_exponential),
      llk("exp_fast_scaled", "exp(x / 2)", "x >= -174 && x <= 176"),
      llk("exp_fast_unclamped", "exp(min(x, 0.7207))", has_exponential),
      llk("exp_precise_scaled_series", "exp(x / 2)", "abs(x) <= 160"),
      llk("exp2", "2^x", "x >= -125 && x <= 127"),
  };
}

/// The result of a sum is a normal number or 0, so that it is rounded and neither flushed nor
/// infinite.
std::vector<AccuracyKernel> arithmetic() {
  return {
      llk_of_two("binary_ADD", "x + y",
                 "x + y == 0 || abs(x + y) >= 2^(-126) && abs(x + y) < 2^127"),
      llk_of_two("binary_SUB", "x - y",
                 "x - y == 0 || abs(x - y) >= 2^(-126) && abs(x - y) < 2^127"),
      llk_of_two("binary_RSUB", "y - x",
                 "x - y == 0 || abs(x - y) >= 2^(-126) && abs(x - y) < 2^127"),
      llk_of_two("binary_MUL", "x * y",
                 "x * y == 0 || abs(x * y) >= 2^(-126) && abs(x * y) < 2^127"),
      llk_of_two("binary_DIV", "x / y",
                 "abs(y) >= 2^(-126) && abs(y) < 2^126 && "
                 "(x == 0 || abs(x / y) >= 2^(-126) && abs(x / y) < 2^127)"),
      llk_of_two("binary_POW", "x^y", "x >= 0.5 && x <= 2 && abs(y) <= 1"),
      llk_of_two("binary_XLOGY", "x * log(y)", ""),
      llk("trunc", "trunc(x)"),
      llk("floor", "floor(x)"),
      llk("ceil", "ceil(x)"),
      llk("round", "rint(x)"),
      llk("round_to_hundredths", "rint(x * 100) / 100",
          "abs(x * 100) <= 100000 && abs(abs(x * 100 - trunc(x * 100)) - 0.5) > 0.01"),
      llk("round_to_hundreds", "rint(x / 100) * 100",
          "abs(x / 100) <= 10000 && abs(abs(x / 100 - trunc(x / 100)) - 0.5) > 0.01"),
      llk("frac", "x - trunc(x)"),
  };
}

} // namespace

std::vector<AccuracyKernel> accuracy_llk_kernels() {
  std::vector<AccuracyKernel> all;
  for (const auto& family : {predicates(), limits(), activations(), polynomials(),
                             roots_and_reciprocals(), transcendental(), arithmetic()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

} // namespace lanewise::corpus
