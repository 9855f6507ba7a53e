// A tile in time: its cores, its threads and its units, cycle by cycle, with the values that come
// of it (docs/timing.md, "A whole tile").
//
// Who can act next acts next: one order of events for values and time. An instruction issues once
// it has come to the Wait Gate, once the gate lets it pass, and once its unit takes it; its values
// are there at once, as on a tile without time, and what needs it waits for the cycle in which
// hardware would have them (chip/clock/units.h, source_clock.h). Of two that can act in the same
// cycle, the one goes first that has not acted for longer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/clock/spans.h"
#include "chip/clock/why.h"
#include "chip/isa/program.h"
#include "chip/tile/access_log.h"
#include "chip/tile/clocked_feeder.h"
#include "chip/tile/run.h"
#include "chip/tile/tile.h"

namespace lanewise::clock {

/// An instruction of a thread or an action of a core, by its number (tile::Touch).
struct Deed {
  tile::Agent agent;
  std::uint64_t ordinal = 0;
};

struct TimedOptions {
  bool keeps_timeline = false;
  bool keeps_core_spans = false; ///< these alone
  std::vector<Deed> watched = {};
  tile::RunLimits limits;
};

/// An instruction that has issued.
struct Issued {
  std::uint64_t cycle = 0;
  std::uint64_t waited = 0; ///< cycles before it, in which its thread could have issued
  Why why = Why::Nothing;   ///< what most of them were waited for
  std::uint8_t thread = 0;
  ProgramWord word = {};
};

/// What became of a thread's cycles: until its last instruction has let the next one pass, it has
/// either issued or waited.
struct ThreadTime {
  std::uint64_t issued = 0;                  ///< instructions
  std::uint64_t issuing = 0;                 ///< cycles in which they, or one before, issued
  std::uint64_t last = 0;                    ///< cycle of the last of them
  std::array<std::uint64_t, kWhys> waited{}; ///< cycles, by what for, until the last instruction
};

/// What became of a core's cycles, until the last of what it did that reaches the tile.
struct CoreTime {
  std::uint64_t own = 0;    ///< of its own code
  std::uint64_t waited = 0; ///< for the tile: room for a word, a register, a word of L1
};

/// Cycles in which a unit has worked.
struct UnitTime {
  std::array<std::uint64_t, 2> unpacker{};
  std::array<std::uint64_t, 4> packer{};
  std::uint64_t matrix = 0, vector = 0; ///< instructions that have entered
};

/// What everybody has done until a cycle.
struct Figures {
  std::array<ThreadTime, kThreads> thread;
  std::array<CoreTime, tile::kTileCores> core;
  UnitTime units;
};

/// A PACR that ends a tile, and what has been done until it issued.
struct TileEnd {
  std::uint64_t cycle = 0;
  Figures until = {};
};

/// The figures are those of the whole run.
struct TimedResult : Figures {
  tile::RunResult run;              ///< as without time
  std::uint64_t cycles = 0;         ///< until all is done: cores, threads and units
  std::vector<TileEnd> ends;        ///< by cycle
  std::vector<CoreWait> core_waits; ///< by core, line and address
  /// In which cycles TimedOptions::watched have gone; nothing: the run did not come to one.
  std::vector<std::optional<std::uint64_t>> watched;
  // If a timeline was asked for:
  std::vector<Issued> timeline;     ///< by cycle
  std::vector<CoreSpan> core_spans; ///< or these; each core's follow each other from cycle 0
  std::vector<UnitSpan> unit_spans; ///< by unit, and then by cycle
};

/// A tile in time, some cycles after the others: of several tiles that need each other, each goes
/// on as far as nothing of the others can reach it. Fed as by run_in_time(), whose precondition
/// holds.
class TimedTile {
 public:
  /// `tile` and the feeders must live as long.
  TimedTile(tile::Tile& tile, std::span<tile::ClockedFeeder* const> feeders,
            const TimedOptions& options);
  TimedTile(const TimedTile&) = delete;
  TimedTile& operator=(const TimedTile&) = delete;
  ~TimedTile();

  /// Lets everything happen that happens before `cycle`. Error: what a feeder failed with.
  Expected<void> run_until(std::uint64_t cycle);
  /// Nothing happens before this cycle; tile::kNothingToDo: nothing does any more, unless
  /// somebody outside gives a feeder something to do.
  std::uint64_t next() const;
  /// Somebody outside has given feeders[feeder] something to do.
  void wake(unsigned feeder);
  /// Whether it was stopped, or has taken the steps that it may take.
  bool has_run_out() const;
  /// What has become of it. Once, at the end.
  TimedResult finish();

 private:
  class Run;
  std::unique_ptr<Run> run_;
};

/// Runs a tile in time, fed by feeders[i] for thread i; nullptr: by nobody. Feeders beyond the
/// three act beside the threads: the cores kBrisc and kNcrisc, and what they ask, as the NoC.
/// Precondition: three feeders at least, tile::kMostFeeders at most. Error: what a feeder failed
/// with.
Expected<TimedResult> run_in_time(tile::Tile& tile, std::span<tile::ClockedFeeder* const> feeders,
                                  const TimedOptions& options = {});
inline Expected<TimedResult> run_in_time(tile::Tile& tile,
                                         const std::array<tile::ClockedFeeder*, kThreads>& feeders,
                                         const TimedOptions& options = {}) {
  return run_in_time(tile, std::span<tile::ClockedFeeder* const>(feeders), options);
}

} // namespace lanewise::clock
