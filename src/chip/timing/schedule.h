// The schedule: in which cycle each operation of a program is issued, executes and writes.
//
// No latency of the Vector Unit depends on lane data, so a program is scheduled once and executed
// on any number of tiles. docs/timing.md explains the rules; "VU" and "T" are the project's Vector
// Unit and timing references (docs/sources.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "chip/isa/row.h"
#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"

namespace lanewise::timing {

/// Registers as a mask: bit i = LReg[i], i in 0..16.
using LRegMask = std::uint32_t;

/// Why an instruction waited.
enum class StallCause : std::uint8_t {
  None,
  Result,    ///< reads what the two-cycle instruction before it writes (VU 5.2, T2)
  Spurious,  ///< the stall logic believes so, but it does not (VU 5.3)
  TwoCycles, ///< SFPSWAP or SFPSHFT2 before it holds the unit for two cycles (T3)
  Recording, ///< the replay expander takes in what it records (T1)
  Push,      ///< the RISC-V core has not pushed it yet (T5)
  Wait,      ///< STALLWAIT blocks it until the unit that it names is idle
  DstBlock,  ///< the Matrix Unit is still writing the rows of Dst that it reads (MU 8)
  MatrixUnit ///< the instruction before it lets only some others into the Matrix Unit (MU 8)
};

/// "waits for a result", ...: for people.
std::string_view stall_cause_name(StallCause cause);

/// One instruction of the program on its way through the front end.
///
/// It leaves the front end in cycle `slot` and executes in cycle `executes()`. On Blackhole a
/// stalled instruction waits inside the Vector Unit (`inside`), while others may go to other units
/// (T4); only an instruction that finds its unit taken, or is not there yet, costs the program time
/// (`before`). On Wormhole a stalled instruction holds its thread.
struct Issue {
  std::uint64_t slot = 0;                     ///< cycle in which it leaves the front end
  std::uint32_t op = 0;                       ///< index into MicroProgram::ops
  std::uint32_t before = 0;                   ///< cycles without an issue in front of it
  std::uint32_t inside = 0;                   ///< cycles that it waits in its unit: 0 or 1
  StallCause before_cause = StallCause::None; ///< root cause: what the instruction ahead waited for
  StallCause inside_cause = StallCause::None;
  bool discarded = false; ///< a scheduled instruction took its sub-unit (VU C58): it does nothing

