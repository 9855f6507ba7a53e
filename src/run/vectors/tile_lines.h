// Lines of a vector file that only cases about a whole tile have.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "run/vectors/vector_file.h"
#include "run/vectors/vector_words.h"

namespace lanewise::lab {

/// The item that a keyword names, if it is one of a tile.
std::optional<VectorItem> find_tile_item(std::string_view keyword);

/// Its operands, for initial state and expectation alike.
void take_tile_values(Words& words, Arch arch, VectorItem item, std::vector<std::uint32_t>& values);

/// Puts an item of initial state in place; the values have been checked. Precondition:
/// target.tile.
void apply_tile_item(VectorCase& target, VectorItem item, const std::vector<std::uint32_t>& values);

} // namespace lanewise::lab
