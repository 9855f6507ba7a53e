// What a program uses although neither it, nor the firmware, nor an input has put a value there.
#pragma once

#include <span>
#include <vector>

#include "chip/timing/hazards/unprogrammed.h"
#include "run/execution/tile_runner.h"

namespace lanewise::execution {

/// The tiles of Dst that hold inputs: the n-th is tile n. Nothing is known of Dst without a list.
using FilledTiles = std::optional<std::vector<formats::Format>>;

/// What .cfg settings and the inputs have put somewhere before the program starts.
timing::Programmed programmed_before(const TileProgram& on_tile, const Program& program,
                                     const FilledTiles& filled);

/// A finding of timing::find_unprogrammed() as a fault of the program.
Fault unprogrammed_fault(const timing::Hazard& hazard, const Program& program);

/// timing::find_unprogrammed() for a program that was scheduled on a tile, with what its .cfg
/// settings and the inputs leave.
std::vector<timing::Hazard> find_unprogrammed(const TimedProgram& timed, const Program& program,
                                              const FilledTiles& filled);

/// The same, as faults of the program.
std::vector<Fault> unprogrammed_faults(const TimedProgram& timed, const Program& program,
                                       const FilledTiles& filled);

/// The same on the first tile of each input (as many as check_tiles() lets through), which the
/// program finds in the place of zeros.
std::vector<Fault> unprogrammed_faults(const TimedProgram& timed, const Program& program,
                                       std::span<const tensors::Tensor> inputs);

/// The same of a program without SFPLOADMACRO, of which nobody needs the schedule.
std::vector<Fault> unprogrammed_faults(const TileProgram& on_tile, const Program& program,
                                       std::span<const tensors::Tensor> inputs);

} // namespace lanewise::execution
