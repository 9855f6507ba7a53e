// A C++ file as a row of words and signs: enough to find predicates and functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lanewise::sfpi {

struct SourceToken {
  std::string_view text;  ///< an identifier or number, or one other character
  std::uint32_t line = 0; ///< from 1
};

/// Comments, literals and preprocessor lines are left out.
std::vector<SourceToken> source_tokens(std::string_view text);

} // namespace lanewise::sfpi
