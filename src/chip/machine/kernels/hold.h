// Results that are held back until the clock lets others see them (chip/machine/scheduled.h, which
// makes the micro-ops): `vd` is the slot, `immediate` has a bit for each LReg that the instruction
// may write. Templates over the state like the instructions that stand between them.
#pragma once

#include "chip/machine/kernels/lane_access.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/scheduled.h"

namespace lanewise::LANEWISE_LEVEL {

LANEWISE_INLINE HeldWrite& held_in(MachineState& s, unsigned slot) {
  if (s.clock.held.size() <= slot) s.clock.held.resize(slot + 1U);
  return s.clock.held[slot];
}

/// Calls function(LReg, its place in HeldWrite) for the registers of a micro-op.
template <class Function>
LANEWISE_INLINE void for_held_registers(const MicroOp& op, Function&& function) {
  const auto registers = static_cast<std::uint32_t>(op.immediate);
  for (unsigned i = 0; i < kHeldRegisters; ++i) {
    if ((registers >> held_register(i) & 1U) != 0) function(held_register(i), i);
  }
}

/// Keeps what is there before the instruction.
template <class S>
LANEWISE_INLINE void begin_held(S& s, const MicroOp& op) {
  HeldWrite& held = held_in(s, op.vd);
  for_held_registers(op, [&](unsigned lreg, unsigned i) {
    for (unsigned c = 0; c < kChunks; ++c) store(held.value[i], c, load(s.vector.lreg[lreg], c));
  });
  held.flags = s.vector.flags;
}

/// Exchanges what the instruction has written for what was there. Apart from a sure write, a lane
/// that was given the value it already had does not count as written: what another instruction
/// writes there in between would stay, where the ISA does not say which of two results does (VU
/// Q5).
template <class S>
LANEWISE_INLINE void end_held(S& s, const MicroOp& op) {
  const SureWrite sure{op.va, op.lanes};
  HeldWrite& held = held_in(s, op.vd);
  for_held_registers(op, [&](unsigned lreg, unsigned i) {
    std::uint32_t same = 0;
    for (unsigned c = 0; c < kChunks; ++c) {
      const U before = load(held.value[i], c), after = load(s.vector.lreg[lreg], c);
      same |= compress_mask(semantics::equal(before, after), c);
      store(held.value[i], c, after);
      store(s.vector.lreg[lreg], c, before);
    }
    held.lanes[i] = sure.lanes_of(lreg, s.vector) | ~same;
  });
  const std::uint32_t written = s.vector.flags;
  held.flag_lanes = written ^ held.flags;
  s.vector.flags = held.flags;
  held.flags = written;
}

/// Writes what was held.
template <class S>
LANEWISE_INLINE void release_held(S& s, const MicroOp& op) {
  const HeldWrite& held = held_in(s, op.vd);
  for_held_registers(op, [&](unsigned lreg, unsigned i) {
    write_lanes(s.vector.lreg[lreg], held.lanes[i],
                [&](unsigned c) { return load(held.value[i], c); });
  });
  s.vector.flags = blend_bits(held.flag_lanes, held.flags, s.vector.flags);
}

} // namespace lanewise::LANEWISE_LEVEL
