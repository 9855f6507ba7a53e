// What becomes of a program on many cores, of what becomes of it on each.
#pragma once

#include <vector>

#include "run/launch/launch.h"
#include "source/programs/cores.h"

namespace lanewise::grid {

struct CoreOutcome {
  programs::Core core;
  launch::LaunchOutcome outcome;
};

/// Sums, and everything that was found, printed or waited for, with the core in front. The same
/// fault on many cores is one, which names them.
launch::LaunchOutcome merge_outcomes(std::vector<CoreOutcome> cores);

} // namespace lanewise::grid
