// States on which two versions of a program are held against each other.
#pragma once

#include "chip/machine/state.h"

namespace lanewise::timing {

/// The state with random bits in Dst and in LReg[0..7].
MachineState random_tile(MachineState state, unsigned seed);

/// Whether registers, flags and Dst are the same, which is all that a change may not touch.
bool same_values(const MachineState& a, const MachineState& b);

} // namespace lanewise::timing
