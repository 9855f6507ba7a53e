// Races of a program: whether what a tile holds at the end depends on the order of its threads, on
// which two instructions that depends first, and what would keep them in order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fault.h"
#include "chip/isa/tile_program.h"
#include "chip/tile/access_log.h"
#include "chip/tile/program_run.h"

namespace lanewise::tile {

/// A line to add. Behind `line`, or before it; 0: at the end of the thread.
struct Mend {
  unsigned thread = 0;
  std::uint32_t line = 0;
  bool behind = false;
  std::vector<std::uint32_t> words;
};

/// Two instructions whose order is not settled.
struct Race {
  PlaceId place;
  Touch first, second; ///< as the first schedule, round robin, has them
};

struct RaceReport {
  unsigned schedules = 0; ///< that were run, round robin among them
  /// The first schedule with another end than round robin; nothing: there is none.
  std::optional<ScheduleChoice> differs;
  std::vector<std::string> differences; ///< what is different at the end
  std::optional<Race> race;             ///< nothing where no touch explains it
  std::vector<Mend> mends; ///< with all of them, every schedule ends the same; may be empty
};

/// What is different between two ends, a sentence each: "L1 from 0x30000 to 0x307ff". Who waits,
/// scalar registers and counters do not count.
std::vector<std::string> differences(const TileState& one, const TileState& other);

/// Runs the program from a state: round robin and `others` random and adversarial schedules in
/// turn, fewer where `limits` say to stop. `progress` hears before each of them what is tried, and
/// which schedule it is. Error: as run_program() says.
using RaceProgress = std::function<void(std::string_view what, unsigned number)>;
Expected<RaceReport> find_races(const TileState& start, const TileProgram& program, unsigned others,
                                const RunLimits& limits = {}, const RaceProgress& progress = {});

} // namespace lanewise::tile
