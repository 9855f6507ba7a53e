// How often pages and pictures have something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanewise::test {

inline std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

} // namespace lanewise::test
