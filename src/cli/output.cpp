#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "cli/colour.h"

namespace lanewise::cli {

namespace {

/// Why standard output could not be written, as far as that is known.
int output_error = 0;

/// Where messages are kept, if anywhere.
std::string* message_log = nullptr;

/// Whoever reads a pipe closes it when it has enough: that needs no words.
void tell_lost_output() {
  if (output_error == EPIPE) return;
  const std::string reason =
      output_error == 0 ? "" : ": " + std::generic_category().message(output_error);
  tell("error: cannot write to standard output{}; the results are not complete\n", reason);
}

} // namespace

void prepare_streams() {
  // Opening gives the lowest number that is free, which is that of the stream.
  constexpr std::array kStreams{std::pair{STDIN_FILENO, O_WRONLY},
                                std::pair{STDOUT_FILENO, O_RDONLY},
                                std::pair{STDERR_FILENO, O_RDONLY}};
  for (const auto& [stream, unusable] : kStreams) {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) ::open("/dev/null", unusable);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

void keep_messages(std::string* log) {
  message_log = log;
}

void print_message(std::string_view text) {
  if (message_log != nullptr) *message_log += text;
  if (!takes_colours(STDERR_FILENO)) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  const std::string painted = painted_report(text);
  std::fwrite(painted.data(), 1, painted.size(), stderr);
}

void print_report(std::string_view text) {
  if (takes_colours(STDOUT_FILENO)) {
    fmt::print("{}", painted_report(text));
  } else {
    fmt::print("{}", text);
  }
}

Expected<void> check_can_write(const std::string& path) {
  if (path.empty()) return {};
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::filesystem::path folder = parent.empty() ? "." : parent;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return bad_input(fmt::format("{} is a folder", path), "name a file");
  if (std::filesystem::is_directory(folder, ignored) && ::access(folder.c_str(), W_OK) == 0)
    return {};
  // Devices and pipes are written where they are; for files, their folder has to take a new one.
  const bool is_device =
      std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  if (is_device && ::access(path.c_str(), W_OK) == 0) return {};
  return bad_input(fmt::format("{} cannot be written: the folder {} is not there or closed", path,
                               folder.string()),
                   "make the folder, or name another one");
}

Expected<void> write_text_file(const std::string& path, const std::string& text) {
  return write_file_atomically(path, std::as_bytes(std::span(text)));
}

Expected<void> deliver(const std::string& text, const std::string& path) {
  if (!path.empty()) return write_text_file(path, text);
  fmt::print("{}", text);
  return {};
}

ExitStatus fail(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (std::ferror(stdout) == 0) {
    tell("error: {}\n", error.what());
  } else if (system != nullptr) {
    output_error = system->code().value();
  }
  return ExitStatus::BadInput;
}

ExitStatus finish_output(ExitStatus status) {
  errno = 0;
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  if (std::ferror(stdout) != 0) tell_lost_output();
  return std::ferror(stdout) == 0 && std::ferror(stderr) == 0 ? status : ExitStatus::BadInput;
}

} // namespace lanewise::cli
