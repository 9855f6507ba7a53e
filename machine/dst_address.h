// Where SFPLOAD and SFPSTORE access Dst, and what they do to the counters (VU C16..C21).
#pragma once

#include <cstdint>

#include "machine/micro_op.h"
#include "machine/state.h"

namespace lanewise {

/// Mod0 of SFPLOAD and SFPSTORE (seed 000, 2.3).
enum class DstMode : std::uint8_t {
  Srcb,
  Fp16,
  Bf16,
  Fp32,
  Int32,
  Int8,
  Uint16,
  Hi16,
  Int16,
  Lo16,
  Int32All,
  Zero,
  Int32Sm,
  Int8Comp,
  Lo16Only,
  Hi16Only
};

/// Modes whose loads read 32-bit data.
[[gnu::always_inline]] constexpr bool is_32bit(DstMode mode) {
  return mode == DstMode::Fp32 || mode == DstMode::Int32 || mode == DstMode::Int32All ||
         mode == DstMode::Int32Sm;
}
/// Modes whose stores write 32-bit data: HI16 and LO16 too (VU C23).
[[gnu::always_inline]] constexpr bool store_is_32bit(DstMode mode) {
  return is_32bit(mode) || mode == DstMode::Hi16 || mode == DstMode::Lo16;
}

/// SRCB becomes FP32, BF16 or FP16 as configured; other modes stay (VU C21).
DstMode resolve_dst_mode(const ConfigState& config, DstMode mode);

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

} // namespace lanewise
