#include "reference/functions.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "reference/piecewise.h"
#include "reference/reference.h"

namespace lanewise::lab {
namespace {

template <class Function, std::size_t... I>
void evaluate_intervals(const IntervalBlock* operands, std::size_t count, double* low, double* high,
                        std::index_sequence<I...>) {
  const std::array<IntervalBlock, sizeof...(I)> from{operands[I]...};
  for (std::size_t i = 0; i < count; ++i) {
    const Interval result = Function{}(Interval{from[I].low[i], from[I].high[i]}...);
    low[i] = result.low;
    high[i] = result.high;
  }
}

template <class Function, std::size_t... I>
Enclosure evaluate_enclosures(const Enclosure* operands, std::index_sequence<I...>) {
  return Function{}(operands[I]...);
}

template <class Function>
constexpr unsigned operand_count() {
  if constexpr (std::is_invocable_v<Function, Interval>) {
    return 1;
  } else if constexpr (std::is_invocable_v<Function, Interval, Interval>) {
    return 2;
  } else {
    return 3;
  }
}

using Names = std::pair<std::string_view, std::string_view>;

/// A row of a generic lambda, which is instantiated for both kinds of intervals.
template <class Function>
constexpr ReferenceFunction row(FunctionGroup group, Names names, std::string_view meaning,
                                Function) {
  constexpr unsigned kOperands = operand_count<Function>();
  using Indices = std::make_index_sequence<kOperands>;
  return {
      .name = names.first,
      .another = names.second,
      .operands = kOperands,
      .group = group,
      .meaning = meaning,
      .evaluate_block =
          [](const IntervalBlock* operands, std::size_t count, double* low, double* high) {
            evaluate_intervals<Function>(operands, count, low, high, Indices{});
          },
      .evaluate =
          [](const Enclosure* operands) {
            return evaluate_enclosures<Function>(operands, Indices{});
          },
  };
}

// What follows is a table: a row is `kind` of operands, names, meaning, and the function in terms
// of x, y, z. The lambdas take any type, as only one of two or three types ever comes.
#define ONE(group, name, another, meaning, result)    \
  row(FunctionGroup::group, {name, another}, meaning, \
      []<class T>(const T& x) -> T { return result; })
#define TWO(group, name, another, meaning, result)    \
  row(FunctionGroup::group, {name, another}, meaning, \
      []<class T>(const T& x, const T& y) -> T { return result; })
#define THREE(group, name, another, meaning, result)  \
  row(FunctionGroup::group, {name, another}, meaning, \
      []<class T>(const T& x, const T& y, const T& z) -> T { return result; })

// clang-format off
constexpr std::array kFunctions{
    TWO(Operator, "+", "", "sum", x + y),
    TWO(Operator, "-", "", "difference", x - y),
    TWO(Operator, "*", "", "product", x * y),
    TWO(Operator, "/", "", "quotient", x / y),
    TWO(Operator, "^", "", "x to the power of y, as pow", pow(x, y)),
    ONE(Operator, "-x", "", "the same with the other sign", -x),
    TWO(Operator, "<", "", "1 or 0; 0 if one is a NaN", less(x, y)),
    TWO(Operator, "<=", "", "1 or 0; 0 if one is a NaN", less_equal(x, y)),
    TWO(Operator, ">", "", "1 or 0; 0 if one is a NaN", less(y, x)),
    TWO(Operator, ">=", "", "1 or 0; 0 if one is a NaN", less_equal(y, x)),
    TWO(Operator, "==", "", "1 or 0; 0 if one is a NaN; -0 is 0", equal(x, y)),
    TWO(Operator, "!=", "", "1 or 0; 1 if one is a NaN", not_equal(x, y)),
    TWO(Operator, "&&", "", "1 if both are true, that is neither 0 nor NaN", logical_and(x, y)),
    TWO(Operator, "||", "", "1 if one is true", logical_or(x, y)),
    ONE(Operator, "!", "", "1 if x is not true", logical_not(x)),
    THREE(Operator, "?:", "", "y if x is true, else z", choose(x, y, z)),

    ONE(Exponential, "exp", "", "e^x", exp(x)),
    ONE(Exponential, "exp2", "", "2^x", exp2(x)),
    ONE(Exponential, "exp10", "", "10^x", exp10(x)),
    ONE(Exponential, "expm1", "", "e^x - 1", expm1(x)),
    ONE(Exponential, "log", "", "natural logarithm", log(x)),
    ONE(Exponential, "log2", "", "logarithm to base 2", log2(x)),
    ONE(Exponential, "log10", "", "logarithm to base 10", log10(x)),
    ONE(Exponential, "log1p", "", "log(1 + x)", log1p(x)),

    ONE(Power, "sqrt", "", "square root", sqrt(x)),
    ONE(Power, "rsqrt", "", "1 / sqrt(x)", constant<T>(1) / sqrt(x)),
    ONE(Power, "cbrt", "", "cube root", cbrt(x)),
    ONE(Power, "reciprocal", "recip", "1 / x", constant<T>(1) / x),
    ONE(Power, "square", "", "x * x", square(x)),
    TWO(Power, "pow", "", "x to the power of y (IEEE 754: 1^y and x^0 are 1)", pow(x, y)),
    TWO(Power, "div", "", "x / y", x / y),
    TWO(Power, "fmod", "", "x - y * trunc(x / y), with the sign of x", remainder(x, y)),

    ONE(Trigonometric, "sin", "", "sine", sin(x)),
    ONE(Trigonometric, "cos", "", "cosine", cos(x)),
    ONE(Trigonometric, "tan", "", "tangent", tan(x)),
    ONE(Trigonometric, "asin", "", "inverse sine", asin(x)),
    ONE(Trigonometric, "acos", "", "inverse cosine", acos(x)),
    ONE(Trigonometric, "atan", "", "inverse tangent", atan(x)),

    ONE(Hyperbolic, "sinh", "", "(e^x - e^-x) / 2", sinh(x)),
    ONE(Hyperbolic, "cosh", "", "(e^x + e^-x) / 2", cosh(x)),
    ONE(Hyperbolic, "tanh", "", "sinh(x) / cosh(x)", tanh(x)),
    ONE(Hyperbolic, "asinh", "", "inverse of sinh", asinh(x)),
    ONE(Hyperbolic, "acosh", "", "inverse of cosh", acosh(x)),
    ONE(Hyperbolic, "atanh", "", "inverse of tanh", atanh(x)),

    ONE(Special, "erf", "", "error function", erf(x)),
    ONE(Special, "erfc", "", "1 - erf(x)", erfc(x)),
    ONE(Special, "erfinv", "", "inverse of erf", erfinv(x)),
    ONE(Special, "i0", "", "modified Bessel function of order 0", bessel_i0(x)),
    ONE(Special, "i1", "", "modified Bessel function of order 1", bessel_i1(x)),

    ONE(Activation, "sigmoid", "", "1 / (1 + e^-x)", sigmoid(x)),
    ONE(Activation, "gelu", "", "x erfc(-x / sqrt(2)) / 2", gelu(x)),
    ONE(Activation, "gelu_tanh", "", "x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2", gelu_tanh(x)),
    ONE(Activation, "silu", "swish", "x sigmoid(x)", silu(x)),
    ONE(Activation, "mish", "", "x tanh(softplus(x))", mish(x)),
    ONE(Activation, "softplus", "", "log(1 + e^x)", softplus(x)),
    ONE(Activation, "softsign", "", "x / (1 + |x|)", softsign(x)),
    ONE(Activation, "hardsigmoid", "", "clamp(x + 3, 0, 6) / 6", hardsigmoid(x)),
    ONE(Activation, "hardswish", "", "x hardsigmoid(x)", hardswish(x)),
    ONE(Activation, "relu", "", "max(x, 0)", relu(x)),
    TWO(Activation, "leaky_relu", "", "x if x > 0, else y x", leaky_relu(x, y)),
    TWO(Activation, "elu", "", "x if x > 0, else y expm1(x)", elu(x, y)),

    ONE(Rounding, "floor", "", "to a whole number, downward", round_down(x)),
    ONE(Rounding, "ceil", "", "upward", round_up(x)),
    ONE(Rounding, "trunc", "", "toward zero", round_to_zero(x)),
    ONE(Rounding, "round", "", "to nearest, halves away from zero", round_half_away(x)),
    ONE(Rounding, "rint", "", "to nearest, halves to even", round_half_even(x)),
    ONE(Rounding, "frac", "", "x - trunc(x)", fraction(x)),

    ONE(Selection, "abs", "", "x without its sign", absolute(x)),
    ONE(Selection, "neg", "", "-x", -x),
    ONE(Selection, "sign", "", "-1, 1, or x itself if it is a zero", sign(x)),
    TWO(Selection, "copysign", "", "x with the sign of y; of a NaN it is +", with_sign(x, y)),
    TWO(Selection, "min", "", "the smaller; -0 is below 0; NaN if one is", minimum(x, y)),
    TWO(Selection, "max", "", "the larger; -0 is below 0; NaN if one is", maximum(x, y)),
    THREE(Selection, "clamp", "", "min(max(x, y), z)", clamp(x, y, z)),
    THREE(Selection, "where", "", "x ? y : z", choose(x, y, z)),
    ONE(Selection, "step", "", "0 below 0, otherwise 1", step(x)),
    TWO(Selection, "heaviside", "", "0 below 0, 1 above, y at 0", heaviside(x, y)),

    ONE(Classification, "isnan", "", "1 or 0", is_a_nan(x)),
    ONE(Classification, "isinf", "", "1 or 0", is_infinite(x)),
    ONE(Classification, "isfinite", "", "1 or 0", is_finite(x)),

    ONE(Cast, "int32", "", "toward zero into -2^31..2^31-1; NaN is 0", saturate(x, -0x1p31, 0x1p31 - 1)),
    ONE(Cast, "uint32", "", "toward zero into 0..2^32-1; NaN is 0", saturate(x, 0, 0x1p32 - 1)),
    ONE(Cast, "int16", "", "toward zero into -2^15..2^15-1; NaN is 0", saturate(x, -0x1p15, 0x1p15 - 1)),
    ONE(Cast, "uint16", "", "toward zero into 0..2^16-1; NaN is 0", saturate(x, 0, 0x1p16 - 1)),
    ONE(Cast, "int8", "", "toward zero into -128..127; NaN is 0", saturate(x, -128, 127)),
    ONE(Cast, "uint8", "", "toward zero into 0..255; NaN is 0", saturate(x, 0, 255)),
    ONE(Cast, "fp32", "", "nearest number of the format, ties to even", in_format(x, Format::FP32)),
    ONE(Cast, "bf16", "", "the same; denormals become 0", in_format(x, Format::BF16)),
    ONE(Cast, "fp16", "", "the same, as Dst has it: ends at 131008", in_format(x, Format::FP16)),
    ONE(Cast, "tf32", "", "the same with 10 bits of mantissa", in_tf32(x)),
};
// clang-format on
#undef ONE
#undef TWO
#undef THREE

constexpr std::array<std::string_view, 11> kGroupNames{
    "operators",  "exponentials",       "powers",      "trigonometric",
    "hyperbolic", "special functions",  "activations", "rounding",
    "selection",  "classes of numbers", "casts"};

} // namespace

std::string_view group_name(FunctionGroup group) {
  return kGroupNames[static_cast<std::size_t>(group)];
}

std::span<const ReferenceFunction> reference_functions() {
  return kFunctions;
}

const ReferenceFunction* find_reference_function(std::string_view name) {
  for (const ReferenceFunction& function : kFunctions) {
    if (function.name == name || (function.another == name && !name.empty())) return &function;
  }
  return nullptr;
}

} // namespace lanewise::lab
