#include "chip/machine/state.h"

#include <cstring>

namespace lanewise {

void Dst::reset() {
  std::memset(cell, 0, sizeof cell);
  valid_bits.fill(~std::uint64_t{0}); // hardware starts with all flags set (MU 1.1)
}

namespace {

/// As SourceFile{}, but without a second one to copy from.
void reset_source(SourceFile& file) {
  std::memset(file.cell, 0, sizeof file.cell);
  file.format = {};
  file.current = file.filling = 0;
  file.owned_by_matrix_unit = {true, true};
}

} // namespace

void MachineState::reset() {
  vector.reset(config.arch(), 0);
  for (std::size_t i = 0; i < resting.size(); ++i)
    resting[i].reset(config.arch(), static_cast<unsigned>(i) + 1);
  lane_group = 0;
  dst.reset();
  rwc = {};
  config = ConfigState(config.arch());
  reset_source(srca);
  reset_source(srcb);
  last_srca_row = 0;
  gpr = {};
  waiting = {};
  faults.clear();
}

void MachineState::change_thread(unsigned thread) {
  waiting[config.thread()] = {rwc, gpr};
  rwc = waiting[thread].rwc;
  gpr = waiting[thread].gpr;
  config.act_for(thread);
}

} // namespace lanewise
