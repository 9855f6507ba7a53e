// Processes that may misbehave: they get so much time, and nothing they start outlives them.
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
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

/// What is asked while processes run.
struct Supervision {
  const HeldTime* held = nullptr; ///< of one process
  /// Asked ten times a second in the process that waits; true: they get Ctrl-C. Needed where Ctrl-C
  /// may have come before they were there.
  std::function<bool()> stop = {};
};

/// Forks a process that has these limits, is confined, and calls `body`, which does not come back
/// unless it cannot start what it is to run; it then returns the errno. A second process in between
/// watches the time, and at the end kills whatever is left of what the first has started, in
/// whatever session it may be. So it does if this process ends or gets Ctrl-C. Error: BadInput if
/// no process can be made.
Expected<ProcessEnd> run_supervised(const ProcessLimits& limits, const Confinement& how,
                                    const std::function<int()>& body,
                                    const Supervision& supervision = {});

/// Processes that work together, of one supervisor.
struct ProcessGroup {
  std::size_t count = 0;
  /// What each of them is, and how it is confined.
  std::function<Confinement(std::size_t)> how;
  std::function<int(std::size_t)> body;
};

/// Tells, while a group runs, which of its processes have ended.
class GroupEnds {
 public:
  explicit GroupEnds(std::size_t count);
  GroupEnds(const GroupEnds&) = delete;
  GroupEnds& operator=(const GroupEnds&) = delete;
  ~GroupEnds();

  bool is_made() const { return ends_ != nullptr; }
  /// Whether the supervisor has seen its end; end_of() is final then.
  bool has_ended(std::size_t process) const { return ends_[process].has_ended.load(); }
  const ProcessEnd& end_of(std::size_t process) const { return ends_[process].end; }

 private:
  friend class GroupSupervisor;
  struct End {
    ProcessEnd end;
    std::atomic<bool> has_ended = false;
  };
  End* ends_ = nullptr; ///< in pages that all processes see
  std::size_t count_;
};

/// Forks processes as run_supervised() does, with so much processor time for all of them together,
/// and calls `meanwhile` in this one, with a function that says whether the supervisor is there,
/// and asks `stop`; once that comes back, it waits until all have ended. What is left of them is
/// killed when the time is over, or if this process ends. Error: BadInput if no process can be
/// made.
Expected<void> run_supervised_group(
    const ProcessLimits& limits, const ProcessGroup& group, GroupEnds& ends,
    const std::function<void(const std::function<bool()>& is_watched)>& meanwhile,
    const std::function<bool()>& stop = {});

/// The limits of a process that goes on with what this one has: so much memory beyond it.
ProcessLimits beyond_this_process(ProcessLimits limits);

} // namespace lanewise
