// Writes vectors about a whole tile: what a tile held, what its threads executed, and what it held
// then. Whoever has another implementation, or a board, fills two TileStates with what it has.
//
//   const tile::TileState before = tile.state();
//   ... run ...
//   file << tile_case_text("unpack/bf16/1", before, words, tile.state());
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chip/tile/tile_state.h"

namespace lanewise::vectors {

/// The words of T0, T1 and T2, in program order.
using ThreadWords = std::array<std::vector<std::uint32_t>, kThreads>;

/// A case, from `case` to `end` (docs/conformance.md). It names what differs from reset, and
/// expects every register of the tile that has changed or is not 0, every byte of L1, SrcA, SrcB
/// and Dst, and every word of configuration that has changed. Not in it are registers of the Vector
/// Unit, RWCs, latched waits and what packers hold back: there, both states should be as after
/// reset.
std::string tile_case_text(std::string_view name, const tile::TileState& before,
                           const ThreadWords& words, const tile::TileState& after);

} // namespace lanewise::vectors
