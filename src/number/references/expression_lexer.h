// The words of an expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace lanewise::references {

struct ExpressionToken {
  enum class Kind : std::uint8_t { Number, Name, Sign, End };

  Kind kind = Kind::End;
  std::string_view text;
  std::uint32_t column = 0; ///< from 1
};

/// Numbers have at most this many characters, and exponents of at most this size.
inline constexpr std::size_t kLongestNumber = 1000;
inline constexpr long kLargestExponent = 9999;

/// The tokens of a text, with an End at the end. Error: BadInput with the column.
Expected<std::vector<ExpressionToken>> split_expression(std::string_view text);

/// A fault at a column, which the message names as well.
Unexpected expression_fault(std::uint32_t column, std::string_view message, std::string remedy);

} // namespace lanewise::references
