// What the subcommands share. One file per subcommand; each adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "isa/arch.h"
#include "isa/fault.h"

namespace lanewise::cli {

/// Exit status of every subcommand.
enum ExitStatus : int {
  kSuccess = 0,
  kFoundProblem = 1, ///< ran to its end, and what it checks does not hold
  kBadInput = 2,     ///< an option, a file or a kernel that cannot be used; nothing was written
};

/// What the chosen subcommand does; returns the exit status.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_time(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_asm(CLI::App& app, Action& action);
void add_dis(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_isa(CLI::App& app, Action& action);
void add_conform(CLI::App& app, Action& action);
void add_llk(CLI::App& app, Action& action);
void add_fp16c(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_accuracy(CLI::App& app, Action& action);

/// Prints a fault on standard error and returns kBadInput.
int fail(const Fault& fault);

/// True once Ctrl-C has been pressed, if watch_for_interrupt() was called before. The second one
/// ends the program at once.
bool interrupted();
void watch_for_interrupt();

/// Adds `--arch bh|wh`, default bh.
void add_arch_option(CLI::App& command, Arch& arch);

/// The contents of a file, or of standard input for "-".
Expected<std::string> read_text(const std::string& path);

} // namespace lanewise::cli
