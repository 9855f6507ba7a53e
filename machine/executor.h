// Executes micro-ops on a state, one after the other, without any notion of time.
#pragma once

#include <span>

#include "machine/micro_op.h"
#include "machine/state.h"

namespace lanewise {

/// Runs `ops` in order. Whatever the words are, this neither throws nor fails; what is undefined is
/// noted in state.faults.
void execute(MachineState& state, std::span<const MicroOp> ops);

} // namespace lanewise
