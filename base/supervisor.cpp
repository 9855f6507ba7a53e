#include "base/supervisor.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
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

// --- In the supervisor

/// Waits for a signal until the deadline; 0 if none came.
int next_signal(const sigset_t& signals, Clock::time_point deadline) {
  const auto left = std::max(deadline - Clock::now(), Clock::duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  const timespec timeout{.tv_sec = seconds.count(),
                         .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
  return std::max(::sigtimedwait(&signals, nullptr, &timeout), 0);
}

/// Waits for the end of the worker; asks for it, and then sees to it, when the time is over or the
/// supervisor itself is to end.
void watch(pid_t worker, std::chrono::milliseconds time, ProcessEnd& end) {
  const sigset_t signals = watched_signals();
  Clock::time_point deadline = Clock::now() + time;
  bool was_asked = false;
  while (::waitpid(worker, &end.status, WNOHANG) == 0) {
    const int signal = next_signal(signals, deadline);
    if (signal == SIGCHLD) continue;
    const bool is_late = signal == 0 && Clock::now() >= deadline;
    if (signal == 0 && !is_late) continue;
    if (is_late && was_asked) {
      ::kill(worker, SIGKILL);
      end.status = wait_for(worker);
      return;
    }
    end.was_late = end.was_late || is_late;
    was_asked = true;
    deadline = std::min(deadline, Clock::now()) + kGrace;
    ::kill(worker, is_late ? kTimeIsOver : signal);
  }
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

[[noreturn]] void supervise(pid_t parent, std::chrono::milliseconds time,
                            const std::function<int()>& body, ProcessEnd* end) {
  sigset_t before;
  const sigset_t signals = watched_signals();
  std::signal(SIGCHLD, SIG_DFL);
  ::sigprocmask(SIG_BLOCK, &signals, &before);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);
  const pid_t worker = ::fork();
  if (worker < 0) {
    end->start_error = errno;
    ::_exit(EXIT_FAILURE);
  }
  if (worker == 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    // What this program ignores, or has a handler for, is not for others to know.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
      std::signal(signal, SIG_DFL);
    end->start_error = body();
    ::_exit(EXIT_FAILURE);
  }
  watch(worker, time, *end);
  end_descendants();
  ::_exit(EXIT_SUCCESS);
}

} // namespace

Expected<ProcessEnd> run_supervised(std::chrono::milliseconds time,
                                    const std::function<int()>& body) {
  const SharedEnd shared;
  std::fflush(nullptr); // or all processes would print what is still in the buffers
  const pid_t parent = ::getpid();
  const pid_t supervisor = shared.get() == nullptr ? -1 : ::fork();
  if (supervisor < 0) {
    return bad_input("cannot make a process: " + std::generic_category().message(errno),
                     "check the limits of processes and memory");
  }
  if (supervisor == 0) supervise(parent, time, body, shared.get());
  const int status = wait_for(supervisor);
  if (WIFSIGNALED(status)) shared.get()->status = status; // killed from outside
  return *shared.get();
}

void limit_memory(std::uint64_t bytes) {
  for (const auto resource : {RLIMIT_AS, RLIMIT_FSIZE}) {
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
    ::setrlimit(resource, &limit);
  }
}

std::uint64_t memory_in_use() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace lanewise
