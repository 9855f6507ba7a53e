// What becomes of a program on the five cores of a tile, in words.
#pragma once

#include <string>

#include "run/launch/launch.h"

namespace lanewise::cli {

/// Prints what kernels have printed, and on standard error what is wrong; true if nothing is.
/// `name` is the file that has described the program.
bool tell_outcome(const launch::LaunchOutcome& outcome, const std::string& name);

} // namespace lanewise::cli
