// Processes that may misbehave: they get so much time, and nothing they start outlives them.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>

#include "base/confinement.h"
#include "base/fault.h"
#include "base/limits.h"

namespace lanewise {

/// How a supervised process ended.
struct ProcessEnd {
  int status = 0;        ///< as waitpid() gives it
  bool was_late = false; ///< its time was over, and it was ended
  int start_error = 0;   ///< errno: what it was to run could not be started
  bool is_confined = true;
  int attempt = -1; ///< the system call that it was not to make (base/confinement.h)
};

/// The signal that tells a process that its time is over. One that goes on for a second is killed.
inline constexpr int kTimeIsOver = SIGTERM;

/// Says to the supervisor of a process whether that waits for this program, which works for it: how
/// long it sleeps then does not count.
class HeldTime {
 public:
  HeldTime();
  HeldTime(const HeldTime&) = delete;
  HeldTime& operator=(const HeldTime&) = delete;
  ~HeldTime();

  /// Whether there is memory for it.
  bool is_made() const { return is_held_ != nullptr; }
  void hold(bool is_held) { is_held_->store(is_held); }
  bool is_held() const { return is_held_->load(); }

 private:
  std::atomic<bool>* is_held_ = nullptr; ///< in a page that both processes see
};

/// Forks a process that has these limits, is confined, and calls `body`, which does not come back
/// unless it cannot start what it is to run; it then returns the errno. A second process in between
/// watches the time, and at the end kills whatever is left of what the first has started, in
/// whatever session it may be. So it does if this process ends or gets Ctrl-C. Error: BadInput if
/// no process can be made. `held` must live as long.
Expected<ProcessEnd> run_supervised(const ProcessLimits& limits, const Confinement& how,
                                    const std::function<int()>& body,
                                    const HeldTime* held = nullptr);

/// The limits of a process that goes on with what this one has: so much memory beyond it.
ProcessLimits beyond_this_process(ProcessLimits limits);

} // namespace lanewise
