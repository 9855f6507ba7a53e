#include "study/corpus/tune/header_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace lanewise::corpus {

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

Unexpected not_so(std::string why) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(why)});
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string trimmed(std::string_view text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// Where a comment, a string or a line of the preprocessor that begins here ends; `at` if none
/// does.
std::size_t end_of_aside(std::string_view text, std::size_t at, bool begins_line) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == kNowhere ? text.size() : found + end.size();
  };
  if (text.substr(at).starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (text.substr(at).starts_with("/*")) return behind("*/", at + 2);
  const char c = text[at];
  if (c == '#' && begins_line) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    while (end < text.size() && text[end - 1] == '\\')
      end = std::min(text.find('\n', end + 1), text.size());
    return end;
  }
  if (c != '"' && c != '\'') return at;
  if (c == '\'' && at > 0 && is_word(text[at - 1])) return at; // 0x3F80'0000
  for (std::size_t end = at + 1; end < text.size(); ++end) {
    if (text[end] == '\\')
      ++end;
    else if (text[end] == c)
      return end + 1;
  }
  return text.size();
}

/// Behind the bracket that closes the one at `at`; npos if none does. Angle brackets count where
/// the one at `at` is one, outside of other brackets.
std::size_t behind_bracket(std::string_view code, std::size_t at) {
  const bool has_angles = code[at] == '<';
  std::size_t depth = 0, angles = 0;
  for (; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) return kNowhere;
      --depth;
    }
    if (has_angles && depth == 0 && c == '<') ++angles;
    if (has_angles && depth == 0 && c == '>') --angles;
    if (depth == 0 && angles == 0) return at + 1;
  }
  return kNowhere;
}

/// The text between two places, cut at commas that are in no brackets.
std::vector<std::string> parts_between(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<std::string> parts;
  int depth = 0, angles = 0; // those outside of other brackets; within, they compare
  std::size_t first = begin;
  for (std::size_t at = begin; at < end; ++at) {
    const char c = text[at];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && c == '<') ++angles;
    if (depth == 0 && c == '>') --angles;
    if (c != ',' || depth != 0 || angles != 0) continue;
    parts.push_back(trimmed(text.substr(first, at - first)));
    first = at + 1;
  }
  const std::string last = trimmed(text.substr(first, end - first));
  if (!last.empty() || !parts.empty()) parts.push_back(last);
  return parts;
}

HeaderParameter parameter_of(const std::string& text) {
  HeaderParameter parameter;
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos) parameter.value = trimmed(text.substr(equals + 1));
  const std::string declared = trimmed(text.substr(0, equals));
  std::size_t begin = declared.size();
  while (begin > 0 && is_word(declared[begin - 1])) --begin;
  const std::string type = trimmed(declared.substr(0, begin));
  const bool is_named = !type.empty() && !type.ends_with("::") && !type.ends_with("<") &&
                        type != "const" && type != "unsigned" && type != "signed";
  parameter.type = is_named ? type : declared;
  if (is_named) parameter.name = declared.substr(begin);
  return parameter;
}

std::vector<HeaderParameter> parameters_between(std::string_view code, std::size_t begin,
                                                std::size_t end) {
  std::vector<HeaderParameter> parameters;
  for (const std::string& each : parts_between(code, begin, end))
    parameters.push_back(parameter_of(each));
  return parameters;
}

/// The parameters of the template that the function is of: the last one in front of it, if nothing
/// but its type stands between both.
std::vector<HeaderParameter> templates_before(std::string_view code, std::size_t name) {
  const std::size_t found = code.rfind("template", name);
  const std::size_t open = found == kNowhere ? kNowhere : code.find('<', found);
  const std::size_t behind = open < name ? behind_bracket(code, open) : kNowhere;
  if (behind == kNowhere || behind > name) return {};
  if (code.substr(behind, name - behind).find_first_of(";{}()") != kNowhere) return {};
  return parameters_between(code, open + 1, behind - 1);
}

/// The function that is defined at this name; nothing if it is called or declared there.
std::optional<HeaderFunction> function_at(std::string_view code, std::size_t at,
                                          std::string_view name) {
  const std::size_t open = skip_spaces(code, at + name.size());
  if (open >= code.size() || code[open] != '(') return std::nullopt;
  const std::size_t behind = behind_bracket(code, open);
  if (behind == kNowhere) return std::nullopt;
  const std::size_t brace = skip_spaces(code, behind);
  if (brace >= code.size() || code[brace] != '{') return std::nullopt;
  const std::size_t end = behind_bracket(code, brace);
  if (end == kNowhere) return std::nullopt;
  return HeaderFunction{.name = std::string(name),
                        .templates = templates_before(code, at),
                        .arguments = parameters_between(code, open + 1, behind - 1),
                        .open = brace,
                        .close = end - 1};
}

/// The next place of the word from there on.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = text.find(word, from); at != kNowhere; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return at;
  }
  return kNowhere;
}

} // namespace

std::string code_alone(std::string_view text) {
  std::string code(text);
  bool begins_line = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_aside(text, at, begins_line);
    if (end == at) {
      begins_line = text[at] == '\n' ||
                    (begins_line && std::isspace(static_cast<unsigned char>(text[at])) != 0);
      ++at;
      continue;
    }
    for (; at < end; ++at)
      if (code[at] != '\n') code[at] = ' ';
  }
  return code;
}

Expected<HeaderFunction> find_function(std::string_view text, std::string_view name) {
  const std::string code = code_alone(text);
  std::optional<HeaderFunction> found;
  for (std::size_t at = find_word(code, name, 0); at != kNowhere;
       at = find_word(code, name, at + 1)) {
    auto function = function_at(code, at, name);
    if (!function) continue;
    if (found) return not_so(fmt::format("its header has several functions {}", name));
    found = std::move(function);
  }
  if (!found) return not_so(fmt::format("its header does not define {}", name));
  return std::move(*found);
}

Expected<CallText> parse_call(std::string_view statement) {
  const std::string text = trimmed(statement);
  const auto other = [&] { return not_so("it is called by more than one function's call"); };
  std::size_t end = 0;
  while (end < text.size() && (is_word(text[end]) || text[end] == ':')) ++end;
  CallText call;
  call.name = text.substr(0, end);
  if (const std::size_t colon = call.name.rfind(':'); colon != std::string::npos)
    call.name.erase(0, colon + 1);
  if (call.name.empty() || end == text.size()) return other();
  if (text[end] == '<') {
    const std::size_t behind = behind_bracket(text, end);
    if (behind == kNowhere) return other();
    call.templates = parts_between(text, end + 1, behind - 1);
    end = behind;
  }
  if (end >= text.size() || text[end] != '(') return other();
  const std::size_t behind = behind_bracket(text, end);
  if (behind == kNowhere) return other();
  call.arguments = parts_between(text, end + 1, behind - 1);
  const std::string rest = trimmed(text.substr(behind));
  if (!rest.empty() && rest != ";") return other();
  return call;
}

bool has_word(std::string_view text, std::string_view word) {
  return find_word(text, word, 0) != kNowhere;
}

} // namespace lanewise::corpus
