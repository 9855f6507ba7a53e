// lanewise tune --max-ulp: programs within an error, and what they cost.
#pragma once

#include <optional>
#include <string>

#include "base/fault.h"
#include "cli/command_line.h"
#include "cli/program.h"
#include "study/tune/tune.h"

namespace lanewise::cli {

struct FrontCommand {
  std::optional<double> max_ulp;
  std::string svg;
  bool json = false; ///< instead of text
};

/// The option --max-ulp.
Option add_front_options(const Command& command, FrontCommand& front);

/// Whether the options fit together. `programs`: how many there are. Error: BadInput.
Expected<void> check_front(const FrontCommand& front, const tune::ProofOptions& proof, bool table,
                           std::size_t programs);

/// What is printed.
struct FrontOutput {
  std::string report; ///< text, or JSON
  std::string code;   ///< of the fastest program; empty if there is none
};

/// Searches, and writes the picture if one is wanted. Error: as tune_within() has it, BadInput for
/// the reference and where the picture cannot be written.
Expected<FrontOutput> tuned_front(const LoadedProgram& loaded, const FrontCommand& front,
                                  const tune::TuneOptions& options, const std::string& reference);

} // namespace lanewise::cli
