// Where the steady state is in a schedule.
#pragma once

#include <cstddef>
#include <optional>

#include "report/time/report.h"

namespace lanewise::report {

/// What a kernel repeats until its end: a row, some rows, or with --repeat the whole pass.
struct SteadyState {
  CycleRange cycles;       ///< of the second repetition; the first one follows something else
  std::size_t repeats = 0; ///< how often it is there, the first included
};

/// The steady state of the kernel itself, without init and what is around it: instructions that are
/// the same, operands aside, from somewhere in its first half to its end. Nothing if it does not
/// repeat any.
std::optional<SteadyState> steady_state(const TimeReport& timed);

} // namespace lanewise::report
