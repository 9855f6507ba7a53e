// A trace: every executed instruction with what it changed.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// One thing that an instruction changed, in words: "L2 = 3F800000 (1) in all lanes".
using Change = std::string;

/// Called after each instruction with the state that it left.
using TraceObserver = std::function<void(const MicroOp&, const std::vector<Change>&)>;

/// Executes like execute(), and reports every instruction, and where a schedule holds a result back
/// (chip/machine/scheduled.h) also when that appears. Slow: compares the whole state each time.
void execute_traced(MachineState& state, std::span<const MicroOp> ops,
                    const TraceObserver& observe);

/// What differs between two states, registers first.
std::vector<Change> changes_between(const MachineState& before, const MachineState& after);

} // namespace lanewise
