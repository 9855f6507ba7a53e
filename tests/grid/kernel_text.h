// Texts of kernels, in which a test makes the mends that are printed.
#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace lanewise::grid {

/// The number of a line in what is printed, behind some words.
inline std::size_t line_behind(const std::string& text, const std::string& words) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(words + R"((?:\S*:|line )(\d+))"))) return 0;
  return std::stoul(found[1]);
}

/// A text of which a line is replaced.
inline void change_line(std::string& text, std::size_t number, const std::regex& what,
                        const std::string& by) {
  std::size_t begin = 0;
  for (std::size_t line = 1; line < number; ++line) begin = text.find('\n', begin) + 1;
  const std::size_t end = text.find('\n', begin);
  const std::string before = text.substr(begin, end - begin);
  const std::string after = std::regex_replace(before, what, by);
  EXPECT_NE(before, after) << number;
  text.replace(begin, end - begin, after);
}

} // namespace lanewise::grid
