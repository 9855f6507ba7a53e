// What depends on the time at which the core pushes a word: the program runs again with a pause of
// the core, and the results are compared.
//
// A word that comes late moves itself and all that follow. What is under way at that time does not
// wait: what SFPLOADMACRO has scheduled, and results of two cycles. So pauses are tried before each
// word that finds something under way, and as long as that takes: a longer one changes no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "chip/isa/program.h"
#include "chip/machine/state.h"
#include "chip/timing/hazards/hazards.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// How many pauses of the core are tried.
enum class PauseSearch : std::uint8_t {
  None,
  /// In programs with macros, one tile; of the words of a line the first and the last few, so that
  /// an unrolled loop costs no more than a short one.
  Quick,
  Whole ///< every word, on several tiles, also what hardware reads of a result that is not there
};

/// How much has been tried.
struct PausesTried {
  std::size_t words = 0;     ///< that the core pushes
  std::size_t paused = 0;    ///< of them, those that find something under way
  std::size_t runs = 0;      ///< programs that were scheduled and executed
  std::uint32_t longest = 0; ///< the longest pause, in cycles
  std::size_t changed = 0;   ///< words whose being late changes results
  bool whole = true;         ///< nobody has stopped it
};

/// Hears of each word, and how many there are; false stops.
using PauseProgress = std::function<bool(std::size_t done, std::size_t all)>;

struct LatePushes {
  std::vector<Hazard> hazards; ///< rule late-push, one per line whose word comes late
  PausesTried tried;
};

/// Runs `program`, which `expanded` comes from and which starts in the state `start`, with pauses.
/// What is compared is Dst and which lanes are enabled at the end; of a program that stores nothing
/// LReg[0..7] as well. Tiles and LReg[0..7] are random.
LatePushes find_late_pushes(const Program& program, const MicroProgram& expanded,
                            const MachineState& start, PauseSearch search,
                            const PauseProgress& progress = {});

} // namespace lanewise::timing
