#include "editor/text.h"

#include <algorithm>
#include <utility>

namespace lanewise::editor {

namespace {

constexpr std::string_view kBlanks = " \t";

/// A character at a byte of a line: its bytes, and its code units of UTF-16.
struct Character {
  std::size_t bytes;
  std::uint32_t units;
};

bool goes_on(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// A byte that begins no character of UTF-8 is one by itself.
Character character_at(std::string_view line, std::size_t byte) {
  const auto first = static_cast<unsigned char>(line[byte]);
  const std::size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  std::size_t bytes = 1;
  while (bytes < wanted && byte + bytes < line.size() && goes_on(line[byte + bytes])) ++bytes;
  return {bytes, bytes == 4 ? 2U : 1U};
}

} // namespace

nlohmann::json json_of(const Position& position) {
  return {{"line", position.line}, {"character", position.character}};
}

nlohmann::json json_of(const Range& range) {
  return {{"start", json_of(range.start)}, {"end", json_of(range.end)}};
}

Position position_of(const nlohmann::json& value) {
  return {value.at("line").get<std::uint32_t>(), value.at("character").get<std::uint32_t>()};
}

Range range_of(const nlohmann::json& value) {
  return {position_of(value.at("start")), position_of(value.at("end"))};
}

Text::Text(std::string text) : text_(std::move(text)), starts_{0} {
  for (std::size_t end = text_.find('\n'); end != std::string::npos;
       end = text_.find('\n', end + 1))
    starts_.push_back(end + 1);
}

std::string_view Text::line(std::uint32_t number) const {
  if (number >= lines()) return {};
  const std::size_t start = starts_[number];
  const std::size_t behind = number + 1 < lines() ? starts_[number + 1] - 1 : text_.size();
  std::string_view line = std::string_view(text_).substr(start, behind - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t Text::byte_of(const Position& position) const {
  const std::string_view text = line(position.line);
  std::size_t byte = 0;
  std::uint32_t units = 0;
  while (byte < text.size()) {
    const Character next = character_at(text, byte);
    units += next.units;
    if (units > position.character) break;
    byte += next.bytes;
  }
  return byte;
}

Position Text::position(std::uint32_t number, std::size_t byte) const {
  const std::string_view text = line(number);
  Position found{number, 0};
  for (std::size_t at = 0; at < text.size();) {
    const Character next = character_at(text, at);
    at += next.bytes;
    if (at > byte) break;
    found.character += next.units;
  }
  return found;
}

Range Text::range(std::uint32_t line, std::size_t first, std::size_t behind) const {
  return {position(line, first), position(line, behind)};
}

Range Text::content_of(std::uint32_t number) const {
  const std::string_view text = line(number);
  const std::size_t first = indentation(text).size();
  const std::size_t last = text.find_last_not_of(kBlanks);
  return range(number, first, last == std::string_view::npos ? first : last + 1);
}

std::string_view indentation(std::string_view line) {
  return line.substr(0, std::min(line.size(), line.find_first_not_of(kBlanks)));
}

} // namespace lanewise::editor
