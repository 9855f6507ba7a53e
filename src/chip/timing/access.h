// What a micro-op reads, writes and occupies: the words' sets (chip/isa/def_use.h), with the
// operands that SFPLOADMACRO has overridden.
#pragma once

#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/scheduled.h"
#include "chip/machine/state.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// LRegs that it reads. `indices`: whether ENABLE_DEST_INDEX is set, with which SFPSWAP moves index
/// registers.
LRegMask reads_of(Arch arch, const MicroOp& op, bool scheduled, bool indices);

/// LRegs that it may write; bit 16 for LReg[16].
LRegMask writes_of(Arch arch, const MicroOp& op, bool scheduled, bool indices);

/// What an event writes in every enabled lane, whatever comes out: the one destination of what the
/// MAD sub-unit executes. Nothing is sure where VD depends on the lane.
SureWrite sure_write(const Event& event);

/// Whether it may change LaneFlags or UseLaneFlagsForLaneEnable, in whichever mode.
bool writes_flags(const MicroOp& op);

/// Whether it is of the Vector Unit. SFPNOP is, and issues to its Load sub-unit (VU 5.5).
bool is_vector(Arch arch, const MicroOp& op);

/// The sub-unit that executes it; None outside the Vector Unit.
isa::SubUnit sub_unit_of(Arch arch, const MicroOp& op);
isa::SubUnit sub_unit_of(const isa::Row* row); ///< the same; nullptr: no instruction

/// Whether a sub-unit can execute a scheduled instruction (VU 5.5).
bool can_schedule(Arch arch, isa::SubUnit sub_unit, isa::Op op);

/// What a load or store accesses.
struct DstPlace {
  std::int32_t row = -1; ///< first logical row, a multiple of 4; -1 of other instructions
  bool odd = false;      ///< the odd columns of those rows, not the even ones
  bool wide = false;     ///< data of 32 bits
};

/// What an instruction would access in this state.
DstPlace dst_place_of(const MachineState& state, const MicroOp& op);

/// SFPLOAD, SFPLOADMACRO.
inline bool is_load(const MicroOp& op) {
  return op.op == isa::Op::SFPLOAD || op.op == isa::Op::SFPLOADMACRO;
}
/// SFPSTORE.
inline bool is_store(const MicroOp& op) {
  return op.op == isa::Op::SFPSTORE;
}

} // namespace lanewise::timing
