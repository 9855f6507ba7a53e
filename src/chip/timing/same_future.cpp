#include "chip/timing/same_future.h"

#include <cstring>

#include "chip/timing/hazards/random_tile.h"

namespace lanewise::timing {

namespace {

bool same_macros(const LoadMacroConfig& a, const LoadMacroConfig& b) {
  return a.instruction_template == b.instruction_template && a.sequence == b.sequence &&
         a.misc == b.misc;
}

} // namespace

bool same_configuration(const MachineState& a, const MachineState& b) {
  return a.rwc == b.rwc && a.vector.lane_config == b.vector.lane_config &&
         same_macros(a.vector.macro, b.vector.macro) && a.gpr == b.gpr && a.waiting == b.waiting &&
         a.config == b.config;
}

bool same_future(const MachineState& a, const MachineState& b) {
  const auto same_lanes = [](const auto& x, const auto& y) {
    return std::memcmp(x, y, sizeof x) == 0;
  };
  return same_configuration(a, b) && same_values(a, b) && a.vector.active == b.vector.active &&
         a.vector.stack.entry == b.vector.stack.entry &&
         a.vector.stack.at_depth == b.vector.stack.at_depth &&
         same_lanes(a.vector.prng, b.vector.prng) &&
         same_lanes(a.vector.shuffle_latch, b.vector.shuffle_latch) &&
         a.clock.address == b.clock.address && a.srca == b.srca && a.srcb == b.srcb &&
         a.last_srca_row == b.last_srca_row;
}

} // namespace lanewise::timing
