// What every subcommand ends with.
#pragma once

namespace lanewise::cli {

enum class ExitStatus : int {
  Success = 0,
  FoundProblem = 1, ///< ran to its end, or to Ctrl-C, and what it checks does not hold
  BadInput = 2,     ///< an option, a file or a kernel that cannot be used; nothing was written
};

/// Of a command that checks something.
constexpr ExitStatus exit_status(bool holds) {
  return holds ? ExitStatus::Success : ExitStatus::FoundProblem;
}

} // namespace lanewise::cli
