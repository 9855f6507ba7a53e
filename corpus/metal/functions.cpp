#include "corpus/metal/functions.h"

#include <algorithm>
#include <array>

namespace lanewise::lab {

namespace {

constexpr std::array kFunctions{
    // One float
    OpFunction{"abs", "abs(x)"},
    OpFunction{"negative", "-x"},
    OpFunction{"identity", "x"},
    OpFunction{"add1", "x + 1"},
    OpFunction{"square", "x * x"},
    OpFunction{"exp", "exp(x)"},
    OpFunction{"exp_fast", "exp(x)"},
    OpFunction{"exp2", "exp2(x)"},
    OpFunction{"expm1", "expm1(x)"},
    OpFunction{"log", "log(x)"},
    OpFunction{"log2", "log2(x)"},
    OpFunction{"log10", "log10(x)"},
    OpFunction{"log1p", "log1p(x)"},
    OpFunction{"sqrt", "sqrt(x)"},
    OpFunction{"rsqrt", "1 / sqrt(x)"},
    OpFunction{"recip", "1 / x"},
    OpFunction{"cbrt", "cbrt(x)"},
    OpFunction{"erf", "erf(x)"},
    OpFunction{"erfc", "erfc(x)"},
    OpFunction{"erfinv", "erfinv(x)"},
    OpFunction{"sin", "sin(x)"},
    OpFunction{"cos", "cos(x)"},
    OpFunction{"tan", "tan(x)"},
    OpFunction{"asin", "asin(x)"},
    OpFunction{"acos", "acos(x)"},
    OpFunction{"atan", "atan(x)"},
    OpFunction{"sinh", "sinh(x)"},
    OpFunction{"cosh", "cosh(x)"},
    OpFunction{"asinh", "asinh(x)"},
    OpFunction{"acosh", "acosh(x)"},
    OpFunction{"atanh", "atanh(x)"},
    OpFunction{"i0", "i0(x)"},
    OpFunction{"i1", "i1(x)"},
    OpFunction{"floor", "floor(x)"},
    OpFunction{"ceil", "ceil(x)"},
    OpFunction{"trunc", "trunc(x)"},
    OpFunction{"frac", "x - trunc(x)"},
    OpFunction{"round", "round(x)"},
    OpFunction{"power", "x * x"},
    OpFunction{"power_iterative", "x * x"},
    OpFunction{"rpow", "exp2(x)"},
    OpFunction{"rdiv", "2 / x"},
    OpFunction{"add_unary", "x + 2"},
    OpFunction{"sub_unary", "x - 2"},
    OpFunction{"mul_unary", "x * 2"},
    OpFunction{"div_unary", "x * 0.5"},
    OpFunction{"rsub_unary", "2 - x"},
    OpFunction{"fill", "1.5"},
    OpFunction{"fill_bitcast", "1.5"},
    // Activations
    OpFunction{"gelu", "gelu(x)"},
    OpFunction{"gelu_fast", "gelu(x)"},
    OpFunction{"gelu_derivative", "erfc(-x / sqrt(2)) / 2 + x * exp(-x * x / 2) / sqrt(2 * pi)"},
    OpFunction{"tanh", "tanh(x)"},
    OpFunction{"tanh_derivative", "1 / (cosh(x) * cosh(x))"},
    OpFunction{"tanh_derivative_lut", "1 / (cosh(x) * cosh(x))"},
    OpFunction{"tanhshrink", "x - tanh(x)"},
    OpFunction{"sigmoid", "sigmoid(x)"},
    OpFunction{"sigmoid_appx", "sigmoid(x)"},
    OpFunction{"silu", "silu(x)"},
    OpFunction{"mish", "mish(x)"},
    OpFunction{"hardmish", "x * clamp(x + 2, 0, 2) / 2"},
    OpFunction{"hardsigmoid", "clamp(x / 6 + 0.5, 0, 1)"},
    OpFunction{"softplus", "softplus(x)"},
    OpFunction{"softsign", "x / (1 + abs(x))"},
    OpFunction{"softshrink", "x > 0.5 ? x - 0.5 : x < -0.5 ? x + 0.5 : 0"},
    OpFunction{"hardshrink", "x > 0.5 || x < -0.5 ? x : 0"},
    OpFunction{"elu", "x > 0 ? x : expm1(x)"},
    OpFunction{"celu", "x > 0 ? x : expm1(x)"},
    OpFunction{"selu", "1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * expm1(x))"},
    OpFunction{"prelu", "x > 0 ? x : 0.25 * x"},
    OpFunction{"lrelu", "x > 0 ? x : 0.1 * x"},
    OpFunction{"relu_max", "clamp(x, 0, 5)"},
    OpFunction{"relu_min", "max(x, 5)"},
    OpFunction{"hardtanh", "clamp(x, -1, 1)"},
    OpFunction{"clamp", "clamp(x, -1, 1)"},
    OpFunction{"threshold", "x > 5 ? x : 10"},
    OpFunction{"heaviside", "x < 0 ? 0 : x == 0 ? 0.5 : 1"},
    // Tests
    OpFunction{"eqz", "x == 0"},
    OpFunction{"nez", "x != 0"},
    OpFunction{"ltz", "x < 0"},
    OpFunction{"gtz", "x > 0"},
    OpFunction{"lez", "x <= 0"},
    OpFunction{"gez", "x >= 0"},
    OpFunction{"isinf", "isinf(x)"},
    OpFunction{"isposinf", "isinf(x) && x > 0"},
    OpFunction{"isneginf", "isinf(x) && x < 0"},
    OpFunction{"isnan", "isnan(x)"},
    OpFunction{"isfinite", "isfinite(x)"},
    OpFunction{"unary_eq", "x == 0.5"},
    OpFunction{"unary_ne", "x != 0.5"},
    OpFunction{"unary_lt", "x < 0.5"},
    OpFunction{"unary_gt", "x > 0.5"},
    OpFunction{"unary_le", "x <= 0.5"},
    OpFunction{"unary_ge", "x >= 0.5"},
    OpFunction{"unary_max", "max(x, 0)"},
    OpFunction{"unary_min", "min(x, 0)"},
    OpFunction{"sign", "sign(x)"},
    OpFunction{"logical_not", "x == 0"},
    // Two floats
    OpFunction{"eq_binary", "x == y"},
    OpFunction{"ne_binary", "x != y"},
    OpFunction{"lt_binary", "x < y"},
    OpFunction{"gt_binary", "x > y"},
    OpFunction{"le_binary", "x <= y"},
    OpFunction{"ge_binary", "x >= y"},
    OpFunction{"binary_max", "max(x, y)"},
    OpFunction{"binary_min", "min(x, y)"},
    OpFunction{"add_binary", "x + y"},
    OpFunction{"sub_binary", "x - y"},
    OpFunction{"rsub_binary", "y - x"},
    OpFunction{"mul_binary", "x * y"},
    OpFunction{"div_binary", "x / y"},
    OpFunction{"power_binary", "pow(x, y)"},
};

} // namespace

std::span<const OpFunction> op_functions() {
  return kFunctions;
}

const OpFunction* find_op_function(std::string_view op) {
  const auto found = std::ranges::find(kFunctions, op, &OpFunction::op);
  return found == kFunctions.end() ? nullptr : found;
}

} // namespace lanewise::lab
