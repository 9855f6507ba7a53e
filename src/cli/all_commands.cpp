// The commands of lanewise, in the order of its help.
#include "cli/command.h"
#include "cli/commands.h"

namespace lanewise::cli {

void add_commands(CommandLine& line) {
  add_run(line);
  add_tile(line);
  add_kernels(line);
  add_program(line);
  add_device(line);
  add_time(line);
  add_check(line);
  add_asm(line);
  add_dis(line);
  add_elf(line);
  add_explain(line);
  add_isa(line);
  add_conform(line);
  add_llk(line);
  add_llk_test(line);
  add_llk_state(line);
  add_llk_diff(line);
  add_clock(line);
  add_noc(line);
  add_list(line);
  add_clangd(line);
  add_fp16c(line);
  add_sweep(line);
  add_diff(line);
  add_merge(line);
  add_serve(line);
  add_lsp(line);
  add_score(line);
  add_accuracy(line);
  add_atlas(line);
  add_fit(line);
  add_tune(line);
  add_cache(line);
  add_completion(line);
  add_man(line);
  add_help(line);
}

} // namespace lanewise::cli
