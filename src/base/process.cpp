#include "base/process.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/file_descriptor.h"
#include "base/in_quotes.h"
#include "base/memory_file.h"
#include "base/supervisor.h"

namespace lanewise {
namespace {

/// The environment of a program that may write in one folder alone: temporary files go there, and a
/// cache of compilers keeps out of it.
std::vector<std::string> environment_in(const std::filesystem::path& folder) {
  std::vector<std::string> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("TMPDIR=")) all.emplace_back(*variable);
  }
  all.push_back("TMPDIR=" + folder.string());
  all.emplace_back("CCACHE_DISABLE=1");
  return all;
}

/// As execve() wants them; the texts must live as long.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

Unexpected start_fault(const std::string& program, int error) {
  return bad_input(
      fmt::format("cannot run {}: {}", in_quotes(program), std::generic_category().message(error)),
      error == ENOENT ? "install it, or put it into a folder of PATH"
                      : "check its permissions and free memory");
}

} // namespace

Expected<ProcessResult> run_process(const std::vector<std::string>& argv, std::string_view input,
                                    const ProcessLimits& limits, const Confinement& how) {
  const FileDescriptor in = make_memory_file("lanewise-stdin");
  const FileDescriptor out = make_memory_file("lanewise-stdout");
  const FileDescriptor err = make_memory_file("lanewise-stderr");
  const bool ready = in.is_open() && out.is_open() && err.is_open() &&
                     write_all(in.number(), input) && ::lseek(in.number(), 0, SEEK_SET) == 0;
  if (!ready) return start_fault(argv.front(), errno);

  const std::vector<char*> arguments = pointers(argv);
  const std::vector<std::string> texts = environment_in(how.folder);
  const std::vector<char*> environment = pointers(texts);
  Confinement streams = how;
  streams.kept_files = {in.number(), out.number(), err.number()};
  const auto end = run_supervised(limits, streams, [&] {
    ::dup2(in.number(), STDIN_FILENO);
    ::dup2(out.number(), STDOUT_FILENO);
    ::dup2(err.number(), STDERR_FILENO);
    ::execvpe(arguments.front(), arguments.data(),
              how.folder.empty() ? environ : environment.data());
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
