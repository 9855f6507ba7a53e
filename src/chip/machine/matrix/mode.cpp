#include "chip/machine/matrix/mode.h"

namespace lanewise {

using semantics::MatrixArithmetic;

namespace {

DataFormat implied(const SourceFile& file) {
  return static_cast<DataFormat>(file.format[file.current] & 15);
}

} // namespace

DataFormat srca_format(const MachineState& s) {
  const MatrixSettings& settings = s.config.matrix_settings();
  return settings.implies_srca ? implied(s.srca) : settings.srca;
}

DataFormat srcb_format(const MachineState& s) {
  const MatrixSettings& settings = s.config.matrix_settings();
  return settings.implies_srcb ? implied(s.srcb) : settings.srcb;
}

DataFormat srcb_move_format(const MachineState& s) {
  const MatrixSettings& settings = s.config.matrix_settings();
  return settings.implies_srca ? implied(s.srcb) : settings.srca;
}

MatrixMode matrix_mode(const MachineState& s) {
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
