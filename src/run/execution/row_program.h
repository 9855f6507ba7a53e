// Programs that spend their time in a loop over the rows of a tile, as most do: .repeat, REPLAY, or
// the unrolled loop of a kernel.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "chip/machine/micro_op.h"
#include "chip/machine/row.h"
#include "chip/machine/state.h"

namespace lanewise::execution {

/// Micro-ops [begin, end()) are `rows` times the same `period` micro-ops.
struct LoopShape {
  std::size_t begin = 0, period = 0, rows = 0;
  std::size_t end() const { return begin + period * rows; }
  friend bool operator==(const LoopShape&, const LoopShape&) = default;
};

/// The loop that covers most of a program: at least four rows, and half of it.
std::optional<LoopShape> find_loop(std::span<const MicroOp> ops);

/// What an SFPLOAD or SFPSTORE accesses.
struct RowAccess {
  std::uint16_t physical_row;
  bool is_odd;  ///< columns
  bool is_wide; ///< 32 bits
  bool is_store;
  DstMode mode; ///< not SRCB
  friend bool operator==(const RowAccess&, const RowAccess&) = default;
};

/// Four rows of Dst, or eight with those of the low halves, that a body keeps in registers.
struct GroupUse {
  bool is_wide = false, is_stored = false;
};

/// A loop without what is the same whenever it runs: where its accesses go and how it moves the
/// counters, which no values influence.
struct RowProgram {
  LoopShape loop;
  std::size_t rows_per_body = 1;
  /// Without what only moves counters. Accesses are as step() takes them
  /// (chip/machine/kernels/row.h).
  std::vector<MicroOp> body;
  std::vector<GroupUse> groups;    ///< of a body
  std::vector<std::uint16_t> rows; ///< first physical row of each group, body after body
  std::vector<RowAccess> stores;   ///< all of them, in order
  Rwc counters_after;
  bool uses_flags = false; ///< before some row, lanes are enabled by their flags

  std::size_t bodies() const { return loop.rows / rows_per_body; }
};

/// What must hold before each row: no lane has a switch of LaneConfig, and flag stacks are empty.
inline bool are_rows_alike(const VectorState& vector) {
  return vector.switches == LaneSwitches{} && vector.stack.empty_lanes() == kAllLanes;
}

/// The loop of a program that starts in the state `start`; nothing if it has none, or one with
/// instructions other than of the Vector Unit, that change configuration or that the clock has
/// scheduled, or one whose rows are not alike or share cells of Dst.
std::optional<RowProgram> find_row_program(const MachineState& start, std::span<const MicroOp> ops);

} // namespace lanewise::execution
