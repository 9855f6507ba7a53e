// What the instructions of the Matrix Unit that move data or control share.
#pragma once

#include "chip/isa/fields.h"
#include "chip/machine/micro_op.h"
#include "chip/machine/state.h"

namespace lanewise {

/// A field that all arithmetic of the Matrix Unit has.
template <isa::Literal Name>
std::uint32_t arithmetic_field(const MicroOp& op) {
  using isa::Op;
  return isa::field<Name, Op::MVMUL, Op::DOTPV, Op::GAPOOL, Op::GMPOOL, Op::ELWMUL, Op::ELWADD,
                    Op::ELWSUB, Op::CONV3S1, Op::CONV3S2, Op::MFCONV3S1, Op::APOOL3S1, Op::APOOL3S2,
                    Op::MPOOL3S1, Op::MPOOL3S2>(op.word);
}

/// A field that all moves from and to Dst have.
template <isa::Literal Name>
std::uint32_t dst_move_field(const MicroOp& op) {
  using isa::Op;
  return isa::field<Name, Op::MOVD2A, Op::MOVD2B, Op::MOVA2D, Op::MOVDBGA2D, Op::MOVB2D>(op.word);
}

inline void report_fault(MachineState& s, const MicroOp& op, RuntimeFault what) {
  s.faults.add(what, op.word, op.line, 0);
}

} // namespace lanewise
