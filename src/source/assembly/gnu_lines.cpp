#include "source/assembly/gnu_lines.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/characters.h"
#include "source/assembly/gnu.h"

namespace lanewise::assembly {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

std::size_t symbol_length(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_symbol_character);
  return static_cast<std::size_t>(end - text.begin());
}

/// Where a text in quotes that begins at `start` ends: behind its second quote, or at the line's
/// end.
std::size_t end_of_quotes(std::string_view line, std::size_t start) {
  std::size_t i = start + 1;
  while (i < line.size() && line[i] != '"') i += line[i] == '\\' ? 2 : 1;
  return std::min(i + 1, line.size());
}

/// The place of the first of some characters that stands outside of quotes and parentheses.
std::size_t find_outside(std::string_view line, char wanted) {
  unsigned depth = 0;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '"') {
      i = end_of_quotes(line, i);
      continue;
    }
    if (line[i] == '(') ++depth;
    if (line[i] == ')' && depth > 0) --depth;
    if (line[i] == wanted && depth == 0) return i;
    ++i;
  }
  return line.size();
}

std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> operands;
  text = trimmed(text);
  while (!text.empty()) {
    const std::size_t comma = find_outside(text, ',');
    operands.push_back(trimmed(text.substr(0, comma)));
    if (comma == text.size()) break;
    text.remove_prefix(comma + 1);
    if (trimmed(text).empty()) operands.push_back(text.substr(text.size()));
    text = trimmed(text);
  }
  return operands;
}

std::size_t hex_length(std::string_view text) {
  const auto end = std::ranges::find_if_not(text, is_hex_digit);
  return static_cast<std::size_t>(end - text.begin());
}

std::optional<std::uint64_t> hex_value(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

constexpr std::string_view kSectionHeading = "Disassembly of section ";

/// Whether a line begins as one of objdump's does: with an address, or as a heading of sections.
bool may_be_objdump(std::string_view line) {
  const auto first = std::ranges::find_if_not(line, is_blank);
  return first != line.end() && (is_hex_digit(*first) || *first == kSectionHeading.front());
}

} // namespace

std::optional<std::string_view> GnuLines::next() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  const std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++number_;
  return line;
}

std::string_view GnuLines::without_comments(std::string_view line) {
  if (!in_comment_ && line.find('#') == std::string_view::npos &&
      line.find('/') == std::string_view::npos)
    return line;
  std::string& text = blanked_.assign(line);
  for (std::size_t i = 0; i < line.size();) {
    const std::string_view rest = line.substr(i);
    if (in_comment_) {
      in_comment_ = !rest.starts_with("*/");
      const std::size_t length = in_comment_ ? 1 : 2;
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(i), length, ' ');
      i += length;
    } else if (rest.starts_with("/*")) {
      in_comment_ = true;
      text[i] = text[i + 1] = ' ';
      i += 2;
    } else if (rest.starts_with("#") || rest.starts_with("//")) {
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), ' ');
      break;
    } else {
      i = rest.starts_with("\"") ? end_of_quotes(line, i) : i + 1;
    }
  }
  return text;
}

GnuStatements::GnuStatements(std::string_view line, StatementParts wanted)
    : rest_(line), wanted_(wanted) {
  const std::string_view whole = trimmed(line);
  const bool at_margin = !line.empty() && !is_blank(line.front());
  if (!at_margin || !whole.ends_with(':') || whole.find('"') != std::string_view::npos) return;
  whole_label_ = trimmed(whole.substr(0, whole.size() - 1));
  rest_ = {};
}

std::optional<GnuStatement> GnuStatements::next() {
  GnuStatement statement;
  if (!whole_label_.empty()) {
    statement.labels.push_back(whole_label_);
    whole_label_ = {};
    return statement;
  }
  rest_ = trimmed(rest_);
  while (rest_.starts_with(';')) rest_ = trimmed(rest_.substr(1));
  if (rest_.empty()) return std::nullopt;
  for (std::size_t length = symbol_length(rest_); length > 0; length = symbol_length(rest_)) {
    const std::string_view behind = trimmed(rest_.substr(length));
    if (!behind.starts_with(':') || behind.starts_with("::")) break;
    statement.labels.push_back(rest_.substr(0, length));
    rest_ = trimmed(behind.substr(1));
  }
  const bool is_last = rest_.find(';') == std::string_view::npos;
  const std::string_view text = is_last ? rest_ : rest_.substr(0, find_outside(rest_, ';'));
  rest_.remove_prefix(text.size());
  const auto length = static_cast<std::size_t>(std::ranges::find_if(text, is_blank) - text.begin());
  statement.mnemonic = text.substr(0, length);
  if (wanted_ == StatementParts::All) statement.operands = operands_of(text.substr(length));
  return statement;
}

std::optional<ObjdumpLine> objdump_line(std::string_view line) {
  line = trimmed(line);
  const std::size_t length = hex_length(line);
  if (length == 0 || length == line.size() || line[length] != ':') return std::nullopt;
  const auto address = hex_value(line.substr(0, length));
  const std::string_view behind = line.substr(length + 1);
  if (!address || behind.empty() || !is_blank(behind.front())) {
    return std::nullopt;
  }
  ObjdumpLine result{
      .address = *address, .has_tab = behind.front() == '\t', .text = trimmed(behind)};
  const std::size_t digits = hex_length(result.text);
  const bool ends = digits == result.text.size() || is_blank(result.text[digits]);
  if (ends && (digits == 8 || digits == 4)) {
    result.bytes = static_cast<std::uint32_t>(*hex_value(result.text.substr(0, digits)));
    result.is_word = digits == 8;
    result.text = trimmed(result.text.substr(digits));
  }
  return result;
}

std::optional<std::string_view> objdump_symbol(std::string_view line) {
  line = trimmed(line);
  const std::size_t length = hex_length(line);
  if (length < 8 || !line.substr(length).starts_with(" <") || !line.ends_with(">:")) {
    return std::nullopt;
  }
  return line.substr(length + 2, line.size() - length - 4);
}

std::optional<std::string_view> objdump_section(std::string_view line) {
  if (!line.starts_with(kSectionHeading)) return std::nullopt;
  line = trimmed(line.substr(kSectionHeading.size()));
  return line.substr(0, line.size() - (line.ends_with(':') ? 1 : 0));
}

bool has_objdump_bytes(std::string_view source) {
  GnuLines lines(source);
  while (const auto line = lines.next()) {
    const auto listed = objdump_line(*line);
    if (listed && listed->bytes && listed->has_tab) return true;
  }
  return false;
}

bool is_objdump(std::string_view source) {
  GnuLines lines(source);
  while (const auto line = lines.next()) {
    if (!may_be_objdump(*line)) continue;
    if (objdump_section(*line) || objdump_symbol(*line)) return true;
    const auto listed = objdump_line(*line);
    if (listed && listed->bytes && listed->is_word) return true;
  }
  return false;
}

} // namespace lanewise::assembly
