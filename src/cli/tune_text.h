// What 'lanewise tune' prints beside what it has found: the plain program, how far it is from a
// reference, progress.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/progress.h"
#include "cli/tune_command.h"
#include "number/references/reference.h"
#include "study/sweep/sweep.h"
#include "study/tune/tune.h"

namespace lanewise::cli {

/// Every line as a comment, so that the output is a source as it stands.
std::string as_comment(const std::string& text);

/// The largest error of the plain kernel, which is that of the tuned one, too.
Expected<sweep::UlpStatistics> errors_against(const references::Reference& reference,
                                              const tune::Plain& plain,
                                              const tune::ProofOptions& options);

/// The same against the --ref of the command; nothing where there is none.
Expected<std::optional<sweep::UlpStatistics>> asked_errors(const TuneCommand& command,
                                                           const tune::Plain& plain,
                                                           const tune::TuneOptions& options);

/// asked_errors() as a sentence; "" where there are none.
Expected<std::string> accuracy_text(const TuneCommand& command, const tune::Plain& plain,
                                    const tune::TuneOptions& options);

/// The plain program, in the form that the tuned one would have.
std::string plain_code(const LoadedProgram& loaded, const TuneCommand& command);

/// Shows progress, and ends the search after Ctrl-C. The last proof may take minutes: that it has
/// begun is said where no terminal shows it, too.
std::function<bool(const tune::TuneProgress&)> watched(ProgressLine& line);

} // namespace lanewise::cli
