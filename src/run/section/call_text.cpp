#include "run/section/call_text.h"

namespace lanewise::section {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Behind the text that ends with `end`; nothing if that does not come.
std::optional<std::size_t> behind(std::string_view text, std::size_t from, std::string_view end) {
  const std::size_t found = text.find(end, from);
  if (found == std::string_view::npos) return std::nullopt;
  return found + end.size();
}

std::optional<std::size_t> behind_quotes(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<std::size_t> behind_literal(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest.starts_with("/*")) return behind(text, at + 2, "*/");
  if (rest.starts_with("//")) {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end;
  }
  // A ' in a number separates its digits.
  const bool is_separator = at > 0 && text[at] == '\'' && is_name_character(text[at - 1]);
  if ((text[at] == '"' || text[at] == '\'') && !is_separator) return behind_quotes(text, at);
  return at;
}

std::optional<std::size_t> behind_bracket(std::string_view text, std::size_t at) {
  std::string_view::size_type i = at;
  std::size_t depth = 0;
  while (i < text.size()) {
    const auto next = behind_literal(text, i);
    if (!next) return std::nullopt;
    if (*next != i) {
      i = *next;
      continue;
    }
    const char c = text[i++];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c != ')' && c != ']' && c != '}') continue;
    if (--depth == 0) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> behind_template_arguments(std::string_view text, std::size_t at) {
  std::size_t i = at, depth = 0;
  while (i < text.size() && text[i] != ';') {
    const auto next =
        text[i] == '(' || text[i] == '{' ? behind_bracket(text, i) : behind_literal(text, i);
    if (!next) return std::nullopt;
    if (*next != i) {
      i = *next;
      continue;
    }
    const char c = text[i++];
    if (c == '<') ++depth;
    if (c == '>' && --depth == 0) return i;
  }
  return std::nullopt;
}

std::string_view called_name(std::string_view call) {
  std::string_view name;
  for (std::size_t i = 0; i < call.size();) {
    const std::size_t first = i;
    while (i < call.size() && is_name_character(call[i])) ++i;
    if (i == first) break;
    name = call.substr(first, i - first);
    if (!call.substr(i).starts_with("::")) break;
    i += 2;
  }
  return name;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

} // namespace lanewise::section
