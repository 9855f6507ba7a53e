// The common lines of both texts are a longest common subsequence: a table over the part between
// what both begin and end with, which is small where a file was edited.
#include "base/unified_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanewise {

namespace {

constexpr std::size_t kContext = 3; ///< lines around a change

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// A line of the diff: ' ' in both, '-' before only, '+' after only.
struct DiffLine {
  char kind;
  std::string_view text;
};

using Lines = std::vector<std::string_view>;

/// The changed part of both, by the table of common lines.
void add_changed(const Lines& before, const Lines& after, std::size_t begin, std::size_t before_end,
                 std::size_t after_end, std::vector<DiffLine>& diff) {
  const std::size_t rows = before_end - begin, columns = after_end - begin;
  std::vector<std::uint32_t> common((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
    return common[i * (columns + 1) + j];
  };
  for (std::size_t i = rows; i-- > 0;)
    for (std::size_t j = columns; j-- > 0;)
      at(i, j) = before[begin + i] == after[begin + j] ? at(i + 1, j + 1) + 1
                                                       : std::max(at(i + 1, j), at(i, j + 1));
  std::size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[begin + i] == after[begin + j]) {
      diff.push_back({' ', before[begin + i]});
      ++i, ++j;
    } else if (i < rows && (j == columns || at(i + 1, j) >= at(i, j + 1))) {
      diff.push_back({'-', before[begin + i++]});
    } else {
      diff.push_back({'+', after[begin + j++]});
    }
  }
}

std::vector<DiffLine> diff_lines(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t begin = 0, end = 0; // lines that both begin and end with
  while (begin < shorter && before[begin] == after[begin]) ++begin;
  while (end < shorter - begin && before[before.size() - 1 - end] == after[after.size() - 1 - end])
    ++end;
  std::vector<DiffLine> diff;
  for (std::size_t i = 0; i < begin; ++i) diff.push_back({' ', before[i]});
  add_changed(before, after, begin, before.size() - end, after.size() - end, diff);
  for (std::size_t i = before.size() - end; i < before.size(); ++i)
    diff.push_back({' ', before[i]});
  return diff;
}

std::string line_text(const DiffLine& line) {
  std::string text = line.kind + std::string(line.text);
  if (!line.text.ends_with('\n')) text += "\n\\ No newline at end of file\n";
  return text;
}

/// "12,5". Of no lines, the number is that of the line in front.
std::string range_text(std::size_t first, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

} // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  const std::vector<DiffLine> diff = diff_lines(lines_of(before), lines_of(after));
  const auto is_change = [](const DiffLine& line) { return line.kind != ' '; };
  std::string text;
  std::size_t line_before = 0, line_after = 0, next = 0;
  const auto pass = [&](std::size_t end) {
    for (; next < end; ++next) {
      if (diff[next].kind != '+') ++line_before;
      if (diff[next].kind != '-') ++line_after;
    }
  };
  for (std::size_t at = 0; at < diff.size(); ++at) {
    if (!is_change(diff[at])) continue;
    const std::size_t begin = std::max(next, at - std::min(at, kContext));
    std::size_t last = at; // the last change that is near enough to the one before it
    for (std::size_t i = at; i < std::min(diff.size(), last + 2 * kContext + 2); ++i)
      if (is_change(diff[i])) last = i;
    const std::size_t end = std::min(diff.size(), last + kContext + 1);
    pass(begin);
    const std::size_t first_before = line_before, first_after = line_after;
    pass(end);
    text += fmt::format("@@ -{} +{} @@\n", range_text(first_before, line_before - first_before),
                        range_text(first_after, line_after - first_after));
    for (std::size_t i = begin; i < end; ++i) text += line_text(diff[i]);
    at = end - 1;
  }
  if (text.empty()) return text;
  return fmt::format("--- a/{}\n+++ b/{}\n", path, path) + text;
}

} // namespace lanewise
