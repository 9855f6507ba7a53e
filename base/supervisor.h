// Processes that may misbehave: they get so much time, and nothing they start outlives them.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>

#include "base/fault.h"

namespace lanewise {

/// How a supervised process ended.
struct ProcessEnd {
  int status = 0;        ///< as waitpid() gives it
  bool was_late = false; ///< its time was over, and it was ended
  int start_error = 0;   ///< errno: what it was to run could not be started
};

/// The signal that tells a process that its time is over. One that goes on for a second is killed.
inline constexpr int kTimeIsOver = SIGTERM;

/// Forks a process that calls `body`, which does not come back unless it cannot start what it is to
/// run; it then returns the errno. A second process in between watches the time, and at the end
/// kills whatever is left of what the first has started, in whatever session it may be. So it does
/// if this process ends or gets Ctrl-C.
/// Error: BadInput if no process can be made.
Expected<ProcessEnd> run_supervised(std::chrono::milliseconds time,
                                    const std::function<int()>& body);

/// For a `body`: from here on, this process may take no more than so much address space, and no
/// file that it writes may be longer.
void limit_memory(std::uint64_t bytes);

/// The address space that this process uses, in bytes.
std::uint64_t memory_in_use();

} // namespace lanewise
