// Runs vectors about a whole tile.
#pragma once

#include <optional>

#include "run/vectors/conformance.h"

namespace lanewise::vectors {

/// Executes a case on a tile of its own, thread by thread as far as each can go. Precondition:
/// test.tile.
std::optional<Difference> run_tile_case(const VectorCase& test);

} // namespace lanewise::vectors