  /// The cycle in which its unit executes it.
  std::uint64_t executes() const { return slot + inside; }
};
static_assert(sizeof(Issue) == 24, "there is one for each micro-op of a program");

/// Something that executes: an instruction, the load of an SFPLOADMACRO, or what one has scheduled.
struct Event {
  std::uint64_t cycle = 0; ///< reads happen at its start
  MicroOp op;              ///< for what is scheduled, operands as overridden (VU C55, C56)
  std::uint32_t issue = 0; ///< index into Schedule::issues: the instruction, or the SFPLOADMACRO
  LRegMask reads = 0;      ///< registers whose value it may use
  LRegMask writes = 0;     ///< registers that it may write
  /// First logical row of Dst that SFPLOAD, SFPSTORE or SFPLOADMACRO accesses, a multiple of 4; -1
  /// = none.
  std::int32_t dst_row = -1;
  /// Of a Matrix Unit instruction: operations that it contributes, in fidelity phase 0 (MU 8).
  std::uint16_t operations = 0;
  isa::SubUnit sub_unit = isa::SubUnit::None; ///< None: not the Vector Unit
  bool scheduled = false;                     ///< by an SFPLOADMACRO
  std::uint8_t latency = 1;                   ///< the result can be read in cycle + latency; 1 or 2
  bool dst_odd = false;  ///< of the odd columns of those rows, not the even ones
  bool dst_wide = false; ///< the access is of 32 bits
};
static_assert(sizeof(Event) == sizeof(MicroOp) + 32, "there is one for each micro-op and more");

/// What went wrong, or nearly so, among scheduled instructions.
enum class MacroNote : std::uint8_t {
  Discarded,         ///< a scheduled instruction took the sub-unit of a regular one (VU C58)
  Cancelled,         ///< a pending instruction was cancelled by one for the same cycle (VU C53)
  UndefinedSelector, ///< selector 1, or selector 2 on Store (VU C54)
  UnsuitableOpcode,  ///< a template that its sub-unit cannot execute became SFPNOP (VU C54)
  UnsuitableStore,   ///< a template on Store that is not SFPSTORE: nothing was scheduled (VU C54)
  StoreLanesDiffer,  ///< only some lanes scheduled a store (VU 5.5)
  LeftPending        ///< still waiting for instructions when the program ended
};

struct MacroRecord {
  MacroNote note = MacroNote::Discarded;
  std::uint64_t cycle = 0;
  std::uint32_t issue = 0; ///< the instruction or SFPLOADMACRO to which it happened
  std::uint32_t other = 0; ///< the SFPLOADMACRO that did it; else as `issue`
  isa::SubUnit sub_unit = isa::SubUnit::None;
};

/// What an instruction that comes too early reads.
enum class HazardModel : std::uint8_t {
  Documented, ///< the value that the program means: regular instructions in program order
  Hardware    ///< the value that is in the register in that cycle
};

/// Cycles that the core takes for a word whose fields it computes (T5).
inline constexpr std::uint32_t kComputedPush = 6;

struct ScheduleOptions {
  HazardModel model = HazardModel::Documented;
  /// Cycles from one word that the core pushes to the next (T5): 1 where the front end never
  /// starves.
  double push_interval = 1.0;
  /// What the core takes to compute and push a word whose fields are variables; 1 where its
  /// compiler has made a constant of it (T5: about kComputedPush).
  std::uint32_t computed_push = 1;
  /// Pauses of the core: cycles by which a word is there later than the front end could take it, by
  /// the index of the word. Words that are not named are pushed as soon as they can be.
  std::map<std::uint32_t, std::uint32_t> pauses = {};
  /// Blackhole's interlock; the ISA says that it can be switched off, without naming how (VU 5.2).
  bool auto_stall = true;
  /// Whether SFPSWAP stalls its follower on Wormhole too (VU Q2).
  bool wormhole_swap_stalls = true;
  /// The official reading: a sequence byte that schedules nothing cancels as well (VU C53).
  bool empty_byte_cancels = false;
};

struct Schedule {
  Arch arch = kDefaultArch;
  std::vector<Issue> issues;        ///< in program order: one for each micro-op
  std::vector<Event> events;        ///< by cycle; within a cycle scheduled ones first
  std::vector<MacroRecord> records; ///< by cycle
  /// Cycles from cycle 0 to the last slot, both included: slots and visible stalls.
  std::uint64_t cycles = 0;
  /// Cycles until the last result is there.
  std::uint64_t drained = 0;
  bool has_macros = false; ///< contains an SFPLOADMACRO
  /// The micro-ops in the order in which they give the values that the clock says, where that is
  /// not the program's: with macros, or not in the documented model.
  std::optional<std::vector<MicroOp>> sequence;

  /// What to give to execute(), of the program that was scheduled. The result is valid as long as
  /// both are.
  std::span<const MicroOp> ops(const MicroProgram& program) const {
    return sequence ? std::span<const MicroOp>(*sequence) : program.ops;
  }
};

/// Schedules a program that starts in state `start`, and executes it on a copy of that state.
///
/// What a schedule depends on beside the program is the configuration, which a program can compute:
/// the macro configuration, LaneConfig and the counters. ops() checks the first two as it executes;
/// if another tile has led to others, ClockState::schedule_is_stale is set and the schedule must
/// be made anew from that tile. Counters only move Event::dst_row.
Schedule schedule(const MachineState& start, const MicroProgram& program,
                  const ScheduleOptions& options = {});

} // namespace lanewise::timing
