#include "chip/machine/scheduled.h"

#include <emmintrin.h>

#include <algorithm>

#include "base/digest.h"
#include "chip/machine/bits.h"

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

/// Calls function(register, its place in HeldWrite::value) for those of `registers` that are held.
template <class Function>
void for_registers(std::uint32_t registers, Function&& function) {
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    if ((registers >> held_register(i) & 1U) != 0) function(held_register(i), i);
  }
}

/// Exchanges two registers; the lanes in which they differ.
std::uint32_t exchange(std::uint32_t* a, std::uint32_t* b) {
  std::uint32_t differing = 0;
  for (unsigned lane = 0; lane < kLanes; lane += 4) {
    auto* const at_a = reinterpret_cast<__m128i*>(a + lane);
    auto* const at_b = reinterpret_cast<__m128i*>(b + lane);
    const __m128i from_a = _mm_loadu_si128(at_a), from_b = _mm_loadu_si128(at_b);
    const __m128i same = _mm_cmpeq_epi32(from_a, from_b);
    const auto lanes = static_cast<unsigned>(~_mm_movemask_ps(_mm_castsi128_ps(same))) & 15U;
    differing |= lanes << lane;
    _mm_storeu_si128(at_a, from_b);
    _mm_storeu_si128(at_b, from_a);
  }
  return differing;
}

/// The registers stand in `immediate`.
void begin(MachineState& s, const MicroOp& op) {
  if (s.clock.held.size() <= op.vd) s.clock.held.resize(op.vd + 1U);
  ClockState::HeldWrite& held = s.clock.held[op.vd];
  held.registers = static_cast<std::uint32_t>(op.immediate);
  for_registers(held.registers, [&](unsigned lreg, unsigned i) {
    std::copy_n(s.vector.lreg[lreg], kLanes, held.value[i].begin());
  });
  held.flags = s.vector.flags;
}

/// Apart from a sure write, a lane that was given the value it already had does not count as
/// written: what another instruction writes there in between would stay, where the ISA does not say
/// which of two results does (VU Q5).
void end(MachineState& s, const MicroOp& op) {
  const SureWrite sure{op.va, op.lanes};
  ClockState::HeldWrite& held = s.clock.held[op.vd];
  for_registers(held.registers, [&](unsigned lreg, unsigned i) {
    held.lanes[i] =
        sure.lanes_of(lreg, s.vector) | exchange(s.vector.lreg[lreg], held.value[i].data());
  });
  held.flag_lanes = s.vector.flags ^ held.flags;
  std::swap(s.vector.flags, held.flags);
}

void write_held(MachineState& s, const MicroOp& op) {
  const ClockState::HeldWrite& held = s.clock.held[op.vd];
  for_registers(held.registers, [&](unsigned lreg, unsigned i) {
    std::uint32_t* target = s.vector.lreg[lreg];
    const auto& value = held.value[i];
    if (held.lanes[i] == kAllLanes) {
      std::copy_n(value.begin(), kLanes, target);
      return;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane)
      target[lane] = blend(0U - (held.lanes[i] >> lane & 1U), value[lane], target[lane]);
  });
  s.vector.flags = blend(held.flag_lanes, held.flags, s.vector.flags);
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

MicroOp begin_hold(unsigned slot, std::uint32_t registers) {
  MicroOp op = pseudo_op(begin, slot);
  op.immediate = static_cast<std::int32_t>(registers);
  return op;
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
