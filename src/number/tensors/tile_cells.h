// Tiles in the order of Dst: fast, for many tiles of which only the elements count, not the matrix.
#pragma once

#include <cstdint>
#include <span>

#include "chip/machine/dst.h"
#include "number/formats/format.h"
#include "number/tensors/tile.h"

namespace lanewise::tensors {

/// Puts 1024 value bits into tile `tile` of Dst: element i to logical row i / 16 of the tile,
/// column i % 16. (load_tile() has the order of a matrix.)
void load_cells(Dst& dst, formats::Format format, unsigned tile,
                std::span<const std::uint32_t, kTileElements> bits,
                Dst16View view = Dst16View::Rows);

/// The 1024 value bits of a tile, in the same order; invalid rows read as zero.
void read_cells(const Dst& dst, formats::Format format, unsigned tile,
                std::span<std::uint32_t, kTileElements> bits, Dst16View view = Dst16View::Rows);

} // namespace lanewise::tensors
