#include "docs/outputs.h"

#include <algorithm>

namespace lanewise::docs {
namespace {

bool is_any(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first != std::string::npos && line.substr(first) == kAnyLines;
}

} // namespace

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& found) {
  // As for '*' in the names of files: on a mismatch, the last kAnyLines takes one line more.
  std::size_t want = 0, have = 0;
  std::optional<std::size_t> any;
  std::size_t taken_from = 0;
  while (have < found.size()) {
    if (want < expected.size() && is_any(expected[want])) {
      any = want++;
      taken_from = have;
    } else if (want < expected.size() && expected[want] == found[have]) {
      ++want;
      ++have;
    } else if (any) {
      want = *any + 1;
      have = ++taken_from;
    } else {
      return false;
    }
  }
  return std::all_of(expected.begin() + static_cast<std::ptrdiff_t>(want), expected.end(), is_any);
}

std::optional<std::vector<std::string>> blessed(const std::vector<std::string>& expected,
                                                const std::vector<std::string>& found) {
  const auto any = std::find_if(expected.begin(), expected.end(), is_any);
  if (any == expected.end()) return found;
  if (std::find_if(any + 1, expected.end(), is_any) != expected.end()) return std::nullopt;
  const auto before = any - expected.begin(), behind = expected.end() - any - 1;
  if (static_cast<std::ptrdiff_t>(found.size()) <= before + behind) return found;
  std::vector<std::string> result(found.begin(), found.begin() + before);
  result.push_back(*any);
  result.insert(result.end(), found.end() - behind, found.end());
  return result;
}

} // namespace lanewise::docs
