// The text of a document, and places in it as an editor counts them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::editor {

/// Lines from 0; columns from 0 in code units of UTF-16, as the Language Server Protocol counts.
struct Position {
  std::uint32_t line = 0, character = 0;

  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Range {
  Position start, end; ///< the end is behind the last character

  friend bool operator==(const Range&, const Range&) = default;
};

nlohmann::json json_of(const Position& position);
nlohmann::json json_of(const Range& range);

/// What a JSON object of the protocol says. Throws nlohmann::json::exception.
Position position_of(const nlohmann::json& value);
Range range_of(const nlohmann::json& value);

/// A text in UTF-8, by lines. Columns in bytes are those of the rest of this library.
class Text {
 public:
  explicit Text(std::string text);

  const std::string& all() const { return text_; }
  /// At least one: the empty line behind the last line end counts.
  std::uint32_t lines() const { return static_cast<std::uint32_t>(starts_.size()); }
  /// Without its end; empty for a line that is not there.
  std::string_view line(std::uint32_t number) const;

  /// The byte of a line where a column begins; the end of the line for a column behind it, and for
  /// one in the middle of a character where that begins.
  std::size_t byte_of(const Position& position) const;
  /// The position of a byte of a line; the end of the line for one behind it.
  Position position(std::uint32_t line, std::size_t byte) const;
  Range range(std::uint32_t line, std::size_t first, std::size_t behind) const;
  /// From the first character of a line that is no blank to the last.
  Range content_of(std::uint32_t line) const;

 private:
  std::string text_;
  std::vector<std::size_t> starts_; ///< of lines, as bytes of the text
};

/// The blanks that a line begins with.
std::string_view indentation(std::string_view line);

} // namespace lanewise::editor
