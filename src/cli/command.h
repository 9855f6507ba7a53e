// What the subcommands share. One file per subcommand; each adds itself to the command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/command_line.h"
#include "cli/exit_status.h"

namespace lanewise::cli {

void add_run(CommandLine& line);
void add_time(CommandLine& line);
void add_check(CommandLine& line);
void add_clock(CommandLine& line);
void add_noc(CommandLine& line);
void add_asm(CommandLine& line);
void add_dis(CommandLine& line);
void add_elf(CommandLine& line);
void add_explain(CommandLine& line);
void add_isa(CommandLine& line);
void add_conform(CommandLine& line);
void add_clangd(CommandLine& line);
void add_list(CommandLine& line);
void add_lsp(CommandLine& line);
void add_llk(CommandLine& line);
void add_llk_test(CommandLine& line);
void add_llk_state(CommandLine& line);
void add_llk_diff(CommandLine& line);
void add_fp16c(CommandLine& line);
void add_sweep(CommandLine& line);
void add_diff(CommandLine& line);
void add_merge(CommandLine& line);
void add_accuracy(CommandLine& line);
void add_atlas(CommandLine& line);
void add_serve(CommandLine& line);
void add_score(CommandLine& line);
void add_fit(CommandLine& line);
void add_tune(CommandLine& line);
void add_tile(CommandLine& line);
void add_kernels(CommandLine& line);
void add_program(CommandLine& line);
void add_device(CommandLine& line);
void add_cache(CommandLine& line);
void add_help(CommandLine& line);
void add_completion(CommandLine& line);
void add_man(CommandLine& line);

/// The command that the program was started with, as a shell takes it.
std::string typed_command();
/// Its words as main() got them, with a null pointer behind them.
char* const* typed_words();
/// Once, at the start.
void remember_command(int argc, char** argv);

/// What .lanewise.toml has added to the command.
const std::vector<std::string>& added_words();
void remember_added(std::vector<std::string> words);

/// Prints a fault on standard error.
ExitStatus fail(const Fault& fault);

/// True once Ctrl-C has been pressed, or the program was asked to end by SIGTERM or SIGHUP, if
/// watch_for_interrupt() was called before. The second Ctrl-C ends the program at once.
bool interrupted();
/// Ctrl-C only, and however often, for who waits for a process that it reaches, too: that one ends
/// soon, and leaves what it has.
void watch_for_ctrl_c();
void watch_for_interrupt();

/// The contents of a file, or of standard input for "-".
Expected<std::string> read_text(const std::string& path);

} // namespace lanewise::cli
