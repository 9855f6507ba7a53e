#include "chip/machine/scheduled.h"

#include <algorithm>

#include "base/digest.h"
#include "chip/machine/simd_level.h"

namespace lanewise {

namespace {

MicroOp pseudo_op(Kernel kernel, unsigned slot) {
  MicroOp op;
  op.kernel = op.instruction = kernel;
  op.vd = static_cast<std::uint8_t>(slot);
  return op;
}

// What tells the three apart, whatever the level of their kernels (chip/machine/kernels/hold.h).

void begin(MachineState& s, const MicroOp& op) {
  op.kernel(s, op);
}
void end(MachineState& s, const MicroOp& op) {
  op.kernel(s, op);
}
void write_held(MachineState& s, const MicroOp& op) {
  op.kernel(s, op);
}

MicroOp hold_op(Kernel which, Kernel kernel, unsigned slot, std::uint32_t registers) {
  MicroOp op = pseudo_op(which, slot);
  op.kernel = kernel;
  op.immediate = static_cast<std::int32_t>(registers);
  return op;
}

/// The expected digest stands in `lanes` and `immediate`.
void compare_configuration(MachineState& s, const MicroOp& op) {
  const std::uint64_t expected =
      static_cast<std::uint64_t>(static_cast<std::uint32_t>(op.immediate)) << 32 | op.lanes;
  if (configuration_digest(s.vector) != expected) s.clock.schedule_is_stale = true;
}

} // namespace

void needs_schedule(MachineState& s, const MicroOp& op) {
  s.faults.add(RuntimeFault::NeedsSchedule, op.word, op.line, 0);
  op.instruction(s, op);
}

void in_some_lanes(MachineState& s, const MicroOp& op) {
  execute_in_lanes(s, op, op.instruction);
}

MicroOp begin_hold(unsigned slot, std::uint32_t registers) {
  return hold_op(begin, level_kernels().begin_hold, slot, registers);
}

MicroOp end_hold(unsigned slot, std::uint32_t registers, SureWrite sure) {
  MicroOp op = hold_op(end, level_kernels().end_hold, slot, registers);
  op.va = sure.lreg;
  op.lanes = sure.lanes;
  return op;
}

MicroOp release(unsigned slot, std::uint32_t registers) {
  return hold_op(write_held, level_kernels().release, slot, registers);
}

bool begins_hold(const MicroOp& op) {
  return op.instruction == begin;
}

bool ends_hold(const MicroOp& op) {
  return op.instruction == end;
}

bool releases(const MicroOp& op) {
  return op.instruction == write_held;
}

bool checks_configuration(const MicroOp& op) {
  return op.kernel == compare_configuration;
}

bool is_bookkeeping(const MicroOp& op) {
  return begins_hold(op) || ends_hold(op) || releases(op) || checks_configuration(op);
}

std::uint64_t configuration_digest(const VectorState& v) {
  Fnv1a digest;
  const auto mix = [&](std::uint32_t word) { digest.add(word); };
  for (const auto& columns : v.macro.instruction_template)
    std::for_each(columns.begin(), columns.end(), mix);
  for (const auto& columns : v.macro.sequence) std::for_each(columns.begin(), columns.end(), mix);
  std::for_each(v.macro.misc.begin(), v.macro.misc.end(), mix);
  std::for_each(v.lane_config.begin(), v.lane_config.end(), mix);
  return digest.value();
}

MicroOp check_configuration(std::uint64_t expected) {
  MicroOp op = pseudo_op(compare_configuration, 0);
  op.lanes = static_cast<std::uint32_t>(expected);
  op.immediate = static_cast<std::int32_t>(expected >> 32);
  return op;
}

} // namespace lanewise
