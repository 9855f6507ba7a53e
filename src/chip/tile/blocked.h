// Deadlocks of a program: who waits for what, and which lines would have ended the wait.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chip/isa/tile_program.h"
#include "chip/tile/program_run.h"
#include "chip/tile/run.h"

namespace lanewise::tile {

/// A line whose instruction ends such a wait.
struct Release {
  unsigned thread = 0;
  ProgramWord word;
  std::uint64_t executed = 0; ///< times, in that run

  friend bool operator==(const Release&, const Release&) = default;
};

struct ExplainedWait {
  Blocked blocked;
  std::string releasing; ///< "raises semaphore 1": what the releases do
  std::vector<Release> releases;
  std::string remedy; ///< a sentence
};

/// Each of a run's waits. `counts`: what that run has executed.
std::vector<ExplainedWait> explain_blocked(const TileState& tile, const TileProgram& program,
                                           std::span<const Blocked> blocked,
                                           const ExecutionCounts& counts);

} // namespace lanewise::tile
