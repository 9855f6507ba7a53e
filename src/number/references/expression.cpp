#include "number/references/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/in_quotes.h"
#include "base/near_names.h"
#include "number/references/expression_lexer.h"

namespace lanewise::references {
namespace {

using Kind = ExpressionToken::Kind;
using NodeKind = ExpressionNode::Kind;
/// Where the node of what was parsed stands.
using Parsed = Expected<std::size_t>;

constexpr std::array<std::pair<std::string_view, NodeKind>, 6> kLeaves{{{"x", NodeKind::X},
                                                                        {"y", NodeKind::Y},
                                                                        {"pi", NodeKind::Pi},
                                                                        {"e", NodeKind::E},
                                                                        {"inf", NodeKind::Infinity},
                                                                        {"nan", NodeKind::NaN}}};

std::string advice_for(std::string_view name) {
  std::vector<std::string_view> names;
  for (const ReferenceFunction& function : reference_functions()) {
    if (function.group != FunctionGroup::Operator) names.push_back(function.name);
  }
  const auto near = near_names(name, names);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near.front());
  return "use x, y, pi, e, inf, nan, numbers, or a function such as exp";
}

/// Binary operators, loosest first; those of a level group from the left.
constexpr std::array<std::array<std::string_view, 4>, 6> kLevels{{{"||", "", "", ""},
                                                                  {"&&", "", "", ""},
                                                                  {"==", "!=", "", ""},
                                                                  {"<", "<=", ">", ">="},
                                                                  {"+", "-", "", ""},
                                                                  {"*", "/", "", ""}}};
constexpr std::size_t kEquality = 2, kOrder = 3;

class Parser {
 public:
  explicit Parser(std::vector<ExpressionToken> tokens) : tokens_(std::move(tokens)) {}

  Expected<Expression> run() {
    if (const Parsed result = conditional(); !result) return Unexpected(result.error());
    if (token().kind != Kind::End) return unexpected_token("an operator, or the end");
    return std::move(expression_);
  }

 private:
  const ExpressionToken& token() const { return tokens_[at_]; }
  bool is_sign(std::string_view sign) const {
    return token().kind == Kind::Sign && token().text == sign;
  }
  bool accept(std::string_view sign) {
    if (!is_sign(sign)) return false;
    ++at_;
    return true;
  }

  Unexpected unexpected_token(std::string_view wanted) const {
    const std::string what =
        token().kind == Kind::End ? "the expression ends" : in_quotes(token().text) + " stands";
    return expression_fault(token().column, fmt::format("{} where {} should be", what, wanted),
                            "see docs/references.md for the language");
  }

  Parsed add(ExpressionNode node, std::uint32_t column) {
    if (node.kind == NodeKind::Call) {
      for (unsigned i = 0; i < node.function->operands; ++i) {
        const ExpressionNode& operand = expression_.nodes[node.operands[i]];
        node.is_constant = node.is_constant && operand.is_constant;
        node.height = std::max(node.height, operand.height + 1);
      }
    }
    if (node.height > kDeepestExpression) return too_deep(column);
    expression_.nodes.push_back(std::move(node));
    return expression_.nodes.size() - 1;
  }

  static Unexpected too_deep(std::uint32_t column) {
    return expression_fault(
        column, fmt::format("more than {} operations within each other", kDeepestExpression),
        "make it shorter, or write the function in C++");
  }

  Parsed call(std::string_view name, std::array<std::size_t, kMostOperands> operands,
              std::uint32_t column) {
    return add(
        {.kind = NodeKind::Call, .function = find_reference_function(name), .operands = operands},
        column);
  }

  /// level ['?' conditional ':' conditional]
  Parsed conditional() {
    // What recurses without making nodes on its way down, such as parentheses, is counted here.
    if (++depth_ > kDeepestExpression) return too_deep(token().column);
    Parsed result = level(0);
    if (const std::uint32_t column = token().column; result && accept("?")) {
      result = choice(*result, column);
    }
    --depth_;
    return result;
  }

  Parsed choice(std::size_t condition, std::uint32_t column) {
    Parsed yes = conditional();
    if (!yes) return yes;
    if (!accept(":")) return unexpected_token("':'");
    Parsed no = conditional();
    if (!no) return no;
    return call("?:", {condition, *yes, *no}, column);
  }

  Parsed level(std::size_t number) {
    if (number == kLevels.size()) return unary();
    Parsed left = level(number + 1);
    bool is_first = true;
    while (left) {
      const std::uint32_t column = token().column;
      const auto* const sign = std::ranges::find_if(
          kLevels[number], [this](std::string_view s) { return !s.empty() && is_sign(s); });
      if (sign == kLevels[number].end()) return left;
      if (!is_first && (number == kEquality || number == kOrder)) return chain(column);
      is_first = false;
      ++at_;
      Parsed right = level(number + 1);
      if (!right) return right;
      left = call(*sign, {*left, *right}, column);
    }
    return left;
  }

