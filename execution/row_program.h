// Programs that spend their time in a loop over the rows of a tile, as most do: .repeat, REPLAY, or
// the unrolled loop of a kernel.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "machine/micro_op.h"
#include "machine/row.h"
#include "machine/state.h"

namespace lanewise::lab {

/// Micro-ops [begin, end()) are `rows` times the same `period` micro-ops.
struct LoopShape {
  std::size_t begin = 0, period = 0, rows = 0;
  std::size_t end() const { return begin + period * rows; }
  friend bool operator==(const LoopShape&, const LoopShape&) = default;
};

/// The loop that covers most of a program: at least four rows, and half of it.
std::optional<LoopShape> find_loop(std::span<const MicroOp> ops);

/// A loop without what is the same whenever it runs: where its accesses go and how it moves the
/// counters, which no values influence.
struct RowProgram {
  LoopShape loop;
  /// Of one row, without what only moves counters. Modes of accesses are never SRCB.
  std::vector<MicroOp> body;
  std::vector<RowAddress> addresses; ///< of every access of every row, in order
  Rwc counters_after;
  bool uses_flags = false; ///< before some row, lanes are enabled by their flags

  /// The accesses of a row.
  std::size_t accesses() const { return addresses.size() / loop.rows; }
};

/// What must hold before each row: no lane has a switch of LaneConfig, and flag stacks are empty.
inline bool are_rows_alike(const VectorState& vector) {
  return vector.switches == LaneSwitches{} && vector.stack.empty_lanes() == kAllLanes;
}

/// The loop of a program that starts in the state `start`; nothing if it has none, or one with
/// instructions other than of the Vector Unit, that change configuration or that the clock has
/// scheduled, or one whose rows are not alike.
std::optional<RowProgram> find_row_program(const MachineState& start, std::span<const MicroOp> ops);

} // namespace lanewise::lab
