// What a program makes of tiles of operands, as terms: of one lane of each row, since all
// lanes of a row do the same.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "number/tensors/tile.h"
#include "study/tune/prove.h"
#include "study/tune/terms.h"

namespace lanewise::tune {

/// Of a tile: four rows each, with their even and their odd columns.
inline constexpr unsigned kAccessRows = 4, kPlacesOfTile = tensors::kTileDstRows / kAccessRows * 2;

/// A lane of a row: which operand, and which of the places of its tile. Its value bits are the
/// variable of that number.
struct LanePlace {
  unsigned tile, index;

  explicit LanePlace(std::uint32_t variable)
      : tile(variable / kPlacesOfTile), index(variable % kPlacesOfTile) {}
  LanePlace(unsigned of_tile, unsigned at) : tile(of_tile), index(at) {}

  std::uint32_t variable() const { return tile * kPlacesOfTile + index; }
  bool is_odd() const { return index % 2 != 0; }
  unsigned row() const { return tile * tensors::kTileDstRows + index / 2 * kAccessRows; }
};

/// Integers with a sign have no -0 outside of Dst.
bool is_signed_integer(formats::Format format);

/// The stored bits of the result in each place of its tile, 16 or 32 as its format has. Error:
/// Unsupported for what has no terms, which names it, and for operands of INT16 and INT8; BadInput
/// for a .cfg setting that is wrong.
Expected<std::vector<Term>> row_terms(TermGraph& graph, const Plain& program,
                                      const ProofOptions& options);

} // namespace lanewise::tune
