// Kernels of micro-ops that only a schedule contains (chip/timing/schedule.h): they put into
// sequence what hardware does at the same time.
#pragma once

#include <cstdint>

#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// What SFPLOADMACRO does without a schedule: its load, and a fault that names it.
void needs_schedule(MachineState& state, const MicroOp& op);

/// Executes op.instruction in the lanes of op.lanes only.
void in_some_lanes(MachineState& state, const MicroOp& op);

/// The same of a kernel on a machine or on what generated code keeps of one.
template <class S, class KernelOfS>
[[gnu::always_inline]] inline void execute_in_lanes(S& s, const MicroOp& op, KernelOfS kernel) {
  s.vector.active = op.lanes;
  kernel(s, op);
  s.vector.active = kAllLanes;
}

/// An LReg that an instruction writes in every lane that is enabled and in `lanes`, also where the
/// result is the value of before.
struct SureWrite {
  static constexpr std::uint8_t kNone = kLRegs;
  std::uint8_t lreg = kNone; ///< kNone: what it writes is seen by what changes
  std::uint32_t lanes = kAllLanes;

  /// The lanes of LReg[`of`] that it writes in this state.
  std::uint32_t lanes_of(unsigned of, const VectorState& vector) const {
    return of == lreg ? lanes & vector.enabled() : 0;
  }
};

/// Holding back a result: `begin_hold(i, registers)`, the instruction, `end_hold(i, sure)` leaves
/// LRegs and flags as before and keeps what it wrote; `release(i)` writes it. `i` is a slot of
/// ClockState::held, `registers` a bit for each LReg that the instruction may write: the same in
/// all three.
MicroOp begin_hold(unsigned slot, std::uint32_t registers);
MicroOp end_hold(unsigned slot, std::uint32_t registers, SureWrite sure);
MicroOp release(unsigned slot, std::uint32_t registers);

/// Whether a micro-op is no instruction, but one of those here.
bool is_bookkeeping(const MicroOp& op);
/// Whether it begins or ends a hold, or writes what was held.
bool begins_hold(const MicroOp& op);
bool ends_hold(const MicroOp& op);
bool releases(const MicroOp& op);
/// Whether it compares the configuration with that of the schedule.
bool checks_configuration(const MicroOp& op);

/// A digest of what a schedule depends on beside the program: macro configuration and LaneConfig.
std::uint64_t configuration_digest(const VectorState& vector);

/// Sets schedule_is_stale if the configuration has another digest than `expected`.
MicroOp check_configuration(std::uint64_t expected);

} // namespace lanewise
