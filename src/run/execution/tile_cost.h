// What a program costs per tile, as it is configured for tiles.
#pragma once

#include "chip/isa/program.h"
#include "chip/timing/tile_cost.h"
#include "run/execution/tile_runner.h"

namespace lanewise::execution {

/// What the program costs per tile, with the state and the formats of `options`. A kernel's pass is
/// a tile. Error: BadInput if a .cfg setting is wrong.
Expected<timing::TileCost> tile_cost_of(Arch arch, const Program& program,
                                        const TileRunOptions& options);

} // namespace lanewise::execution
