// Lane predication: SFPENCC, SFPPUSHC, SFPPOPC, SFPCOMPC (VU C6..C11). None of them looks at
// LaneEnabled.
#pragma once

#include "machine/micro_op.h"

namespace lanewise {

void sfpencc(MachineState& state, const MicroOp& op);

void sfppushc(MachineState& state, const MicroOp& op);
/// Wormhole: the mode field must be 0 and is not decoded.
void sfppushc_without_modes(MachineState& state, const MicroOp& op);

void sfppopc(MachineState& state, const MicroOp& op);
/// Wormhole: peeking at a full stack overwrites its bottom entry with its top entry (VU C10).
void sfppopc_with_bug(MachineState& state, const MicroOp& op);

void sfpcompc(MachineState& state, const MicroOp& op);

} // namespace lanewise
