#include "chip/timing/access.h"

#include <bit>

#include "chip/isa/def_use.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/fields.h"
#include "chip/machine/dst_address.h"
#include "chip/machine/vector/vector_state.h"

namespace lanewise::timing {

namespace {

using isa::Op;
using isa::SubUnit;

// Modes of SFPSHFT2: up to kLastOfFour they write LReg[0..3], from kShiftByRegister on they shift
// bits.
constexpr unsigned kLastOfFour = isa::kMode<Op::SFPSHFT2, "SUBVEC_SHFLROR1_AND_COPY4">;
constexpr unsigned kShiftByRegister = isa::kMode<Op::SFPSHFT2, "SHFT_LREG">;

/// A scheduled instruction's word with its second source where regular instructions have it: in VD.
std::uint32_t source_word(Arch arch, const MicroOp& op) {
  const isa::Field* vd = isa::decode(arch, op.word).row->field("VD");
  if (vd == nullptr) return op.word;
  const bool immediate_class = op.op == Op::SFPADDI || op.op == Op::SFPMULI;
  return (op.word & ~vd->mask()) | vd->insert(immediate_class ? op.vc : op.vb);
}

/// Logic instructions that SFPLOADMACRO schedules read VB whatever their mode says (VU C55).
bool is_logic(Op op) {
  return op == Op::SFPAND || op == Op::SFPOR;
}

} // namespace

LRegMask reads_of(Arch arch, const MicroOp& op, bool scheduled, bool indices) {
  if (!scheduled) return isa::lregs_read(arch, op.word, indices);
  if (op.op == Op::SFPNOP) return 0;
  if (op.op == Op::SFPSTORE) return 1U << op.vd;
  if (is_logic(op.op)) return 1U << op.vb | 1U << op.vc;
  if (op.op == Op::SFPSHFT2 && op.mod >= kShiftByRegister) // an immediate's low bits are not VB
    return 1U << op.vb | (op.mod == kShiftByRegister ? 1U << op.vc : 0);
  return isa::lregs_read(arch, source_word(arch, op), indices);
}

LRegMask writes_of(Arch arch, const MicroOp& op, bool scheduled, bool indices) {
  if (!scheduled) return isa::lregs_written(arch, op.word, indices);
  if (op.op == Op::SFPNOP || op.op == Op::SFPSTORE || op.op == Op::SFPCONFIG) return 0;
  const LRegMask written = isa::lregs_written(arch, op.word, indices);
  if (op.vd != kMacroLReg || op.op == Op::SFPSWAP || op.op == Op::SFPTRANSP) return written;
  if (op.op == Op::SFPSHFT2 && op.mod <= kLastOfFour) return written; // whatever VD is (VU C36)
  return written != 0 ? 1U << kMacroLReg : 0; // indirect VD does not reach it (VU C15)
}

SureWrite sure_write(const Event& event) {
  if (event.sub_unit != SubUnit::Mad || !std::has_single_bit(event.writes)) return {};
  return {static_cast<std::uint8_t>(std::countr_zero(event.writes)), event.op.lanes};
}

bool writes_flags(const MicroOp& op) {
  return isa::may_change_lanes(op.op);
}

bool is_vector(Arch arch, const MicroOp& op) {
  const isa::Row* row = isa::decode(arch, op.word).row;
  return row != nullptr && row->unit == isa::Unit::Vector;
}

SubUnit sub_unit_of(Arch arch, const MicroOp& op) {
  return sub_unit_of(isa::decode(arch, op.word).row);
}

SubUnit sub_unit_of(const isa::Row* row) {
  if (row == nullptr || row->unit != isa::Unit::Vector) return SubUnit::None;
  return row->op == Op::SFPNOP ? SubUnit::Load : row->sub_unit;
}

bool can_schedule(Arch arch, SubUnit sub_unit, Op op) {
  if (op == Op::SFPNOP) return sub_unit != SubUnit::Store;
  const isa::Row* row = isa::find_row(arch, op);
  return row != nullptr && row->unit == isa::Unit::Vector && row->sub_unit == sub_unit;
}

DstPlace dst_place_of(const MachineState& state, const MicroOp& op) {
  const bool loads = is_load(op);
  if (!loads && !is_store(op)) return {};
  if (loads && op.address_slot != 0) { // a load computes its address
    MicroOp load = op;
    load.address_slot = 0;
    return dst_place_of(state, load);
  }
  const DstMode mode = resolve_dst_mode(state.config, static_cast<DstMode>(op.mod));
  const bool wide = loads ? is_32bit(mode) : store_is_32bit(mode);
  const auto place = [wide](const DstAddress& address) {
    return DstPlace{static_cast<std::int32_t>(address.row), address.odd != 0, wide};
  };
  if (has_plain_address(state, op, mode)) return place(plain_address(state, op, wide));
  return place(store_address(state, op, mode));
}

} // namespace lanewise::timing
