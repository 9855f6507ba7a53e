// A kernel as a tile calls it: what initialises it runs once, then one call follows the other.
//
// Constants and configuration are what a call finds as the init has left them. A call that leaves
// them otherwise gives other results the second time, which a single pass does not show.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::timing {

/// Rule contract-init: constants (LReg[11..14]), LaneConfig, macros or configuration that a call
/// leaves changed, so that a second call on the same tile gives another Dst. Tiles are random.
std::vector<Hazard> find_changed_init(const Program& program, const MachineState& start);

/// Tries the changes that find_contract_breaks() proposes: words behind the last one of the call.
/// The first that holds becomes the advice: the finding is gone without another in its place, and
/// two calls on the same tile give what one gives without the change. Where none holds, the rule's
/// general advice stays, and says so.
void try_endings(std::vector<Hazard>& hazards, const Program& program, const MachineState& start);

} // namespace lanewise::timing
