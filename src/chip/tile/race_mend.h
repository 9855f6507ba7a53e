// What would keep two racing threads in order: a wait for a semaphore that is raised already, or a
// semaphore of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "chip/isa/op.h"
#include "chip/tile/races.h"

namespace lanewise::tile {

/// Ways to mend, the likeliest first: the one that writes goes before the one that reads. Whether
/// one helps is for the caller to try.
std::vector<std::vector<Mend>> possible_mends(Arch arch, const TileProgram& program,
                                              const Race& race, const AccessLog& log);

/// The program with the lines added.
TileProgram with_mends(const TileProgram& program, const std::vector<Mend>& mends);

/// SEMPOST or SEMGET of the semaphores of a mask.
std::uint32_t semaphore_word(Arch arch, isa::Op op, std::uint32_t mask);

/// A SEMWAIT that holds `held`, and a SEMGET, back while one of the semaphores is 0.
std::uint32_t wait_word(Arch arch, std::uint32_t mask, const ProgramWord& held);

/// The semaphores that a word names, as a mask; 0 of one that names none.
std::uint32_t semaphores_of_word(Arch arch, std::uint32_t word);

} // namespace lanewise::tile
