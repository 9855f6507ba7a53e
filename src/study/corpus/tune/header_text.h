// The functions of a kernel's header as text: where they begin and end, and their parameters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"

namespace lanewise::corpus {

/// A parameter of a template or of a function. `name` is empty where it has none.
struct HeaderParameter {
  std::string type, name, value = {}; ///< `value`: the default
};

/// A function that a header defines. Places are offsets in the header's text.
struct HeaderFunction {
  std::string name;
  std::vector<HeaderParameter> templates, arguments;
  std::size_t open = 0, close = 0; ///< the braces of its body
};

/// "name<A, B>(x, y)" in its parts.
struct CallText {
  std::string name;
  std::vector<std::string> templates, arguments;
};

/// The text with comments, strings and lines of the preprocessor blank, and as long.
std::string code_alone(std::string_view text);

/// Error: Unsupported if the header defines no function of this name, or several.
Expected<HeaderFunction> find_function(std::string_view text, std::string_view name);

/// The parts of a statement that calls one function, whose namespaces are left out. Error:
/// Unsupported if it is another one.
Expected<CallText> parse_call(std::string_view statement);

/// Whether `word` is one of the text's identifiers.
bool has_word(std::string_view text, std::string_view word);

} // namespace lanewise::corpus
