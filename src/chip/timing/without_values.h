// Following a program without what registers, Dst and sources hold. A schedule looks at counters,
// addresses and configuration only, and of these SFPCONFIG alone is made of values. Behind the last
// one, nothing else needs to be computed.
#pragma once

#include <cstdint>

#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise::timing {

/// What is left to do of an instruction where no values are needed.
enum class Remainder : std::uint8_t {
  Nothing,
  Load,       ///< its address, which an SFPLOADMACRO leaves for its store, and ADDR_MOD
  Store,      ///< ADDR_MOD, and the stack pointer
  Matrix,     ///< ADDR_MOD
  Instruction ///< the whole of it
};

/// Of a regular instruction.
Remainder remainder_of(Arch arch, const MicroOp& op);

/// Changes counters, addresses and configuration as `op` does, and maybe some values.
void execute_remainder(MachineState& state, const MicroOp& op, Remainder remainder);

/// Whether an instruction makes configuration that a schedule looks at of values: of LReg[0], or of
/// flags. `all_lanes`: flags disable no lane.
bool configures_by_values(Arch arch, const MicroOp& op, bool all_lanes);

} // namespace lanewise::timing
