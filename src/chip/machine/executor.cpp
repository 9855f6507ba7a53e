#include "chip/machine/executor.h"

#include <optional>
#include <utility>

#include "chip/isa/effects.h"
#include "chip/machine/host_arithmetic.h"
#include "chip/machine/lane_groups.h"

namespace lanewise {

namespace {

/// VU C34 names them.
bool may_write_indices(isa::Op op) {
  return op == isa::Op::SFPLOAD || op == isa::Op::SFPLOADI || op == isa::Op::SFPSWAP ||
         op == isa::Op::SFPTRANSP;
}

/// Lanes in which an instruction that may not do so writes one of LReg[4..7].
std::uint32_t lanes_writing_indices(const VectorState& v, Arch arch, const MicroOp& op) {
  constexpr isa::LRegSet kIndices = 0xF0, kAnyGeneral = 0xFF;
  const isa::Effects effects(arch, op.word);
  const isa::LRegSet written = effects.lregs_written();
  if (may_write_indices(op.op) || (written & kIndices) == 0) return 0;
  std::uint32_t lanes = effects.lane_scope() == isa::LaneScope::Enabled ? v.enabled() : kAllLanes;
  // A template write executes only where the back door is closed (VU C13).
  if (op.vd >= kFirstTemplateVd) lanes &= v.switches.backdoor_closed;
  if (written != kAnyGeneral) return lanes;
  // Indirect VD can reach any register, and reaches the one that LReg[7] names (VU C15).
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::uint32_t index = v.lreg[7][lane] & 15;
    if (index < 4 || index > 7) lanes &= ~(1U << lane);
  }
  return lanes;
}

/// VU C34 (TEN-2932): with ENABLE_DEST_INDEX, such an instruction leaves an unspecified value in
/// LReg[4..7].
void check_index_registers(MachineState& state, const MicroOp& op) {
  const std::uint32_t lanes = state.vector.switches.dest_index &
                              lanes_writing_indices(state.vector, state.config.arch(), op);
  if (lanes != 0) state.faults.add(RuntimeFault::IndexRegisterWritten, op.word, op.line, lanes);
}

} // namespace

void execute_in_group(MachineState& state, std::span<const MicroOp> ops) {
  const HostArithmetic arithmetic(state.config.arch());
  for (const MicroOp& op : ops) {
    if (state.vector.switches.dest_index != 0) [[unlikely]]
      check_index_registers(state, op);
    op.kernel(state, op);
  }
}

void execute(MachineState& state, std::span<const MicroOp> ops) {
  if (state.resting.empty()) return execute_in_group(state, ops);
  // What can go wrong there goes wrong in all groups: it is said once.
  std::optional<FaultLog> faults;
  for_each_lane_group(state, [&] {
    execute_in_group(state, ops);
    if (!faults) faults = state.faults;
  });
  state.faults = std::move(*faults);
}

} // namespace lanewise
