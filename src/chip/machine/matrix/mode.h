// In which way the Matrix Unit reads its operands: formats, arithmetic mode, masks, phase (MU 2.2).
#pragma once

#include <cstdint>

#include "chip/isa/number_format.h"
#include "chip/machine/state.h"
#include "chip/semantics/matrix.h"

namespace lanewise {

using isa::DataFormat;

/// Whether data of a format has a 5-bit exponent. The two codes without meaning count as such, as
/// for SFPLOAD (VU C21).
constexpr bool has_5bit_exponent(DataFormat format) {
  return (isa::kExponent8Codes >> static_cast<unsigned>(format) & 1U) == 0;
}

/// Bits of a cell of SourceFile that an operand of a format has.
constexpr std::uint32_t operand_mask(DataFormat format) {
  const isa::NumberFormat* row = isa::format_of_code(format);
  return row == nullptr ? isa::kUpperCell : row->operand->mask;
}

/// Format of SrcA and of SrcB, as arithmetic and MOVA2D take them: "fmtA" and "fmtB" of MU 2.2.
DataFormat srca_format(const MachineState& state);
DataFormat srcb_format(const MachineState& state);

/// "fmtA" as MOVB2D and MOVD2B take it: on Blackhole the implied format is that of the current SrcB
/// bank. Which thread bit switches it off is contradictory; here it is SrcA's, as in the simulator.
DataFormat srcb_move_format(const MachineState& state);

/// Fidelity phase of an instruction, 0..3 (MU 3.1).
inline unsigned fidelity_phase(const MachineState& state) {
  return (state.rwc.fidelity + state.config.matrix_settings().phase) & 3;
}

/// Zero_Flag_disabled_src: denormals are kept where an instruction can keep them.
inline bool keeps_denormals(const MachineState& state) {
  return state.config.matrix_settings().keeps_denormals;
}

/// All of it, for an arithmetic instruction.
struct MatrixMode {
  semantics::MatrixArithmetic arithmetic;
  bool wide; ///< 32-bit Dst
  bool keeps_denormals;
  std::uint8_t phase;
  DataFormat srca, srcb;
  std::uint32_t srca_mask, srcb_mask;
};

MatrixMode matrix_mode(const MachineState& state);

} // namespace lanewise
