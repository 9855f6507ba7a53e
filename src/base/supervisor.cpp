#include "base/supervisor.h"

#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <new>
#include <system_error>
#include <vector>

#include "base/file_descriptor.h"
#include "base/processor_time.h"

namespace lanewise {

namespace {

using Clock = std::chrono::steady_clock;

/// How long a process may go on after it was asked to end.
constexpr std::chrono::seconds kGrace{1};

/// Signals that the supervisor waits for: children that end, its own parent's end, Ctrl-C.
sigset_t watched_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT}) {
    ::sigaddset(&signals, signal);
  }
  return signals;
}

/// Blocks those signals for this thread while it forks a supervisor, which would lose what comes
/// before it waits for them: until then it has the handlers of this program.
class BlockedSignals {
 public:
  BlockedSignals() {
    const sigset_t signals = watched_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

/// Page that both processes see.
class SharedEnd {
 public:
  SharedEnd() {
    void* memory = ::mmap(nullptr, sizeof(ProcessEnd), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) end_ = new (memory) ProcessEnd;
  }
  SharedEnd(const SharedEnd&) = delete;
  SharedEnd& operator=(const SharedEnd&) = delete;
  ~SharedEnd() {
    if (end_ != nullptr) ::munmap(end_, sizeof(ProcessEnd));
  }
  ProcessEnd* get() const { return end_; }

 private:
  ProcessEnd* end_ = nullptr;
};

/// A blocking waitpid().
int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// A process that this one waits for, and that may be told to stop.
class Awaited {
 public:
  Awaited(pid_t process, const std::function<bool()>& stop)
      : process_(process),
        stop_(stop),
        end_(stop ? static_cast<int>(::syscall(SYS_pidfd_open, process, 0)) : -1) {}

  /// Asks whether it is to stop, and tells it so, once.
  void ask() {
    if (was_told_ || !stop_ || !stop_()) return;
    was_told_ = true;
    ::kill(process_, SIGINT);
  }

  /// Its status; asks meanwhile.
  int wait() {
    if (!stop_) return wait_for(process_);
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0) {
      ask();
      // Where Linux has no file of a process that tells of its end, this is a sleep.
      pollfd end{.fd = end_.number(), .events = POLLIN, .revents = 0};
      ::poll(&end, 1, kBetweenAsks);
    }
    return wait_for(process_);
  }

 private:
  static constexpr int kBetweenAsks = 100; // ms
  pid_t process_;
  const std::function<bool()>& stop_;
  FileDescriptor end_;
  bool was_told_ = false;
};

// --- In the supervisor

/// Waits for a signal, but no longer than until then; 0 if none came.
int next_signal(const sigset_t& signals, Clock::duration patience) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
  const timespec timeout{.tv_sec = seconds.count(),
                         .tv_nsec = std::chrono::nanoseconds(patience - seconds).count()};
  return std::max(::sigtimedwait(&signals, nullptr, &timeout), 0);
}

/// Waits for the end of the worker; asks for it, and then sees to it, when the time is over or the
/// supervisor itself is to end.
void watch(pid_t worker, std::chrono::milliseconds time, const HeldTime* held, ProcessEnd& end) {
  const sigset_t signals = watched_signals();
  TimeBudget budget(time);
  bool was_asked = false;
  while (::waitpid(worker, &end.status, WNOHANG) == 0) {
    const int signal = next_signal(signals, budget.patience());
    if (signal == SIGCHLD) continue;
    if (held != nullptr && held->is_held() && !was_asked) budget.forgive_waiting();
    const bool is_late = signal == 0 && budget.is_used_up();
    if (signal == 0 && !is_late) continue;
    if (is_late && was_asked) {
      ::kill(worker, SIGKILL);
      end.status = wait_for(worker);
      return;
    }
    end.was_late = end.was_late || is_late;
    if (!was_asked) budget = TimeBudget(kGrace);
    was_asked = true;
    ::kill(worker, is_late ? kTimeIsOver : signal);
  }
  // The net of set_limits(), where /proc does not tell.
  if (WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGXCPU) end.was_late = true;
}

/// For good: the process may not raise the limit again.
void set_limit(__rlimit_resource resource, rlim_t most) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  limit.rlim_cur = std::min(limit.rlim_cur, most);
  limit.rlim_max = std::min(limit.rlim_max, limit.rlim_cur + 1); // SIGXCPU comes before SIGKILL
  ::setrlimit(resource, &limit);
}

