// What would keep two racing threads in order: a wait for a semaphore that is raised already, or a
// semaphore of its own.
#pragma once

#include <vector>

#include "chip/tile/races.h"

namespace lanewise::tile {

/// Ways to mend, the likeliest first: the one that writes goes before the one that reads. Whether
/// one helps is for the caller to try.
std::vector<std::vector<Mend>> possible_mends(Arch arch, const TileProgram& program,
                                              const Race& race, const AccessLog& log);

/// The program with the lines added.
TileProgram with_mends(const TileProgram& program, const std::vector<Mend>& mends);

} // namespace lanewise::tile
