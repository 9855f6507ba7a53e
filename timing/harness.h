// What a whole tile costs around the rows: harness constants and rolled loops (T5, T6).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/arch.h"
#include "timing/schedule.h"

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
  /// What a pass of its loop over the rows takes beside the row's own instructions (T6).
  double slots_per_row = 0;
};

std::span<const Harness> harnesses();

/// The harness of a name, or nullptr.
const Harness* find_harness(std::string_view name);

/// T = 32 (k + slots of the loop) + O, in cycles.
double tile_cycles(double cycles_per_row, const Harness& harness);

/// An estimate of the cycles that a loop in the core adds on Blackhole to a program that it pushes,
/// `words_per_pass` words in each pass: about 5 per pass, less the stalls of the pass, in which the
/// core can catch up (T5). The last pass does not go back.
std::uint64_t rolled_loop_cycles(const Schedule& schedule, const MicroProgram& program,
                                 std::size_t words_per_pass);

} // namespace lanewise::timing
