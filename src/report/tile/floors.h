// Floors of a tile's time as text (docs/tile.md).
#pragma once

#include <string>

#include "chip/tile/floors.h"

namespace lanewise::report {

/// A line for each resource, cycles per tile, and which of them holds all others up.
std::string floors_text(const tile::Floors& floors);

} // namespace lanewise::report
