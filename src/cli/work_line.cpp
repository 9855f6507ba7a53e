#include "cli/work_line.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <string_view>

namespace lanewise::cli {

namespace {

constexpr unsigned kLogSeconds = 20; ///< between two lines of a log

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// What the signal's handler works with, which may neither allocate nor wait. There is one, as
/// there is one standard error.
struct Line {
  pid_t owner = 0; ///< whose line it is, not a process that was forked meanwhile
  bool is_terminal = false;
  std::array<char, 200> what{};
  std::size_t size = 0;
  std::optional<timer_t> timer;
  std::atomic<pid_t> writer = 0; ///< 0: none

  unsigned step() const { return is_terminal ? 1 : kLogSeconds; }
};

Line line;

/// Until it is killed, or whoever began it has ended. Calls nothing that a signal's handler may
/// not.
[[noreturn]] void write_lines() {
  ::signal(SIGINT, SIG_IGN); // the work decides what Ctrl-C means
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string_view what(line.what.data(), line.size);
  for (unsigned seconds = line.step(); ::getppid() == line.owner; seconds += line.step()) {
    std::array<char, 256> text{};
    const auto end = line.is_terminal
                         ? fmt::format_to(text.data(), "\r\033[K{}, {} s", what, seconds)
                         : fmt::format_to(text.data(), "{}, {} s\n", what, seconds);
    write_all({text.data(), static_cast<std::size_t>(end - text.data())});
    ::sleep(line.step());
  }
  ::_exit(0);
}

/// When the first line is due, in the thread that has begun it.
void make_writer(int /*signal*/) {
  const int before = errno;
  const pid_t writer = ::_Fork();
  if (writer == 0) write_lines();
  if (writer > 0) line.writer = writer;
  errno = before;
}

/// Without a timer there is no line, and the work goes on. The signal goes to this thread: the
/// system ends a writer together with the thread that has made it.
void start_timer() {
  struct sigaction action {};
  action.sa_handler = make_writer;
  action.sa_flags = SA_RESTART;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMIN;
  event._sigev_un._tid = ::gettid();
  timer_t timer{};
  if (::sigaction(SIGRTMIN, &action, nullptr) != 0 ||
      ::timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
    return;
  line.timer = timer;
  itimerspec due{};
  due.it_value.tv_sec = line.step();
  ::timer_settime(timer, 0, &due, nullptr);
}

/// No signal comes afterwards.
void stop_timer() {
  if (line.timer) ::timer_delete(*line.timer);
  line.timer.reset();
}

} // namespace

void WorkLine::begin(const std::string& what) {
  end();
  std::fflush(nullptr); // what was printed comes before the line
  line.owner = ::getpid();
  line.is_terminal = isatty(STDERR_FILENO) != 0;
  line.size = what.copy(line.what.data(), line.what.size());
  start_timer();
  has_begun_ = true;
}

void WorkLine::end() {
  if (!has_begun_) return;
  has_begun_ = false;
  if (::getpid() != line.owner) return;
  stop_timer();
  const pid_t writer = line.writer.exchange(0);
  if (writer == 0) return;
  ::kill(writer, SIGKILL);
  while (::waitpid(writer, nullptr, 0) < 0 && errno == EINTR) continue;
  if (line.is_terminal) write_all("\r\033[K");
}

} // namespace lanewise::cli