  static Unexpected chain(std::uint32_t column) {
    return expression_fault(column, "a comparison of a comparison",
                            "write a < b && b < c, or use parentheses");
  }

  /// '-' unary | '+' unary | '!' unary | power
  Parsed unary() {
    const std::uint32_t column = token().column;
    const bool is_minus = is_sign("-"), is_not = is_sign("!");
    if (!is_minus && !is_not && !is_sign("+")) return power();
    ++at_;
    if (++depth_ > kDeepestExpression) return too_deep(column);
    Parsed operand = unary();
    --depth_;
    if (!operand || (!is_minus && !is_not)) return operand;
    return call(is_minus ? "-x" : "!", {*operand}, column);
  }

  /// primary ['^' unary]: -x^2 is -(x^2), and 2^-x^2 is 2^(-(x^2)).
  Parsed power() {
    Parsed base = primary();
    const std::uint32_t column = token().column;
    if (!base || !accept("^")) return base;
    if (++depth_ > kDeepestExpression) return too_deep(column);
    Parsed exponent = unary();
    --depth_;
    if (!exponent) return exponent;
    return call("^", {*base, *exponent}, column);
  }

  Parsed primary() {
    const ExpressionToken first = token();
    if (first.kind == Kind::Number) {
      ++at_;
      return add({.kind = NodeKind::Number, .digits = std::string(first.text)}, first.column);
    }
    if (first.kind == Kind::Name) return name();
    if (!accept("(")) return unexpected_token("a number, a name or '('");
    Parsed inner = conditional();
    if (!inner) return inner;
    if (!accept(")")) return unexpected_token("an operator or ')'");
    return inner;
  }

  Parsed name() {
    const ExpressionToken first = token();
    ++at_;
    if (is_sign("(")) return function(first);
    const auto* const leaf =
        std::ranges::find(kLeaves, first.text, &std::pair<std::string_view, NodeKind>::first);
    if (leaf == kLeaves.end()) return unknown(first);
    expression_.uses_y = expression_.uses_y || leaf->second == NodeKind::Y;
    const bool is_variable = leaf->second == NodeKind::X || leaf->second == NodeKind::Y;
    return add({.kind = leaf->second, .is_constant = !is_variable}, first.column);
  }

  static Unexpected unknown(const ExpressionToken& name) {
    if (const auto* function = find_reference_function(name.text)) {
      return expression_fault(name.column, fmt::format("{} has no operands", in_quotes(name.text)),
                              function->operands == 1 ? fmt::format("write {}(x)", name.text)
                                                      : "write them in parentheses");
    }
    return expression_fault(name.column, fmt::format("{} is not known", in_quotes(name.text)),
                            advice_for(name.text));
  }

  static Unexpected wrong_count(const ExpressionToken& name, const ReferenceFunction& function,
                                unsigned count) {
    const unsigned needed = function.needed_operands();
    const std::string wanted = needed == function.operands
                                   ? fmt::format("{}", needed)
                                   : fmt::format("{} to {}", needed, function.operands);
    return expression_fault(
        name.column, fmt::format("{} has {} operands, not {}", in_quotes(name.text), wanted, count),
        fmt::format("write {}: {}", function.usage(), function.meaning));
  }

  Parsed function(const ExpressionToken& name) {
    const ReferenceFunction* function = find_reference_function(name.text);
    if (function == nullptr) return unknown(name);
    std::array<std::size_t, kMostOperands> operands{};
    unsigned count = 0;
    for (bool more = accept("("); more; more = accept(",")) {
      Parsed operand = conditional();
      if (!operand) return operand;
      if (count < kMostOperands) operands[count] = *operand;
      ++count;
    }
    if (!accept(")")) return unexpected_token("',' or ')'");
    const unsigned needed = function->needed_operands();
    if (count < needed || count > function->operands) return wrong_count(name, *function, count);
    for (; count < function->operands; ++count) {
      Parsed left_out =
          add({.kind = NodeKind::Number, .digits = std::string(function->defaults[count])},
              name.column);
      if (!left_out) return left_out;
      operands[count] = *left_out;
    }
    return call(name.text, operands, name.column);
  }

  std::vector<ExpressionToken> tokens_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  Expression expression_;
};

} // namespace

Expected<Expression> parse_expression(std::string_view text) {
  if (text.size() > kLongestExpression) {
    return expression_fault(static_cast<std::uint32_t>(kLongestExpression + 1),
                            fmt::format("it has more than {} characters", kLongestExpression),
                            "write the function in C++");
  }
  auto tokens = split_expression(text);
  if (!tokens) return Unexpected(tokens.error());
  return Parser(std::move(*tokens)).run();
}

} // namespace lanewise::references
