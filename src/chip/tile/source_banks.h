// The unpackers' side of SrcA and SrcB: which bank they fill, and how they hand it over (core.md 1,
// 12.4, 13).
#pragma once

#include "chip/isa/number_format.h"
#include "chip/machine/matrix/source_file.h"
#include "chip/tile/tile_state.h"

namespace lanewise::tile {

/// What an unpacker fills: SrcA or SrcB.
inline SourceFile& source_file(TileState& tile, unsigned unpacker) {
  return unpacker == 0 ? tile.machine.srca : tile.machine.srcb;
}

/// A bank of what an unpacker fills, for the log of touches.
inline PlaceId bank_place(unsigned unpacker, unsigned bank) {
  return {unpacker == 0 ? SharedPlace::SrcA : SharedPlace::SrcB, bank};
}

/// SRCA_SET_Base or SRCB_SET_Base, in rows.
unsigned first_row(const TileState& tile, unsigned unpacker, unsigned thread);

/// The bank becomes the Matrix Unit's, and the unpacker goes on to the other one. On a chip that
/// has implied formats, the bank takes `format` with it.
void hand_to_matrix_unit(TileState& tile, unsigned unpacker, unsigned thread,
                         isa::DataFormat format);

/// The same of a bank that is handed over without a format: it keeps its own.
void hand_to_matrix_unit(TileState& tile, unsigned unpacker, unsigned thread);

/// The bank of its source that a UNPACR_NOP waits for, to be the unpackers'; nothing if it does not
/// wait.
std::optional<unsigned> bank_that_unpacr_nop_awaits(const TileState& tile, const Instruction& i);

} // namespace lanewise::tile
