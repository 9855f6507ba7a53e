// Pieces of C++ as users write them: names, brackets, quotes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace lanewise::section {

/// Whether a character may stand in a name.
constexpr bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Behind the string, the character or the comment that begins at `at`, or `at` itself. Nothing if
/// it has no end.
std::optional<std::size_t> behind_literal(std::string_view text, std::size_t at);

/// Behind the bracket that closes the one at `at`, which is (, [ or {. Nothing if it does not
/// close.
std::optional<std::size_t> behind_bracket(std::string_view text, std::size_t at);

/// Behind the template arguments that begin with the < at `at`. Nothing if they do not close before
/// a semicolon.
std::optional<std::size_t> behind_template_arguments(std::string_view text, std::size_t at);

/// The name of the function that a call calls: the last of names with :: between them. "" if it
/// begins with none.
std::string_view called_name(std::string_view call);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

} // namespace lanewise::section
