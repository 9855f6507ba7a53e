// Programs that spend their time in a loop over the rows of a tile, as most do: .repeat, REPLAY, or
// the unrolled loop of a kernel; also one that SFPLOADMACRO has spread over rows, where the program
// is what the clock has made of it (chip/timing/sequence.h).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/row.h"
#include "chip/machine/state.h"
#include "run/execution/row_access.h"

namespace lanewise::execution {

/// Micro-ops [begin, end()) are `rows` times the same `period` micro-ops, but for where they load
/// and store.
struct LoopShape {
  std::size_t begin = 0, period = 0, rows = 0;
  std::size_t end() const { return begin + period * rows; }
  friend bool operator==(const LoopShape&, const LoopShape&) = default;
};

/// The loop that covers most of a program: at least four rows, and half of it.
std::optional<LoopShape> find_loop(std::span<const MicroOp> ops);

/// Straight code that is executed `count` times.
struct RowBody {
  std::size_t first = 0, size = 0; ///< of RowProgram::ops
  std::size_t count = 1;
  std::vector<GroupUse> groups;
};

/// ClockState::address.
using Addresses = std::array<std::uint16_t, ClockState::kAddressSlots>;

/// A loop, and what stands around it, without what is the same whenever it runs: where its accesses
/// go and how it moves the counters, which no values influence.
struct RowProgram {
  std::size_t begin = 0, end = 0; ///< the micro-ops of the program that it stands for
  /// Of all bodies, without what only moves counters. Accesses are as step() takes them
  /// (chip/machine/kernels/row.h).
  std::vector<MicroOp> ops;
  std::vector<RowBody> bodies;     ///< before the loop, if there is one; the loop; behind it
  std::vector<std::uint16_t> rows; ///< first physical row of each group, body after body
  std::vector<RowAccess> stores;   ///< all of them, in order
  Rwc counters_after;
  Addresses addresses_after{};
  bool uses_flags = false; ///< before some body, lanes are enabled by their flags
};

/// What must hold before each body: no lane has a switch of LaneConfig, and flag stacks are empty.
inline bool are_rows_alike(const VectorState& vector) {
  return vector.switches == LaneSwitches{} && vector.stack.empty_lanes() == kAllLanes;
}

/// Whether a micro-op may write the configuration that schedules depend on.
bool may_configure(const MicroOp& op);

/// The loop of a program that starts in the state `start`. Error: BadInput, which names what keeps
/// it from being generated: there is none; an instruction other than of the Vector Unit or that
/// changes configuration; rows that are not alike or share cells of Dst.
Expected<RowProgram> find_row_program(const MachineState& start, std::span<const MicroOp> ops);

} // namespace lanewise::execution