/// Of memory, and of each file that the process writes. And Linux itself ends each process that
/// works much longer than all together may.
void set_limits(const ProcessLimits& limits) {
  constexpr rlim_t kNet = 2;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limits.time).count();
  set_limit(RLIMIT_CPU, static_cast<rlim_t>(seconds) + kNet);
  set_limit(RLIMIT_FSIZE, limits.memory);
  set_limit(RLIMIT_AS, limits.memory);
}

/// Kills one of what is left below the supervisor. What loses its parent becomes its child, so
/// that nothing gets away. False if there is none, or no way to know. Nothing here allocates:
/// another thread may have held the allocator's locks when this process was forked.
bool kill_a_child() {
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  std::array<char, 32> numbers{}; // the first is complete
  const ssize_t length = std::max<ssize_t>(::read(file, numbers.data(), numbers.size()), 0);
  ::close(file);
  pid_t child = 0;
  std::from_chars(numbers.data(), numbers.data() + length, child);
  return child > 0 && ::kill(child, SIGKILL) == 0;
}

void end_descendants() {
  while (kill_a_child()) ::waitpid(-1, nullptr, 0);
}

/// What a worker does before its body, and that.
[[noreturn]] void work(const ProcessLimits& limits, const Confinement& how, const sigset_t& signals,
                       const std::function<int()>& body, ProcessEnd* end) {
  // What this program ignores, or has a handler for, is not for others to know.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  ::sigprocmask(SIG_SETMASK, &signals, nullptr); // what has come meanwhile ends it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL); // of the supervisor, in whose process group it is no more
  set_limits(limits);
  end->is_confined = confine(how, &end->attempt);
  if (end->is_confined) end->start_error = body();
  ::_exit(EXIT_FAILURE);
}

/// For a process that was just forked: a supervisor of processes.
void become_supervisor(pid_t parent) {
  std::signal(SIGCHLD, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
}

/// Forks a process that is `supervisor(parent, signals)`, with the signals as they were.
template <class Supervisor>
pid_t fork_supervisor(Supervisor&& supervisor) {
  std::fflush(nullptr); // or all processes would print what is still in the buffers
  const pid_t parent = ::getpid();
  const BlockedSignals blocked;
  const pid_t process = ::fork();
  if (process == 0) std::forward<Supervisor>(supervisor)(parent, blocked.before());
  return process;
}

Unexpected not_confined() {
  return bad_input("a process for it cannot be confined",
                   "docs/security.md says what this system should give; 'lanewise --version' what "
                   "it does");
}

Unexpected no_process() {
  return bad_input("cannot make a process: " + std::generic_category().message(errno),
                   "check the limits of processes and memory");
}

[[noreturn]] void supervise(pid_t parent, const sigset_t& before, const ProcessLimits& limits,
                            const Confinement& how, const std::function<int()>& body,
                            const HeldTime* held, ProcessEnd* end) {
  become_supervisor(parent);
  const pid_t worker = ::fork();
  if (worker < 0) {
    end->start_error = errno;
    ::_exit(EXIT_FAILURE);
  }
  if (worker == 0) work(limits, how, before, body, end);
  watch(worker, limits.time, held, *end);
  end_descendants();
  ::_exit(EXIT_SUCCESS);
}

} // namespace

HeldTime::HeldTime() {
  void* memory = ::mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) is_held_ = new (memory) std::atomic<bool>(false);
}

HeldTime::~HeldTime() {
  if (is_held_ != nullptr) ::munmap(is_held_, sizeof(std::atomic<bool>));
}

Expected<ProcessEnd> run_supervised(const ProcessLimits& limits, const Confinement& how,
                                    const std::function<int()>& body,
                                    const Supervision& supervision) {
  prepare_confinement(how.policy);
  const SharedEnd shared;
  if (shared.get() == nullptr) return no_process();
  const pid_t supervisor = fork_supervisor([&](pid_t parent, const sigset_t& before) {
    supervise(parent, before, limits, how, body, supervision.held, shared.get());
  });
  if (supervisor < 0) return no_process();
  const int status = Awaited(supervisor, supervision.stop).wait();
  if (WIFSIGNALED(status)) shared.get()->status = status; // killed from outside
  if (!shared.get()->is_confined) return not_confined();
  return *shared.get();
}

