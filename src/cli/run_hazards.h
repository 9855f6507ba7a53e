// What 'lanewise run' says about hazards.
#pragma once

#include "run/execution/run_program.h"

namespace lanewise::cli {

using execution::HazardPolicy;

/// Prints the hazards of a program on standard error, then how much 'check' finds in it. What it
/// uses that nothing has programmed is told with its results. Returns whether it may run.
bool report_hazards(const execution::CheckedProgram& checked, HazardPolicy policy);

} // namespace lanewise::cli
