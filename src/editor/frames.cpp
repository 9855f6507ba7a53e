#include "editor/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace lanewise::editor {

namespace {

constexpr std::string_view kHeaderEnd = "\r\n\r\n";
constexpr std::string_view kLength = "content-length:";

bool is_length_field(std::string_view field) {
  return field.size() >= kLength.size() &&
         std::ranges::equal(field.substr(0, kLength.size()), kLength, [](char have, char wanted) {
           return (have >= 'A' && have <= 'Z' ? static_cast<char>(have - 'A' + 'a') : have) ==
                  wanted;
         });
}

/// The length that a header gives; nothing where it gives none.
std::optional<std::size_t> content_length(std::string_view header) {
  while (!header.empty()) {
    const std::string_view field = header.substr(0, header.find("\r\n"));
    header.remove_prefix(std::min(header.size(), field.size() + 2));
    if (!is_length_field(field)) continue;
    std::string_view digits = field.substr(kLength.size());
    digits.remove_prefix(std::min(digits.size(), digits.find_first_not_of(' ')));
    std::size_t length = 0;
    const char* const behind = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), behind, length);
    if (digits.empty() || error != std::errc() || end != behind) return std::nullopt;
    return length;
  }
  return std::nullopt;
}

} // namespace

bool FrameReader::take_one(std::vector<Expected<std::string>>& out) {
  const std::size_t passed = std::min(skipped_, kept_.size());
  kept_.erase(0, passed);
  skipped_ -= passed;
  const std::size_t end = kept_.find(kHeaderEnd);
  if (std::min(end, kept_.size()) > kLargestHeader) {
    // Where the empty line is not there yet, the last bytes may be its first.
    kept_.erase(0, end != std::string::npos ? end + kHeaderEnd.size()
                                            : kept_.size() - (kHeaderEnd.size() - 1));
    out.emplace_back(bad_input("a header of a message has no end", "send Content-Length"));
    return true;
  }
  if (end == std::string::npos) return false;
  const std::size_t header = end + kHeaderEnd.size();
  const auto length = content_length(std::string_view(kept_).substr(0, end));
  if (!length || *length > kLargest) {
    kept_.erase(0, header);
    skipped_ = length.value_or(0);
    out.emplace_back(length
                         ? bad_input(fmt::format("a message has {} bytes", *length),
                                     fmt::format("send at most {}", kLargest))
                         : bad_input("a header of a message has no length", "send Content-Length"));
    return true;
  }
  if (kept_.size() - header < *length) return false;
  out.emplace_back(kept_.substr(header, *length));
  kept_.erase(0, header + *length);
  return true;
}

std::vector<Expected<std::string>> FrameReader::feed(std::string_view bytes) {
  std::vector<Expected<std::string>> out;
  kept_ += bytes;
  while (take_one(out)) {
  }
  return out;
}

std::string frame(std::string_view content) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", content.size(), content);
}

} // namespace lanewise::editor
