// Programs that spend their time in loops over the rows of a tile, as most do: .repeat, REPLAY, or
// the unrolled loop of a kernel, once for all rows or once for each face; also loops that
// SFPLOADMACRO has spread over rows, where the program is what the clock has made of it
// (chip/timing/sequence.h).
#pragma once

#include <array>
#include <cstddef>
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

/// The loops over rows, one behind the other: of rows that load or store, of at least 2.
std::vector<LoopShape> find_loops(std::span<const MicroOp> ops, std::size_t fewest_rows);

/// Whether its word and line are told in a fault.
bool may_fault(isa::Op op);

/// Straight code during which the same groups of Dst stay in registers.
struct RowPart {
  std::size_t first = 0, size = 0; ///< of RowProgram::ops
  std::vector<GroupUse> groups;
};

/// Straight code.
struct RowBody {
  std::vector<RowPart> parts;
  bool uses_flags = false;     ///< before it, lanes are enabled by their flags
  bool has_empty_stack = true; ///< before it, the flag stacks are empty
};

/// `count` times a body.
struct RowRun {
  std::size_t body = 0, count = 1;
  friend bool operator==(const RowRun&, const RowRun&) = default;
};

/// ClockState::address.
using Addresses = std::array<std::uint16_t, ClockState::kAddressSlots>;

/// The loops of a program, and what stands between them, without what is the same whenever they
/// run: where accesses go and how they move the counters, which no values influence.
struct RowProgram {
  std::size_t begin = 0, end = 0; ///< the micro-ops of the program that it stands for
  std::uint32_t use_flags = 0;    ///< VectorState::use_flags before them
  /// Of all bodies, without what only moves counters. Accesses are as step() takes them
  /// (chip/machine/kernels/row.h).
  std::vector<MicroOp> ops;
  std::vector<RowBody> bodies;
  std::vector<RowRun> runs;
  std::vector<std::uint16_t> rows; ///< first physical row of each group, as the runs need them
  std::vector<RowAccess> stores;   ///< all of them, in order
  Rwc counters_after;
  Addresses addresses_after{};
};

/// Whether a micro-op may write the configuration that schedules depend on.
bool may_configure(const MicroOp& op);

/// Whether it must be executed by the program that loads generated code: instructions that move
/// values between lanes or look them up in tables are loops over single lanes, in which the
/// compiler cannot keep registers apart; SFPCONFIG has no form for generated code.
bool is_left_to_host(const MicroOp& op);

/// The loops of a program that starts in the state `start`. Error: BadInput, which names what keeps
/// them from being generated: an instruction other than of the Vector Unit or that changes
/// configuration; lanes that are switched off; more code than g++ should be given.
Expected<RowProgram> find_row_program(const MachineState& start, std::span<const MicroOp> ops);

} // namespace lanewise::execution
