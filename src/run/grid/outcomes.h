// What becomes of a program on many cores, of what becomes of it on each.
#pragma once

#include <span>

#include "run/launch/launch.h"
#include "source/programs/cores.h"

namespace lanewise::grid {

struct CoreOutcome {
  programs::Core core;
  launch::LaunchOutcome outcome;
};

/// Sums, and everything that was found, printed or waited for, with the core in front. The same
/// fault on many cores is one, which names them. Their faults are moved away.
launch::LaunchOutcome merge_outcomes(std::span<CoreOutcome> cores);

} // namespace lanewise::grid
