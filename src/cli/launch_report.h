// What becomes of a program on the five cores of a tile, in words.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command.h"
#include "run/launch/launch.h"

namespace lanewise::cli {

/// Random orders that --order all compares.
inline constexpr std::uint64_t kSeeds = 4;

/// Prints what kernels have printed, on standard error where standard output is JSON, and there
/// what is wrong; true if nothing is. `name` is the file that has described the program.
bool tell_outcome(const launch::LaunchOutcome& outcome, const std::string& name, bool is_json);

/// --jobs, of programs on many cores.
void add_grid_jobs_option(const Command& command, std::uint64_t& jobs);

} // namespace lanewise::cli
