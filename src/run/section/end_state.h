// What a tile's registers hold when its threads have come to their end: what the next kernel finds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chip/machine/state.h"
#include "chip/tile/tile_state.h"

namespace lanewise::section {

/// Names and values, in a fixed order; what is 0 has no entry. A field of the configuration has its
/// name of docs/configuration.md, behind it where there are several of it: "T1" for a thread's own,
/// "bank 1" for the second copy of shared words. Bits that belong to no field have their word's
/// number. Counters: "T0 unpacker 1 channel 0 Y", "T1 RWC Dst".
using EndState = std::vector<std::pair<std::string, std::uint32_t>>;

/// Configuration, address modes, address counters, RWCs and semaphores. GPRs, L1 and the
/// registers of data are no part of it.
EndState end_state(const tile::TileState& tile);

/// The same of a machine alone: configuration as the math thread sees it, and RWCs.
EndState end_state(const MachineState& machine);

} // namespace lanewise::section
