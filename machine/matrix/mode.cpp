#include "machine/matrix/mode.h"

namespace lanewise {

using isa::ConfigField;
using semantics::MatrixArithmetic;

namespace {

DataFormat configured_srca(const ConfigState& config) {
  const bool overridden = config.get(ConfigField::ALU_FORMAT_SPEC_REG_SrcA_override) != 0;
  return static_cast<DataFormat>(config.get(overridden ? ConfigField::ALU_FORMAT_SPEC_REG_SrcA_val
                                                       : ConfigField::ALU_FORMAT_SPEC_REG0_SrcA));
}

/// Whether banks carry formats and the thread's bit lets them count.
bool takes_implied(const ConfigState& config, ConfigField disable) {
  return arch_params(config.arch()).has_implied_formats && config.get(disable) == 0;
}

DataFormat implied(const SourceFile& file) {
  return static_cast<DataFormat>(file.format[file.current] & 15);
}

} // namespace

DataFormat srca_format(const MachineState& s) {
  if (takes_implied(s.config, ConfigField::DISABLE_IMPLIED_SRCA_FMT_Base)) return implied(s.srca);
  return configured_srca(s.config);
}

DataFormat srcb_format(const MachineState& s) {
  if (takes_implied(s.config, ConfigField::DISABLE_IMPLIED_SRCB_FMT_Base)) return implied(s.srcb);
  return static_cast<DataFormat>(s.config.get(ConfigField::ALU_FORMAT_SPEC_REG1_SrcB));
}

DataFormat srcb_move_format(const MachineState& s) {
  if (takes_implied(s.config, ConfigField::DISABLE_IMPLIED_SRCA_FMT_Base)) return implied(s.srcb);
  return configured_srca(s.config);
}

MatrixMode matrix_mode(const MachineState& s) {
  const ConfigState& config = s.config;
  MatrixMode mode{};
  mode.srca = srca_format(s);
  mode.srcb = srcb_format(s);
  mode.srca_mask = operand_mask(mode.srca);
  mode.srcb_mask = operand_mask(mode.srcb);
  mode.phase = static_cast<std::uint8_t>(fidelity_phase(s));
  mode.keeps_denormals = keeps_denormals(s);
  if (config.get(ConfigField::FP16A_FORCE_Enable) != 0) {
    mode.arithmetic = MatrixArithmetic::Exponent5;
    mode.srca_mask = mode.srcb_mask = operand_mask(DataFormat::Fp16);
    return mode;
  }
  if (config.get(ConfigField::ALU_ACC_CTRL_INT8_math_enabled) != 0) {
    mode.arithmetic = MatrixArithmetic::Int8;
    mode.wide = true;
    mode.srca_mask = mode.srcb_mask = operand_mask(DataFormat::Tf32); // the whole cell
    return mode;
  }
  mode.arithmetic =
      has_5bit_exponent(mode.srca) ? MatrixArithmetic::Exponent5 : MatrixArithmetic::Exponent8;
  mode.wide = config.get(ConfigField::ALU_ACC_CTRL_Fp32_enabled) != 0;
  return mode;
}

} // namespace lanewise
