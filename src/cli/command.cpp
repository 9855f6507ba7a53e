#include "cli/command.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <utility>

#include "base/text_file.h"
#include "cli/output.h"

namespace lanewise::cli {

namespace {

std::string command_line_text;
char** command_words = nullptr;
std::vector<std::string> words_of_file;

/// A word as a shell reads it as one: in quotes where it has to be.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+%@";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char letter : word) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

volatile std::sig_atomic_t interrupt_seen = 0;

/// The second Ctrl-C ends the program, whatever it is doing. SIGTERM may come twice at once, to the
/// program and to its group, as from timeout(1).
extern "C" void note_interrupt(int signal) {
  interrupt_seen = 1;
  if (signal == SIGINT) std::signal(signal, SIG_DFL);
}

} // namespace

void remember_command(int argc, char** argv) {
  command_words = argv;
  command_line_text = "lanewise";
  for (int i = 1; i < argc; ++i) command_line_text += " " + shell_word(argv[i]);
}

std::string typed_command() {
  return command_line_text;
}

char* const* typed_words() {
  return command_words;
}

const std::vector<std::string>& added_words() {
  return words_of_file;
}

void remember_added(std::vector<std::string> words) {
  words_of_file = std::move(words);
}

ExitStatus fail(const Fault& fault) {
  tell("{}\n", to_string(fault));
  return ExitStatus::BadInput;
}

bool interrupted() {
  return interrupt_seen != 0;
}

void watch_for_ctrl_c() {
  std::signal(SIGINT, [](int) { interrupt_seen = 1; });
}

void watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note_interrupt);
  // nohup has it ignored, and that is to stay.
  if (std::signal(SIGHUP, note_interrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

Expected<std::string> read_text(const std::string& path) {
  return read_text_file(path);
}

} // namespace lanewise::cli
