#include "machine/scheduled.h"

#include <algorithm>

#include "base/digest.h"

namespace lanewise {

namespace {

constexpr unsigned kHeldRegisters = 9; ///< LReg[0..7] and LReg[16]

unsigned held_register(unsigned i) {
  return i < kWritableLRegs ? i : kMacroLReg;
}

MicroOp pseudo_op(Kernel kernel, unsigned slot) {
  MicroOp op;
  op.kernel = op.instruction = kernel;
  op.vd = static_cast<std::uint8_t>(slot);
  return op;
}

void begin(MachineState& s, const MicroOp& op) {
  if (s.clock.held.size() <= op.vd) s.clock.held.resize(op.vd + 1U);
  ClockState::HeldWrite& held = s.clock.held[op.vd];
  for (unsigned i = 0; i < kHeldRegisters; ++i)
    std::copy_n(s.vector.lreg[held_register(i)], kLanes, held.value[i].begin());
  held.flags = s.vector.flags;
}

/// Apart from a sure write, a lane that was given the value it already had does not count as
/// written: what another instruction writes there in between would stay, where the ISA does not say
/// which of two results does (VU Q5).
void end(MachineState& s, const MicroOp& op) {
  const SureWrite sure{op.va, op.lanes};
  ClockState::HeldWrite& held = s.clock.held[op.vd];
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    std::uint32_t* now = s.vector.lreg[held_register(i)];
    std::uint32_t lanes = sure.lanes_of(held_register(i), s.vector);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      lanes |= static_cast<std::uint32_t>(now[lane] != held.value[i][lane]) << lane;
      std::swap(now[lane], held.value[i][lane]);
    }
    held.lanes[i] = lanes;
  }
  held.flag_lanes = s.vector.flags ^ held.flags;
  std::swap(s.vector.flags, held.flags);
}

void write_held(MachineState& s, const MicroOp& op) {
  const ClockState::HeldWrite& held = s.clock.held[op.vd];
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    std::uint32_t* target = s.vector.lreg[held_register(i)];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if ((held.lanes[i] >> lane & 1U) != 0) target[lane] = held.value[i][lane];
    }
  }
  s.vector.flags = (s.vector.flags & ~held.flag_lanes) | (held.flags & held.flag_lanes);
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
  s.vector.active = op.lanes;
  op.instruction(s, op);
  s.vector.active = kAllLanes;
}

MicroOp begin_hold(unsigned slot) {
  return pseudo_op(begin, slot);
}

MicroOp end_hold(unsigned slot, SureWrite sure) {
  MicroOp op = pseudo_op(end, slot);
  op.va = sure.lreg;
  op.lanes = sure.lanes;
  return op;
}

MicroOp release(unsigned slot) {
  return pseudo_op(write_held, slot);
}

bool begins_hold(const MicroOp& op) {
  return op.kernel == begin;
}

bool ends_hold(const MicroOp& op) {
  return op.kernel == end;
}

bool is_bookkeeping(const MicroOp& op) {
  return begins_hold(op) || ends_hold(op) || op.kernel == write_held ||
         op.kernel == compare_configuration;
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
