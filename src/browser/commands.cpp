// The commands of the module.
#include "cli/commands.h"
#include "cli/command.h"

namespace lanewise::cli {

void add_commands(CommandLine& line) {
  add_run(line);
  add_time(line);
  add_check(line);
  add_asm(line);
  add_dis(line);
  add_elf(line);
  add_explain(line);
  add_isa(line);
  add_conform(line);
  add_sweep(line);
}

} // namespace lanewise::cli
