// Expressions in x and y: the language of references (docs/references.md), as a tree.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "number/references/functions.h"

namespace lanewise::references {

struct ExpressionNode {
  enum class Kind : std::uint8_t { X, Y, Number, Pi, E, Infinity, NaN, Call };

  Kind kind = Kind::Number;
  std::string digits = {};                     ///< of a Number, as MPFR reads it
  const ReferenceFunction* function = nullptr; ///< of a Call
  /// Of a Call, where its operands stand in the list.
  std::array<std::size_t, kMostOperands> operands = {};
  bool is_constant = true; ///< neither x nor y is in it
  unsigned height = 1;     ///< nodes on the longest way down

  friend bool operator==(const ExpressionNode&, const ExpressionNode&) = default;
};

/// Operands stand before what uses them; the last node is the result.
struct Expression {
  std::vector<ExpressionNode> nodes;
  bool uses_y = false;

  friend bool operator==(const Expression&, const Expression&) = default;
};

/// The longest expression, in characters, and the deepest, in operations within each other.
inline constexpr std::size_t kLongestExpression = 10'000;
inline constexpr unsigned kDeepestExpression = 200;

/// Error: BadInput with the column, from 1, of the first mistake.
Expected<Expression> parse_expression(std::string_view text);

} // namespace lanewise::references
