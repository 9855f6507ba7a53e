// Dst in the address space of a core, from 0xFFBD8000 on (core.md 16.1). Blackhole only.
#pragma once

#include <cstdint>

#include "base/fault.h"
#include "chip/tile/tile_state.h"

namespace lanewise::tile {

/// A load of 1, 2 or 4 bytes at an offset from the first address, which they are a multiple of.
/// RISC_DEST_ACCESS_CTRL of the core's thread says what an element is; what it says no meaning of
/// is an error: UndefinedBehavior, a fault without a place.
Expected<std::uint32_t> load_dst(const TileState& tile, unsigned core, std::uint32_t offset,
                                 unsigned bytes);

/// The same of a store.
Expected<void> store_dst(TileState& tile, unsigned core, std::uint32_t offset, unsigned bytes,
                         std::uint32_t value);

} // namespace lanewise::tile
