// Operations of the lowest level: recorded, or in the code of a core marked.
#pragma once

#include <cstdint>

#if defined(LANEWISE_MARKS)
#include "sfpi_marks.h"
#else
#include "sfpi_recording.h"
#endif

namespace lanewise_sfpi {

/// 32 bits in every lane.
inline Vector constant(std::uint32_t bits) {
  return leaf(LanewiseKind::Constant, static_cast<std::int32_t>(bits));
}

/// A unary instruction: VC in, VD out.
inline Vector unary(Opcode opcode, unsigned mod, Vector c, std::int32_t imm = 0) {
  return Instruction(opcode, mod, imm).vc(c);
}

/// A two-address instruction: VC and the old VD in, VD out.
inline Vector two_address(Opcode opcode, unsigned mod, Vector c, Vector d) {
  return Instruction(opcode, mod).vc(c).vd(d);
}

/// Result `index` of an instruction that has several.
inline Vector result(Vector instruction, int index) {
  return operation(LanewiseKind::Result, index, instruction);
}

} // namespace lanewise_sfpi
