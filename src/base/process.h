// Other programs: the host's compiler and what comes with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/confinement.h"
#include "base/fault.h"
#include "base/limits.h"

namespace lanewise {

/// How a program ended and what it wrote.
struct ProcessResult {
  int exit_status = 0;   ///< if no signal ended it
  int signal = 0;        ///< the signal that ended it, 0 for none
  bool was_late = false; ///< it was ended since its time was over
  std::string out;
  std::string err;

  bool succeeded() const { return exit_status == 0 && signal == 0 && !was_late; }
};

/// Runs argv[0], found through PATH, without a shell, and waits for its end. `input` is its
/// standard input. Ctrl-C ends it, too. What it prints may be as long as it may have memory. A
/// confined one finds a TMPDIR in the folder in which it may write.
/// Error: BadInput if it cannot be started.
Expected<ProcessResult> run_process(const std::vector<std::string>& argv,
                                    std::string_view input = {},
                                    const ProcessLimits& limits = kProgramLimits,
                                    const Confinement& how = {});

/// "SIGSEGV", or "signal 40" for one without a name.
std::string signal_name(int signal);

} // namespace lanewise
