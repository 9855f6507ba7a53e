#include "base/line_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text_encoding.h"

namespace lanewise {

namespace {

class TextLines final : public LineSource {
 public:
  explicit TextLines(std::string text) : text_(std::move(text)) {}

  Expected<bool> next(std::string_view& line) override {
    if (position_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const auto text =
        checked(std::string_view(text_).substr(position_, end - position_), ++line_number_);
    if (!text) return Unexpected(text.error());
    line = *text;
    position_ = end + 1;
    return true;
  }

 private:
  std::string text_;
  std::size_t position_ = 0;
  std::uint32_t line_number_ = 0;
};

} // namespace

Expected<std::string_view> LineSource::checked(std::string_view line, std::uint32_t number) {
  if (number == 1) {
    const auto mark = byte_order_mark(line);
    if (!mark) return bad_input(mark.error().message, mark.error().remedy, number, 1);
    line.remove_prefix(*mark);
  }
  if (line.size() > kMaxLine) {
    return bad_input(fmt::format("line is longer than {} bytes", kMaxLine),
                     "is this a vector file?", number, 1);
  }
  if (const std::size_t at = line.find('\0'); at != std::string_view::npos) {
    return bad_input("the line has a NUL byte, which no text has", "is this a vector file?", number,
                     static_cast<std::uint32_t>(at) + 1);
  }
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::unique_ptr<LineSource> LineSource::from_text(std::string text) {
  return std::make_unique<TextLines>(std::move(text));
}

} // namespace lanewise
