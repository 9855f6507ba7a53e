#include "sfpi/process.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "sfpi/file_descriptor.h"

namespace lanewise::sfpi {
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

class FileActions {
 public:
  FileActions() { ::posix_spawn_file_actions_init(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { ::posix_spawn_file_actions_destroy(&actions_); }
  bool redirect(const FileDescriptor& from, int to) {
    return ::posix_spawn_file_actions_adddup2(&actions_, from.number(), to) == 0;
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

Unexpected start_fault(const std::string& program, int error) {
  return bad_input(
      fmt::format("cannot run '{}': {}", program, std::generic_category().message(error)),
      error == ENOENT ? "install it, or put it into a folder of PATH"
                      : "check its permissions and free memory");
}

} // namespace

Expected<ProcessResult> run_process(const std::vector<std::string>& argv, std::string_view input) {
  const FileDescriptor in = make_memory_file("lanewise-stdin");
  const FileDescriptor out = make_memory_file("lanewise-stdout");
  const FileDescriptor err = make_memory_file("lanewise-stderr");
  FileActions actions;
  const bool ready = in.is_open() && out.is_open() && err.is_open() &&
                     write_all(in.number(), input) && actions.redirect(in, STDIN_FILENO) &&
                     actions.redirect(out, STDOUT_FILENO) && actions.redirect(err, STDERR_FILENO);
  if (!ready) return start_fault(argv.front(), errno);

  std::vector<char*> arguments;
  arguments.reserve(argv.size() + 1);
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, arguments.front(), actions.get(), nullptr, arguments.data(), environ);
  if (error != 0) return start_fault(argv.front(), error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return start_fault(argv.front(), errno);
  }
  ProcessResult result;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  result.out = contents(out.number());
  result.err = contents(err.number());
  return result;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name);
}

} // namespace lanewise::sfpi
