// The commands of a page in one shell, as a reader would type them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/fault.h"
#include "docs/document.h"

namespace lanewise::docs {

/// Where the samples run.
struct Stage {
  std::filesystem::path program; ///< what './lanewise' is
  std::filesystem::path source;  ///< the project; what its folders hold can be read as in docs
};

/// What each command has printed, standard output and standard error together.
struct Outcome {
  const Command* command;
  std::vector<std::string> found;
};

/// Runs the samples of a page in order, in a new folder that is gone afterwards.
/// Error: BadInput if the shell does not come to the end of the page.
Expected<std::vector<Outcome>> run_samples(const Document& document, const Stage& stage);

} // namespace lanewise::docs
