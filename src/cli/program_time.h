// What commands that run programs in time print and write of a run.
#pragma once

#include <string>

#include "cli/tile_time.h"
#include "run/grid/timed_grid.h"
#include "source/programs/program.h"

namespace lanewise::cli {

/// How a program on so many cores is to run in time: `how` for the run on the host. Its processor
/// time, which is that of each core, counts from now.
grid::TimedSettings timed_settings(const TileTimeOptions& options,
                                   const launch::LaunchSettings& how, std::size_t cores);

struct TimedProgramReport {
  std::string name;             ///< of the file that has described the program
  bool has_own_headers = false; ///< kernels include Lanewise's own
  bool is_json = false;         ///< on standard output; else text
  bool is_line = false;         ///< JSON in one line, as one of several
  std::size_t number = 1; ///< of the program: files of others than the first have it in their names
};

/// Prints the report, and writes trace and page. `host`: the run on the host. Error: BadInput.
Expected<void> tell_program_time(const TileTimeOptions& options, const programs::Program& program,
                                 const launch::LaunchOutcome& host, grid::TimedLaunch timed,
                                 const TimedProgramReport& how);

/// "trace.json" for program 1, "trace-2.json" for program 2.
std::string numbered_file(const std::string& file, std::size_t number);

} // namespace lanewise::cli
