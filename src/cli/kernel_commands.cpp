// The commands of lanewise_kernels: the launcher knows them, too.
#include "cli/command.h"
#include "cli/commands.h"

namespace lanewise::cli {

void add_commands(CommandLine& line) {
  add_run(line);
  add_tile(line);
  add_asm(line);
  add_dis(line);
  add_explain(line);
  add_isa(line);
  add_help(line);
}

} // namespace lanewise::cli
