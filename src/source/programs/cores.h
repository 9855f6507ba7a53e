// Cores as host programs name them: by column and row of the grid.
#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

namespace lanewise::programs {

/// Logical coordinates. In order, cores go row by row.
struct Core {
  unsigned x = 0, y = 0;

  friend bool operator==(const Core&, const Core&) = default;
  friend std::strong_ordering operator<=>(const Core& a, const Core& b) {
    if (const auto rows = a.y <=> b.y; rows != 0) return rows;
    return a.x <=> b.x;
  }
};

/// "(1, 2)".
std::string core_text(const Core& core);

/// A rectangle; both corners belong to it.
struct CoreRange {
  Core first, last;

  bool has(const Core& core) const {
    return core.x >= first.x && core.x <= last.x && core.y >= first.y && core.y <= last.y;
  }
  friend bool operator==(const CoreRange&, const CoreRange&) = default;
};

/// Ranges, which may meet.
using CoreSet = std::vector<CoreRange>;

inline bool has_core(const CoreSet& cores, const Core& core) {
  return std::ranges::any_of(cores, [&core](const CoreRange& range) { return range.has(core); });
}

} // namespace lanewise::programs
