// What 'lanewise run' does about hazards.
#pragma once

#include <cstdint>
#include <string>

#include "cli/program.h"
#include "execution/tile_runner.h"

namespace lanewise::cli {

/// --hazards
enum class HazardPolicy : std::uint8_t {
  Warn,  ///< report; values are those that the program means
  Model, ///< report; values are those that the hardware would read
  Error, ///< report, and do not run
  Off    ///< do not look
};

/// Error: BadInput for another word than warn, model, error or off.
Expected<HazardPolicy> parse_hazard_policy(const std::string& text);

/// Prints the hazards of a program on standard error, then how much 'check' finds in it. What it
/// uses that nothing has programmed is told with its results. Returns whether it may run. `timed`:
/// the program on a tile of zeros.
bool report_hazards(const lab::TimedProgram& timed, const Program& program, HazardPolicy policy);

} // namespace lanewise::cli
