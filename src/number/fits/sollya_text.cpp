#include "number/fits/sollya_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/in_quotes.h"
#include "number/references/evaluation.h"

namespace lanewise::fits {

namespace {

using NodeKind = references::ExpressionNode::Kind;

/// A function with {0}, {1} and {2} for its operands, which come with parentheses. Only functions
/// that are smooth where they are defined: a polynomial has no steps and no corners.
struct Translation {
  std::string_view name, text;
};
constexpr std::array kTranslations{
    Translation{"+", "{0} + {1}"},
    Translation{"-", "{0} - {1}"},
    Translation{"*", "{0} * {1}"},
    Translation{"/", "{0} / {1}"},
    Translation{"^", "{0} ^ {1}"},
    Translation{"-x", "-{0}"},
    Translation{"pow", "{0} ^ {1}"},
    Translation{"div", "{0} / {1}"},
    Translation{"exp", "exp{0}"},
    Translation{"exp2", "2 ^ {0}"},
    Translation{"exp10", "10 ^ {0}"},
    Translation{"expm1", "expm1{0}"},
    Translation{"log", "log{0}"},
    Translation{"log2", "log2{0}"},
    Translation{"log10", "log10{0}"},
    Translation{"log1p", "log1p{0}"},
    Translation{"logaddexp", "log(exp{0} + exp{1})"},
    Translation{"sqrt", "sqrt{0}"},
    Translation{"rsqrt", "1 / sqrt{0}"},
    Translation{"cbrt", "{0} ^ (1 / 3)"},
    Translation{"reciprocal", "1 / {0}"},
    Translation{"square", "{0} ^ 2"},
    Translation{"squared_difference", "({0} - {1}) ^ 2"},
    Translation{"hypot", "sqrt({0} ^ 2 + {1} ^ 2)"},
    Translation{"ldexp", "{0} * 2 ^ {1}"},
    Translation{"lerp", "{0} + {2} * ({1} - {0})"},
    Translation{"sin", "sin{0}"},
    Translation{"cos", "cos{0}"},
    Translation{"tan", "tan{0}"},
    Translation{"asin", "asin{0}"},
    Translation{"acos", "acos{0}"},
    Translation{"atan", "atan{0}"},
    Translation{"rad2deg", "{0} * 180 / pi"},
    Translation{"deg2rad", "{0} * pi / 180"},
    Translation{"sinh", "sinh{0}"},
    Translation{"cosh", "cosh{0}"},
    Translation{"tanh", "tanh{0}"},
    Translation{"asinh", "asinh{0}"},
    Translation{"acosh", "acosh{0}"},
    Translation{"atanh", "atanh{0}"},
    Translation{"erf", "erf{0}"},
    Translation{"erfc", "erfc{0}"},
    Translation{"sigmoid", "1 / (1 + exp(-{0}))"},
    Translation{"log_sigmoid", "-log1p(exp(-{0}))"},
    Translation{"gelu", "{0} * erfc(-{0} / sqrt(2)) / 2"},
    Translation{"gelu_tanh", "{0} / (1 + exp(-sqrt(8 / pi) * ({0} + 0.044715 * {0} ^ 3)))"},
    Translation{"silu", "{0} / (1 + exp(-{0}))"},
    Translation{"mish", "{0} * tanh(log1p(exp{0}))"},
    Translation{"softplus", "log1p(exp{0})"},
    Translation{"tanhshrink", "{0} - tanh{0}"},
};

/// Longer texts come from functions within functions that name their operands several times.
constexpr std::size_t kLongestText = 100'000;

std::string known_functions() {
  std::string names;
  for (const Translation& each : kTranslations) {
    const references::ReferenceFunction* function = references::find_reference_function(each.name);
    if (function->group == references::FunctionGroup::Operator) continue;
    names += fmt::format("{}{}", names.empty() ? "" : " ", each.name);
  }
  return names;
}

Expected<std::string_view> translation_of(std::string_view name) {
  const auto* const found = std::ranges::find(kTranslations, name, &Translation::name);
  if (found != kTranslations.end()) return found->text;
  return bad_input(
      fmt::format("{} is not a function that a polynomial can be fitted to", in_quotes(name)),
      fmt::format("use + - * / ^ and {}; of a function in pieces, fit the piece",
                  known_functions()));
}

/// The operands of a call are those of `texts` that it names.
Expected<std::string> call_text(const references::ExpressionNode& node,
                                const std::vector<std::string>& texts) {
  const auto format = translation_of(node.function->name);
  if (!format) return Unexpected(format.error());
  std::array<std::string, references::kMostOperands> operands;
  for (unsigned i = 0; i < node.function->operands; ++i) operands[i] = texts[node.operands[i]];
  return "(" + fmt::format(fmt::runtime(*format), operands[0], operands[1], operands[2]) + ")";
}

/// A constant that a double has exactly, as `fp32(0.1)` and `0x1.8p3` are.
std::optional<double> exact_constant(const references::Expression& function, std::size_t index) {
  const references::ExpressionNode& node = function.nodes[index];
  const bool is_number = node.kind == NodeKind::Number || node.kind == NodeKind::Call;
  if (!node.is_constant || !is_number) return std::nullopt;
  const references::Interval value = references::evaluate_constant(function, index);
  if (!references::is_point(value) || !std::isfinite(value.low)) return std::nullopt;
  return value.low;
}

Expected<std::string> node_text(const references::Expression& function, std::size_t index,
                                const std::vector<std::string>& texts) {
  if (const auto constant = exact_constant(function, index)) return sollya_number(*constant);
  const references::ExpressionNode& node = function.nodes[index];
  switch (node.kind) {
    case NodeKind::X: return std::string("(x)");
    case NodeKind::Number: return "(" + node.digits + ")";
    case NodeKind::Pi: return std::string("(pi)");
    case NodeKind::E: return std::string("(exp(1))");
    case NodeKind::Y: return bad_input("a polynomial of y", "use x alone");
    case NodeKind::Infinity:
    case NodeKind::NaN: return bad_input("a polynomial is never infinite", "leave it out");
    case NodeKind::Call: break;
  }
  return call_text(node, texts);
}

} // namespace

std::string sollya_number(double value) {
  constexpr int kSignificand = 53;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto whole = static_cast<std::int64_t>(std::ldexp(fraction, kSignificand));
  return fmt::format("({}b{})", whole, exponent - kSignificand);
}

Expected<std::string> sollya_text(const references::Expression& function) {
  std::vector<std::string> texts;
  texts.reserve(function.nodes.size());
  std::size_t length = 0;
  for (std::size_t i = 0; i < function.nodes.size(); ++i) {
    auto text = node_text(function, i, texts);
    if (!text) return text;
    length += text->size();
    if (length > kLongestText)
      return bad_input("the expression is too long to be fitted", "write it more shortly");
    texts.push_back(std::move(*text));
  }
  return std::move(texts.back());
}

} // namespace lanewise::fits
