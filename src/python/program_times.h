// Programs of tt-metal in time, as Python asks for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/grid/time.h"
#include "run/grid/grid.h"

namespace lanewise::python {

/// The options of --time, with the same names.
struct TimeRequest {
  std::uint64_t tiles = 0; ///< that each core makes; 0: as many as it packs
  /// The instructions that texts show, each of which is kept; none: nothing is kept.
  std::optional<std::size_t> timeline;
  bool gathers = false;
};

struct ProgramRun {
  std::string name;
  unsigned jobs = 0;
};

struct PythonGridTime {
  report::GridTime report;
  bool has_timeline = false;
};

/// Compiles the kernels for the cores and runs them in time. Without the GIL, on the thread that
/// has given it away: Python's signals end it, with their exception set. Error: as of
/// grid::launch_in_time().
Expected<PythonGridTime> time_of(const grid::Prepared& prepared,
                                 const programs::CompileSettings& settings,
                                 const launch::LaunchOutcome& host, const TimeRequest& request,
                                 const ProgramRun& run);

} // namespace lanewise::python
