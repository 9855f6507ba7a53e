// Executes micro-ops on a state, one after the other, without any notion of time.
#pragma once

#include <span>

#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// Runs `ops` in order, on every group of lanes. Whatever the words are, this neither throws nor
/// fails; what is undefined is noted in state.faults.
void execute(MachineState& state, std::span<const MicroOp> ops);

/// The same on the group of lanes that is in `state.vector` alone: half a register on a chip with
/// 64 lanes.
void execute_in_group(MachineState& state, std::span<const MicroOp> ops);

} // namespace lanewise
