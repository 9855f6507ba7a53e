#include "base/process.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "base/file_descriptor.h"
#include "base/supervisor.h"

namespace lanewise {
namespace {

/// Files in memory instead of pipes: the program can neither block on a full one nor be killed by a
/// closed one, and the order of reading and writing does not matter.
FileDescriptor make_memory_file(const char* name) {
  return FileDescriptor(::memfd_create(name, MFD_CLOEXEC));
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::lseek(file, 0, SEEK_SET) == 0;
}

std::string contents(int file) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  if (::lseek(file, 0, SEEK_SET) != 0) return text;
  for (;;) {
    const ssize_t got = ::read(file, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

Unexpected start_fault(const std::string& program, int error) {
  return bad_input(
      fmt::format("cannot run '{}': {}", program, std::generic_category().message(error)),
      error == ENOENT ? "install it, or put it into a folder of PATH"
                      : "check its permissions and free memory");
}

} // namespace

Expected<ProcessResult> run_process(const std::vector<std::string>& argv, std::string_view input,
                                    const ProcessLimits& limits) {
  const FileDescriptor in = make_memory_file("lanewise-stdin");
  const FileDescriptor out = make_memory_file("lanewise-stdout");
  const FileDescriptor err = make_memory_file("lanewise-stderr");
  const bool ready =
      in.is_open() && out.is_open() && err.is_open() && write_all(in.number(), input);
  if (!ready) return start_fault(argv.front(), errno);

  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const auto end = run_supervised(limits.time, [&] {
    ::dup2(in.number(), STDIN_FILENO);
    ::dup2(out.number(), STDOUT_FILENO);
    ::dup2(err.number(), STDERR_FILENO);
    limit_memory(limits.memory);
    ::execvp(arguments.front(), arguments.data());
    return errno;
  });
  if (!end) return Unexpected(end.error());
  if (end->start_error != 0) return start_fault(argv.front(), end->start_error);
  ProcessResult result;
  if (WIFSIGNALED(end->status)) result.signal = WTERMSIG(end->status);
  if (WIFEXITED(end->status)) result.exit_status = WEXITSTATUS(end->status);
  result.was_late = end->was_late;
  result.out = contents(out.number());
  result.err = contents(err.number());
  return result;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

} // namespace lanewise
