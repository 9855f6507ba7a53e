// SFPCONFIG: programmable constants, LaneConfig, SFPLOADMACRO's configuration; and the PRNG's seed.
#pragma once

#include "chip/machine/micro_op.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise {

/// Destinations of SFPCONFIG beside the constants LReg[11..14] (VU C38).
inline constexpr unsigned kMiscDestination = 8, kLaneConfigDestination = 15;

void sfpconfig(MachineState& state, const MicroOp& op);

/// PRNG_SEED_Seed_Val has been written (VU 3.8).
void seed_prng(VectorState& vector, std::uint32_t seed);

} // namespace lanewise
