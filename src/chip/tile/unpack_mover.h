// The data of a UNPACR, from L1 to SrcA, SrcB or Dst (core.md 12.2 to 12.5).
#pragma once

#include "chip/tile/instruction.h"
#include "chip/tile/unpack_plan.h"

namespace lanewise::tile {

/// Moves what the plan says, and notes what is to be said of it.
void move_data(TileState& tile, const Instruction& i, const UnpackPlan& plan);

} // namespace lanewise::tile
