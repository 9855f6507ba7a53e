// What would keep two racing agents in order where the cores run code: words that are pushed, or
// waits of a core, before or behind what the code does in a line.
#pragma once

#include <vector>

#include "chip/tile/races.h"

namespace lanewise::tile {

/// Ways to mend, the likeliest first. Whether one helps is for the caller to try.
std::vector<MendedProgram> script_mends(const RaceProgram& program, const Race& race,
                                        const RaceReference& reference);

} // namespace lanewise::tile
