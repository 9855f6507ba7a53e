// What a tile's registers hold when its threads have come to their end: what the next kernel finds.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chip/machine/state.h"
#include "chip/tile/state_fields.h"
#include "chip/tile/tile_state.h"

namespace lanewise::section {

/// Names and values as chip/tile/state_fields.h has them, in its order; what is 0 has no entry.
using EndState = std::vector<std::pair<std::string, std::uint32_t>>;

/// Configuration, address modes, address counters, RWCs, semaphores and mutexes. GPRs, L1 and the
/// registers of data are no part of it.
EndState end_state(const tile::TileState& tile);

/// The same of a machine alone, as if it were a tile's.
EndState end_state(const MachineState& machine);

/// All fields that such a state may have, with their values in this one.
std::vector<tile::StateField> left_fields(Arch arch, const EndState& state);

} // namespace lanewise::section
