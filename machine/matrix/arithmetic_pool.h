// GMPOOL and the legacy maximum pools (MU 7).
#pragma once

#include "machine/micro_op.h"
#include "machine/state.h"

namespace lanewise {

/// Dst[dst] = the largest of itself and the column of SrcA; the other three rows become 0.
void gmpool(MachineState& state, const MicroOp& op);

/// MPOOL3S1 and MPOOL3S2: the same with zeros in the place of SrcA, unscaled.
void mpool_of_zeros(MachineState& state, const MicroOp& op);

} // namespace lanewise
