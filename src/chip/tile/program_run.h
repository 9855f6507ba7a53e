// A program of a whole tile: its start, and a run of it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/isa/tile_program.h"
#include "chip/tile/run.h"
#include "chip/tile/tile.h"

namespace lanewise::tile {

/// Gives fields of the configuration a value as `.cfg` does, those of threads for all three. Error:
/// BadInput; a field that the chip does not have, or a value that it cannot hold.
Expected<void> set_config_of_all_threads(TileState& tile, std::span<const ConfigSetting> settings);

/// The tile before the first instruction: what `.cfg`, `.cfg_word`, `.semaphore` and `.gpr` say; L1
/// is zero. Error: BadInput with the line of a setting that the chip does not have.
Expected<TileState> start_state(Arch arch, const TileProgram& program);

/// How often instructions of a line have been executed, by thread.
using ExecutionCounts = std::array<std::map<std::uint32_t, std::uint64_t>, kThreads>;

/// Runs the program on a tile from its state on. Error: as run() says.
Expected<RunResult> run_program(Tile& tile, const TileProgram& program,
                                const ScheduleChoice& choice = {}, const RunLimits& limits = {});

} // namespace lanewise::tile