// --- Groups

GroupEnds::GroupEnds(std::size_t count) : count_(count) {
  void* memory = ::mmap(nullptr, count * sizeof(End), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  ends_ = static_cast<End*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (&ends_[i]) End;
}

GroupEnds::~GroupEnds() {
  if (ends_ != nullptr) ::munmap(ends_, count_ * sizeof(End));
}

/// The process between this one and those of a group.
class GroupSupervisor {
 public:
  GroupSupervisor(const ProcessLimits& limits, const ProcessGroup& group, GroupEnds& ends)
      : limits_(limits), group_(group), ends_(ends), workers_(group.count) {}

  /// What allocates is done before the fork: another thread may hold the allocator's locks.
  void prepare() {
    for (std::size_t i = 0; i < group_.count; ++i) how_.push_back(group_.how(i));
  }

  [[noreturn]] void run(pid_t parent, const sigset_t& before) {
    become_supervisor(parent);
    for (std::size_t i = 0; i < group_.count; ++i) {
      GroupEnds::End& end = ends_.ends_[i];
      workers_[i] = ::fork();
      if (workers_[i] == 0)
        work(
            limits_, how_[i], before, [this, i] { return group_.body(i); }, &end.end);
      if (workers_[i] > 0) continue;
      end.end.start_error = errno;
      end.has_ended = true;
    }
    watch_all();
    end_descendants();
    ::_exit(EXIT_SUCCESS);
  }

 private:
  /// Whether some are left.
  bool reap() {
    bool has_some = false;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      GroupEnds::End& end = ends_.ends_[i];
      if (end.has_ended) continue;
      if (::waitpid(workers_[i], &end.end.status, WNOHANG) == 0) {
        has_some = true;
        continue;
      }
      if (WIFSIGNALED(end.end.status) && WTERMSIG(end.end.status) == SIGXCPU)
        end.end.was_late = true;
      end.has_ended = true;
    }
    return has_some;
  }

  void tell_all(int signal, bool is_late) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      GroupEnds::End& end = ends_.ends_[i];
      if (end.has_ended) continue;
      end.end.was_late = end.end.was_late || is_late;
      ::kill(workers_[i], signal);
    }
  }

  void watch_all() {
    const sigset_t signals = watched_signals();
    TimeBudget budget(limits_.time);
    bool was_asked = false;
    while (reap()) {
      const int signal = next_signal(signals, budget.patience());
      if (signal == SIGCHLD) continue;
      const bool is_late = signal == 0 && budget.is_used_up();
      if (signal == 0 && !is_late) continue;
      tell_all(was_asked && is_late ? SIGKILL : is_late ? kTimeIsOver : signal, is_late);
      if (!was_asked) budget = TimeBudget(kGrace);
      was_asked = true;
    }
  }

  const ProcessLimits& limits_;
  const ProcessGroup& group_;
  GroupEnds& ends_;
  std::vector<Confinement> how_;
  std::vector<pid_t> workers_;
};

Expected<void> run_supervised_group(
    const ProcessLimits& limits, const ProcessGroup& group, GroupEnds& ends,
    const std::function<void(const std::function<bool()>& is_watched)>& meanwhile,
    const std::function<bool()>& stop) {
  if (!ends.is_made()) return no_process();
  GroupSupervisor supervisor(limits, group, ends);
  supervisor.prepare();
  if (group.count != 0) prepare_confinement(group.how(0).policy);
  // What was freed is put in order here, and not once more in each process, in copies of its pages.
  ::malloc_trim(0);
  const pid_t process = fork_supervisor(
      [&](pid_t parent, const sigset_t& before) { supervisor.run(parent, before); });
  if (process < 0) return no_process();
  Awaited awaited(process, stop);
  meanwhile([process, &awaited] {
    awaited.ask();
    siginfo_t info{};
    const int options = WEXITED | WNOHANG | WNOWAIT;
    return ::waitid(P_PID, static_cast<id_t>(process), &info, options) == 0 && info.si_pid == 0;
  });
  awaited.wait();
  for (std::size_t i = 0; i < group.count; ++i)
    if (!ends.end_of(i).is_confined) return not_confined();
  return {};
}

ProcessLimits beyond_this_process(ProcessLimits limits) {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  limits.memory += pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limits;
}

} // namespace lanewise
