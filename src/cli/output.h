// Standard output and standard error, which may be closed, full, or a pipe that nobody reads.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "base/fault.h"
#include "cli/exit_status.h"

namespace lanewise::cli {

/// Before anything is printed: a stream that the program was started without (`>&-`) is one that
/// cannot be written, so that no file that is opened later takes its place; and a file that may not
/// grow any more (`ulimit -f`) is an error instead of the end of the program.
void prepare_streams();

/// Writes to standard error. Never throws: finish_output() tells what could not be written.
void print_message(std::string_view text);

/// From now on, what is written to standard error is added to `log`, too; nullptr: no longer.
void keep_messages(std::string* log);

/// For errors, warnings and faults. Results go to standard output, by fmt::print(), which throws
/// where nothing can be written; main() catches that.
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  print_message(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Results for people on standard output, in colours where it takes them (cli/colour.h).
void print_report(std::string_view text);

/// Whether a file can be written there, so that long work is not done in vain. "" = no file.
/// Error: BadInput that names the folder.
Expected<void> check_can_write(const std::string& path);

/// Writes a text file whole or not at all. Error: BadInput.
Expected<void> write_text_file(const std::string& path, const std::string& text);

/// Into the file, or to standard output if the name is empty. Error: BadInput.
Expected<void> deliver(const std::string& text, const std::string& path);

/// The exit status after an exception, and what is to be said about it.
ExitStatus fail(const std::exception& error);

/// Writes what is still buffered. The exit status of the program: `status`, or BadInput if
/// something could not be written, with a message where there is still a stream for it.
ExitStatus finish_output(ExitStatus status);

} // namespace lanewise::cli
