#include "machine/state.h"

#include <cstring>

namespace lanewise {

void Dst::reset() {
  std::memset(cell, 0, sizeof cell);
  valid_bits.fill(~std::uint64_t{0}); // hardware starts with all flags set (MU 1.1)
}

void MachineState::reset() {
  vector.reset();
  dst.reset();
  rwc = {};
  config = ConfigState(config.arch());
  srca = {};
  srcb = {};
  last_srca_row = 0;
  gpr = {};
  faults.clear();
}

} // namespace lanewise
