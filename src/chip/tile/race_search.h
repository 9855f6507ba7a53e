// The first two touches whose order two runs of a program have the other way round.
#pragma once

#include <optional>

#include "chip/tile/races.h"

namespace lanewise::tile {

/// Of all pairs of different threads on one place of which one writes: the pair that comes first
/// in `reference`. Nothing: the runs agree in all of them.
std::optional<Race> first_race(const AccessLog& reference, const AccessLog& other);

} // namespace lanewise::tile
