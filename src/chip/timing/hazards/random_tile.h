// States on which two versions of a program are held against each other.
#pragma once

#include <optional>

#include "chip/machine/state.h"

namespace lanewise::timing {

/// The state with random bits in Dst and in LReg[0..7].
MachineState random_tile(MachineState state, unsigned seed);

/// A cell of Dst, by its physical row.
struct DstCell {
  unsigned row = 0, column = 0;
};

/// The first cell in which the two differ; nothing if there is none.
std::optional<DstCell> first_difference(const Dst& a, const Dst& b);

/// Whether registers, flags and Dst are the same, which is all that a change may not touch.
bool same_values(const MachineState& a, const MachineState& b);

} // namespace lanewise::timing
