// Where SFPLOAD and SFPSTORE access Dst, and what they do to the counters (VU C16..C21).
#pragma once

#include <cstdint>

#include "chip/machine/dst_mode.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// SRCB becomes FP32, BF16 or FP16 as configured; other modes stay (VU C21).
[[gnu::always_inline]] inline DstMode resolve_dst_mode(const ConfigState& config, DstMode mode) {
  return mode == DstMode::Srcb ? config.dst_settings().srcb : mode;
}

struct DstAddress {
  unsigned row; ///< first of the four logical rows, a multiple of 4
  /// Of `row`; in 32-bit modes, and in all modes with the view of high halves, the row of the high
  /// halves. The other three rows follow.
  unsigned physical_row;
  unsigned odd; ///< Addr[1]: 1 for odd columns. (As wide as the others, so that all are returned in
                ///< registers.)
};

/// Address of a load. On Blackhole, an INT32_ALL load first decrements the stack pointer (VU C17).
/// The load of an SFPLOADMACRO keeps it in op.address_slot.
DstAddress load_address(MachineState& state, const MicroOp& op, DstMode mode);
/// Address of a store: for one that SFPLOADMACRO scheduled, what its load has kept.
DstAddress store_address(const MachineState& state, const MicroOp& op, DstMode mode);

/// ADDR_MOD, once per instruction and whatever the lanes did (VU C19).
void finish_load(MachineState& state, const MicroOp& op);
/// ADDR_MOD, and on Blackhole the stack pointer after an INT32_ALL store.
void finish_store(MachineState& state, const MicroOp& op, DstMode mode);

// What most accesses are, inline in the kernels of each level: no stack, no macro, no rows that are
// moved, and counters that stay.

/// Whether plain_address() is the address.
[[gnu::always_inline]] inline bool has_plain_address(const MachineState& s, const MicroOp& op,
                                                     DstMode mode) {
  return s.config.dst_settings().rows_stay && op.address_slot == 0 && mode != DstMode::Int32All;
}

/// VU C17; `wide`: 32-bit data.
[[gnu::always_inline]] inline DstAddress plain_address(const MachineState& s, const MicroOp& op,
                                                       bool wide) {
  const DstSettings& settings = s.config.dst_settings();
  const std::uint32_t address = (static_cast<std::uint32_t>(op.immediate) + settings.offset +
                                 s.rwc.dst + ((s.rwc.sp + settings.stack_base) & 3)) &
                                kDstAddressMask;
  const unsigned row = address & ~3U;
  const bool adjusts = wide || settings.high_halves;
  const unsigned wide_row = ((row & 0x1F8) << 1) | (row & 0x207);
  return {.row = row, .physical_row = adjusts ? wide_row : row, .odd = address >> 1 & 1};
}

/// Whether the access' ADDR_MOD moves nothing.
[[gnu::always_inline]] inline bool counters_stay(const MachineState& s, const MicroOp& op) {
  const DstSettings& settings = s.config.dst_settings();
  return (settings.sections_that_stay >> (op.addr_mod + (s.rwc.bias != 0 ? 8 : 0)) & 1U) != 0;
}

} // namespace lanewise
