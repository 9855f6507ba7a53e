// lanewise tune A B C: kernels one behind the other on a tile.
#pragma once

#include <span>

#include "cli/program.h"
#include "cli/tune_command.h"
#include "study/tune/tune.h"

namespace lanewise::cli {

/// Several kernels are a chain, where neither a table nor a front of each is asked for.
bool is_chain(const TuneCommand& command);

/// Error: BadInput for options that do not go with a chain.
Expected<void> check_chain(const TuneCommand& command);

/// One chain for each chip.
ExitStatus tune_chains(std::span<const LoadedProgram> programs, std::span<const Arch> chips,
                       const TuneCommand& command, const tune::TuneOptions& options);

} // namespace lanewise::cli
