#include "base/near_names.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

namespace lanewise {
namespace {

/// Letters to insert, remove, replace, or swap with their neighbour (optimal string alignment).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  // Distances of the first letters of `from` to those of `to`: this row, and the two before.
  std::vector<std::size_t> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before_last = std::exchange(last, std::exchange(row, std::move(before_last)));
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (same(from[i - 1], to[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped =
          i > 1 && j > 1 && same(from[i - 1], to[j - 2]) && same(from[i - 2], to[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[to.size()];
}

} // namespace

std::vector<std::string_view> near_names(std::string_view word,
                                         std::span<const std::string_view> names) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<std::size_t, std::string_view>> candidates;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(word, name);
    // Names that share less than half their letters are no help.
    if (2 * distance < std::max(word.size(), name.size())) candidates.emplace_back(distance, name);
  }
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  std::vector<std::string_view> nearest;
  for (const auto& [distance, name] : candidates) {
    if (nearest.size() == kMost) break;
    nearest.push_back(name);
  }
  return nearest;
}

} // namespace lanewise
