// The critical path of a program on many cores in time.
#pragma once

#include <cstdint>
#include <vector>

#include "report/grid/time.h"

namespace lanewise::report {

/// A stretch of the critical path: what a core did until it had not to wait for another one any
/// more.
struct PathStep {
  programs::Core core;
  std::uint64_t begin = 0, end = 0; ///< cycles
  /// Of all but the first step: the signal that the core had waited for, and since when.
  std::uint64_t waited_since = 0;
  noc::Signal signal = {};
};

/// From the beginning to the end of the core that ends last: each step begins where a signal came
/// to a core that waited for it, which the core of the step before had sent. Within a core, what
/// its five cores wait for of each other is not followed: of all that a core has waited for from
/// others, the last before it goes on counts.
std::vector<PathStep> critical_path(const GridTime& time);

} // namespace lanewise::report
