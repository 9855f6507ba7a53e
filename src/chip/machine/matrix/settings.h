// What configuration says of the Matrix Unit's arithmetic.
#pragma once

#include <cstdint>

#include "chip/isa/number_format.h"

namespace lanewise {

/// What every arithmetic instruction needs of its thread's configuration (MU 2.2), so that
/// each does not look it up: derived anew by whatever writes configuration.
struct MatrixSettings {
  isa::DataFormat srca{}, srcb{};                  ///< as configured
  bool implies_srca = false, implies_srcb = false; ///< instead, a bank has its format with it
  bool forces_fp16 = false;                        ///< FP16A_FORCE_Enable
  bool int8 = false;                               ///< INT8_math_enabled
  bool wide = false;                               ///< Fp32_enabled
  bool keeps_denormals = false;                    ///< Zero_Flag_disabled_src
  bool rounds_randomly = false;                    ///< Fpu_srnd_en
  std::uint8_t phase = 0;                          ///< FIDELITY_BASE_Phase

  friend bool operator==(const MatrixSettings&, const MatrixSettings&) = default;
};

} // namespace lanewise
