// What an instruction does to the enabled lanes.
#pragma once

#include "chip/isa/effects.h"
#include "source/compiler/code.h"

namespace lanewise::compiler {

using isa::LaneChange;

inline LaneChange lane_change(Arch arch, isa::Op op, unsigned mod) {
  return isa::Effects(arch, op, mod).lane_change();
}

/// Raw words count as LaneChange::Other.
inline LaneChange lane_change(Arch arch, const Instr& instr) {
  if (instr.kind == InstrKind::Raw) return LaneChange::Other;
  if (instr.kind != InstrKind::Tensix) return LaneChange::None;
  return lane_change(arch, instr.op, instr.mod);
}

} // namespace lanewise::compiler
