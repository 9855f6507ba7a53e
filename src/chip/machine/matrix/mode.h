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

/// That of the data in the current bank.
inline DataFormat implied_format(const SourceFile& file) {
  return static_cast<DataFormat>(file.format[file.current] & 15);
}

/// Format of SrcA and of SrcB, as arithmetic and MOVA2D take them: "fmtA" and "fmtB" of MU 2.2.
inline DataFormat srca_format(const MachineState& state) {
  const MatrixSettings& settings = state.config.matrix_settings();
  return settings.implies_srca ? implied_format(state.srca) : settings.srca;
}
inline DataFormat srcb_format(const MachineState& state) {
  const MatrixSettings& settings = state.config.matrix_settings();
  return settings.implies_srcb ? implied_format(state.srcb) : settings.srcb;
}

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

inline MatrixMode matrix_mode(const MachineState& s) {
  using semantics::MatrixArithmetic;
  const MatrixSettings& settings = s.config.matrix_settings();
  MatrixMode mode{};
  mode.srca = srca_format(s);
  mode.srcb = srcb_format(s);
  mode.phase = static_cast<std::uint8_t>(fidelity_phase(s));
  mode.keeps_denormals = settings.keeps_denormals;
  if (settings.forces_fp16) {
    mode.arithmetic = MatrixArithmetic::Exponent5;
    mode.srca_mask = mode.srcb_mask = operand_mask(DataFormat::Fp16);
    return mode;
  }
  if (settings.int8) {
    mode.arithmetic = MatrixArithmetic::Int8;
    mode.wide = true;
    mode.srca_mask = mode.srcb_mask = operand_mask(DataFormat::Tf32); // the whole cell
    return mode;
  }
  mode.srca_mask = operand_mask(mode.srca);
  mode.srcb_mask = operand_mask(mode.srcb);
  mode.arithmetic =
      has_5bit_exponent(mode.srca) ? MatrixArithmetic::Exponent5 : MatrixArithmetic::Exponent8;
  mode.wide = settings.wide;
  return mode;
}

} // namespace lanewise
