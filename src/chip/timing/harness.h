// What a whole tile costs around the rows: harness constants and rolled loops (T5, T6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// Rows of 32 lanes in a tile.
inline constexpr unsigned kRowsPerTile = 32;

/// A way in which published measurements run a kernel over a tile: it costs `overhead` cycles
/// beside the rows (T6).
struct Harness {
  std::string_view name;    ///< as on the command line
  Arch arch;                ///< chip on which it was measured
  double overhead;          ///< O of T = 32 k + O, in cycles
  std::string_view summary; ///< what it consists of
  /// Slots of each pass of a loop over the rows that stays a loop in the core: T = 32 k + n + O
  /// with n passes. 0 where there is no such loop, or the constant has it.
  double per_pass = 0;
  /// Every word is replayed, so that what a loop of the core costs comes on top (`--rolled`).
  bool replayed = false;
  /// How often a loop over the faces goes back in the core, which the constant has at
  /// ArchParams::cores.loop_return_cycles each. Stalls hide them (T5).
  unsigned returns = 0;
};

/// Cycles with which the constants count LLK's steps from face to face: two SETRWC behind each of
/// four. A kernel that LLK calls once for the whole tile (VectorMode RC_custom) has none.
inline constexpr double kFaceSteps = 8;

std::span<const Harness> harnesses();

/// The harness of a name, or nullptr.
const Harness* find_harness(std::string_view name);

/// "bh-llk, wh-rolled, ...": the names of all.
std::string harness_names();

/// The harness of a name. Error: BadInput that lists the names.
Expected<const Harness*> parse_harness(std::string_view name);

/// What a program does that decides in which harness its like was measured.
struct HarnessTraits {
  bool is_32bit = false;     ///< Dst has 32 bits: no copy into it
  bool two_operands = false; ///< it loads from a second tile
  bool replays = false;      ///< REPLAY plays its rows, so that the core keeps up
};

/// The harness in which published measurements run such a program; nullptr if there is none.
const Harness* choose_harness(Arch arch, const HarnessTraits& traits);

/// The name that stands for choose_harness() on the command line.
inline constexpr std::string_view kChosenHarness = "auto";

/// Of the returns that the constant has, the cycles that `stalls` per tile hide: the core catches
/// up in them.
double hidden_returns(const Harness& harness, double stalls);

/// What a harness shows for a tile: the tile itself, its loop and its constant. `tile` is in
/// cycles; a rolled loop has `passes` passes per tile.
double harness_cycles(const Harness& harness, double tile, double passes);

/// An estimate of the cycles that a loop in the core adds to a tile where the core pushes
/// `words_per_pass` words of the kernel in each pass: ArchParams::cores.loop_return_cycles whenever
/// it goes back, less the stalls of the pass, in which it catches up (T5). The last pass does not
/// go back.
///
/// `schedule` is that of `prepared`, which is made of `program`.
std::uint64_t rolled_loop_cycles(const Schedule& schedule, const MicroProgram& prepared,
                                 const Program& program, std::size_t words_per_pass);

} // namespace lanewise::timing
