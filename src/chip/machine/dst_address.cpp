#include "chip/machine/dst_address.h"

#include "chip/machine/addr_mod_moves.h"

namespace lanewise {

using isa::ConfigField;

namespace {

/// VU C17. DEST_REGW_BASE is documented as a further summand, but silicon does not instantiate it.
std::uint32_t address_of(const MachineState& s, const MicroOp& op, DstMode mode) {
  const ConfigState& config = s.config;
  const std::uint32_t fixed = static_cast<std::uint32_t>(op.immediate) +
                              config.get(ConfigField::DEST_TARGET_REG_CFG_MATH_Offset);
  // On Wormhole the stack pointer and its base are always 0.
  const std::uint32_t sp = s.rwc.sp + config.get(ConfigField::DEST_SP_BASE_Base);
  const std::uint32_t moving =
      mode == DstMode::Int32All ? sp + (s.rwc.dst & 3) : s.rwc.dst + (sp & 3);
  return (fixed + moving) & kDstAddressMask;
}

DstAddress place(const MachineState& s, std::uint32_t address, bool wide) {
  const unsigned row = address & ~3U;
  unsigned adjusted = row;
  if (s.config.get(ConfigField::DEST_ACCESS_CFG_remap_addrs) != 0) adjusted = remap_row(adjusted);
  if (wide || s.config.dst16_view() == Dst16View::HighHalves) {
    if (s.config.get(ConfigField::DEST_ACCESS_CFG_swizzle_32b) != 0)
      adjusted = swizzle_row_32(adjusted);
    adjusted = adjust_row_32(adjusted);
  }
  return {.row = row, .physical_row = adjusted, .odd = address >> 1 & 1};
}

void apply_partial_addr_mod(MachineState& s, const MicroOp& op) {
  const AddrModWords words = s.config.addr_mod_words(op.addr_mod, s.rwc);
  if ((words.ab | words.dst | words.bias) == 0) return; // moves nothing, as most accesses do
  move_counters(s.rwc, words, false);
}

bool uses_stack(const MachineState& s, DstMode mode) {
  return mode == DstMode::Int32All && arch_params(s.config.arch()).vector.has_stack_pointer;
}

} // namespace

DstAddress load_address(MachineState& s, const MicroOp& op, DstMode mode) {
  if (uses_stack(s, mode) && s.rwc.sp != 0) {
    s.rwc.sp = (s.rwc.sp - s.config.get(ConfigField::SFPU_STACK_Incr)) & kDstAddressMask;
  }
  const std::uint32_t address = address_of(s, op, mode);
  if (op.address_slot != 0) [[unlikely]]
    s.clock.address[op.address_slot] = static_cast<std::uint16_t>(address);
  return place(s, address, is_32bit(mode));
}

DstAddress store_address(const MachineState& s, const MicroOp& op, DstMode mode) {
  const std::uint32_t address =
      op.address_slot == 0 ? address_of(s, op, mode) : s.clock.address[op.address_slot];
  return place(s, address, store_is_32bit(mode));
}

void finish_load(MachineState& s, const MicroOp& op) {
  apply_partial_addr_mod(s, op);
}

void finish_store(MachineState& s, const MicroOp& op, DstMode mode) {
  if (op.address_slot != 0) return; // a scheduled store moves nothing (VU 5.5)
  if (uses_stack(s, mode)) {
    s.rwc.sp = (s.rwc.sp + s.config.get(ConfigField::SFPU_STACK_Incr)) & kDstAddressMask;
  }
  apply_partial_addr_mod(s, op);
}

} // namespace lanewise
