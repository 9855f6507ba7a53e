// How much processes have worked, whatever else the machine had to do meanwhile.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

namespace lanewise {

/// What a process, and all that it has started, have done so far.
struct WorkDone {
  std::chrono::milliseconds processor_time{0};
  bool is_active = false; ///< one of them works, waits for a processor or for a disk
};

/// Of a process and whatever lives below it. Nothing if /proc does not tell. Allocates nothing.
std::optional<WorkDone> work_of(pid_t process);

/// Of whatever lives below this process.
std::optional<WorkDone> work_below();

/// The time that processes have, from when this is made on: so much processor time, so much sleep
/// at a time, and kWallFactor times as much in all (base/limits.h). Allocates nothing.
class TimeBudget {
 public:
  /// Of a process and whatever lives below it; without one, of whatever lives below this process.
  explicit TimeBudget(std::chrono::milliseconds time, pid_t process = 0);

  /// Looks at what has been done. True: the time is over.
  bool is_used_up();

  /// What has passed so far was not the processes' own doing: they had to wait for this program.
  void forgive_waiting();

  /// When to look again.
  std::chrono::milliseconds patience() const;

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<WorkDone> work() const;

  std::chrono::milliseconds time_;
  pid_t process_;
  std::chrono::milliseconds before_{0}, seen_{0};
  Clock::time_point start_ = Clock::now(), last_active_ = start_;
};

/// The processor time of this process, all its threads together.
std::chrono::nanoseconds own_processor_time();

} // namespace lanewise
