#include "run/execution/tile_cost.h"

#include "chip/machine/kernel_entry.h"
#include "run/execution/tile_machine.h"

namespace lanewise::execution {

Expected<timing::TileCost> tile_cost_of(Arch arch, const Program& program,
                                        const TileRunOptions& options) {
  Machine machine(arch);
  if (options.as_kernel) enter_kernel(machine.state());
  if (auto done = configure(machine, program.name, program.config, options); !done)
    return Unexpected(done.error());
  return timing::tile_cost(machine.state(), program, options.as_kernel);
}

} // namespace lanewise::execution
