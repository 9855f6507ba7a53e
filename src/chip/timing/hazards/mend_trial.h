// A change that a finding advises is tried first: it must mend, and do no harm.
//
// The changed program runs beside the original on random tiles, twice behind each other, as a tile
// calls a kernel once for every face. The finding must be gone, there must be no other in its
// place, and the values must be those that the original means.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::timing {

/// Where a line has several words one behind the other: a loop or .repeat has brought them, and an
/// insertion comes before each; or a line of C++ has become several, and it comes before the first.
enum class LineIs : std::uint8_t { EachWord, AllWords };

/// The words with the change made. Nothing if it has no place: no word of that line, one that a
/// REPLAY records (its count would no longer fit), or an instruction to move that is not the only
/// one of its line.
std::optional<Program> changed_program(const Program& program, const ProposedChange& change,
                                       LineIs line = LineIs::EachWord);

/// Tries the changes of each finding of a program that starts in state `start` with an empty front
/// end. Those that hold stay, and become the advice; where none does, the rule's general advice
/// remains.
void try_changes(std::vector<Hazard>& hazards, const Program& program, const MachineState& start,
                 const CheckOptions& options);

} // namespace lanewise::timing
