// What a program costs on a tile in the steady state, apart from what runs once (T5, T6).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "chip/isa/program.h"
#include "chip/timing/harness.h"
#include "chip/timing/line_stalls.h"
#include "chip/timing/program_parts.h"
#include "chip/timing/summary.h"

namespace lanewise::timing {

/// Cycles of a program that runs on one tile after the other.
struct TileCost {
  double init = 0;   ///< of what runs once, before the first tile (ProgramPart::Init)
  double around = 0; ///< per pass, of what the library does around the kernel (Around)
  /// The kernel itself (Tile): what a further pass adds, on average.
  Figures pass;
  LineStalls stalls; ///< of the pass, by the line that waits
  /// Different rows of 32 lanes that a pass stores, at most those of a tile. Nothing else decides
  /// what a row is: a kernel that stores a row twice has one.
  double rows = 0;
  bool is_tile = false; ///< a pass is a tile

  /// Per tile in the steady state, without init and around: what a harness counts beside its
  /// constant. A program that stores a part of a tile is taken as often as a tile needs it; nothing
  /// if it stores no row and is no kernel.
  std::optional<double> cycles() const;
  /// Passes that make a tile.
  double passes() const;
  /// k of T6; nothing where no row is stored.
  std::optional<double> cycles_per_row() const;
};

/// The program as it runs on `passes` tiles, one after the other: what is there once comes once.
Program on_tiles(const Program& program, std::size_t passes);

/// Schedules the program, from the state in which the first tile finds the chip, on as many tiles
/// as show the steady state. `is_kernel`: a pass is a tile, whatever it stores. Of a program that
/// is too long to run twice the first pass is taken.
TileCost tile_cost(const MachineState& start, const Program& program, bool is_kernel,
                   const ScheduleOptions& options = {});

/// The cost at Wormhole's fastest and slowest push. Nothing on a chip whose core keeps up, or where
/// pushing costs no more than `replayed`.
std::optional<std::array<TileCost, 2>> pushed_tile_cost(const MachineState& start,
                                                        const Program& program, bool is_kernel,
                                                        const TileCost& replayed);

/// The cost where the core computes each word of the kernel whose fields are variables
/// (ProgramWord::computed, kComputedPush). Nothing where there is none, or where it costs no more
/// than `constant`, since stalls and replayed instructions hide it.
std::optional<TileCost> computed_tile_cost(const MachineState& start, const Program& program,
                                           bool is_kernel, const TileCost& constant);

/// Words of the kernel (Tile) whose fields are variables.
std::size_t computed_words(const Program& program);

/// A program with its schedule and what it amounts to.
struct Timing {
  Schedule schedule; ///< at one word per cycle: replayed, or pushed on Blackhole
  Figures total;     ///< of the schedule, what runs once included
  TileCost tile;
  std::optional<std::array<TileCost, 2>> pushed; ///< as pushed_tile_cost()
  std::optional<TileCost> computed;              ///< as computed_tile_cost()
};

/// `schedule` is that of `prepared` from `start`, at one word per cycle; `program` is one pass of
/// it.
Timing time_program(const MachineState& start, const Program& program, bool is_kernel,
                    const MicroProgram& prepared, Schedule schedule);

} // namespace lanewise::timing
