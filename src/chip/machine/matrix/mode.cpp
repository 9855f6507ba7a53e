#include "chip/machine/matrix/mode.h"

namespace lanewise {

DataFormat srcb_move_format(const MachineState& s) {
  const MatrixSettings& settings = s.config.matrix_settings();
  return settings.implies_srca ? implied_format(s.srcb) : settings.srca;
}

} // namespace lanewise
