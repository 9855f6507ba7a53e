// From a program to its row: what it does for every 32 lanes of a tile, and where.
#pragma once

#include <cstdint>
#include <vector>

#include "base/fault.h"
#include "chip/isa/program.h"
#include "run/execution/tile_runner.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Nodes of a row that is searched in the order in which its result needs them; a longer one is
/// searched in that of the program.
inline constexpr std::size_t kShortRow = 24;

/// A program as rows that do the same to different places of Dst.
struct Rows {
  RowGraph row;
  std::vector<std::uint32_t> addresses; ///< of the stores, in the order of the program
  std::uint32_t stride = 2;             ///< from one address to the next
  std::uint32_t dst_counter = 0;        ///< how far the program moves the Dst counter, modulo 1024
};

/// Follows the values of a program through its registers, one row per store.
/// Error: Unsupported with the reason and the line, where rows are predicated, depend on each
/// other, on what was there before or on random numbers, differ, or use what is not known here.
Expected<Rows> find_rows(Arch arch, const Program& program,
                         const execution::TileRunOptions& options);

} // namespace lanewise::tune
