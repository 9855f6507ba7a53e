// How often pages and pictures have something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanewise::test {

/// A picture of a page is there for wide windows and for phones.
inline constexpr std::size_t kSizes = 2;

inline std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

} // namespace lanewise::test
