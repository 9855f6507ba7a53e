#include "cli/work_line.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

/// Until it is killed, or whoever began it has ended.
[[noreturn]] void write_lines(const std::string& what, pid_t parent) {
  ::signal(SIGINT, SIG_IGN); // the work decides what Ctrl-C means
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  const unsigned step = is_terminal ? 1 : kLogSeconds;
  for (unsigned seconds = step; ::getppid() == parent; seconds += step) {
    ::sleep(step);
    write_all(is_terminal ? fmt::format("\r\033[K{}, {} s", what, seconds)
                          : fmt::format("{}, {} s\n", what, seconds));
  }
  ::_exit(0);
}

} // namespace

void WorkLine::begin(const std::string& what) {
  end();
  std::fflush(nullptr); // or the writer has it, too
  const pid_t parent = ::getpid();
  writer_ = ::fork();
  if (writer_ == 0) write_lines(what, parent);
}

void WorkLine::end() {
  if (writer_ < 0) return;
  ::kill(writer_, SIGKILL);
  while (::waitpid(writer_, nullptr, 0) < 0 && errno == EINTR) continue;
  writer_ = -1;
  if (isatty(STDERR_FILENO) != 0) write_all("\r\033[K");
}

} // namespace lanewise::cli
