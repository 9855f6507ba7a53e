// Stalls by the source line that waits: where a program loses its cycles.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>

#include "chip/timing/bounds.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// A line that waits, and for what.
struct StalledLine {
  std::uint32_t line = 0; ///< as in ProgramWord::line
  StallCause cause = StallCause::None;

  friend auto operator<=>(const StalledLine&, const StalledLine&) = default;
};

/// Cycles without an issue; with a fraction in the average pass.
using LineStalls = std::map<StalledLine, double>;

/// The instruction that waits while nothing is issued in front of instruction `issue`, as indices
/// into Schedule::issues: itself, or on Blackhole the one before, which waits inside the Vector
/// Unit and keeps it out (T4).
std::size_t waiting_issue(const Schedule& schedule, std::size_t issue);

/// Cycles without an issue, by line and cause. They add up to the visible stalls that count() gives
/// for the same selection.
LineStalls stalls_by_line(const Schedule& schedule, const MicroProgram& program,
                          Selection selection);

} // namespace lanewise::timing
