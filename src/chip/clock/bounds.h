// What holds a tile up: cycles that each of its parts would need if only its own work counted, for
// a tile of a steady run (docs/timing.md, "A whole tile").
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "chip/clock/timed_run.h"

namespace lanewise::clock {

/// A part, and the cycles that it would need alone.
struct Bound {
  std::string part; ///< "core of T0", "issue of T1", "unpacker 0", "Matrix Unit", "packer"
  double cycles = 0;
};

/// A tile's share of a run.
struct PerTile {
  std::uint64_t tiles = 0;        ///< of the run: counted by PACRs that end one, or as it was told
  bool is_steady = false;         ///< over the last half of them; else over the whole run
  double cycles = 0;              ///< of a tile
  std::vector<Bound> bounds = {}; ///< all that did something, cores first
  std::size_t largest = 0;        ///< of `bounds`: nothing can be faster
};

/// The fewest tiles of which a half says how fast all would go on.
inline constexpr std::size_t kSteadyTiles = 4;

/// Cycles that each part would need for what it has done: a core its own code, a thread one cycle
/// for each instruction, or as long as it keeps the next from issuing, units what they have worked,
/// with what their own results and rows make them wait.
std::vector<Bound> bounds_of(Arch arch, const Figures& figures);

/// `tiles`: as many as the program makes; 0: as many as PACRs have ended, at least one.
PerTile per_tile(Arch arch, const TimedResult& result, std::uint64_t tiles = 0);

} // namespace lanewise::clock
