// A Vector Unit of 64 lanes as groups of 32 (lane_groups(), chip/isa/arch.h): no instruction leads
// from one lane to another, so that a program may run on one group after the other.
#pragma once

#include <algorithm>

#include "chip/machine/state.h"

namespace lanewise {

/// Makes the next group the one on which instructions execute, the first one after the last.
inline void next_lane_group(MachineState& state) {
  if (state.resting.empty()) return;
  std::swap(state.vector, state.resting.front());
  std::rotate(state.resting.begin(), state.resting.begin() + 1, state.resting.end());
  state.lane_group = (state.lane_group + 1) % lane_groups(state.config.arch());
}

/// Does `work` on each group, beginning with the one that is in `state.vector`, which is there
/// again afterwards. Each starts with the same counters.
template <class Work>
void for_each_lane_group(MachineState& state, const Work& work) {
  const Rwc before = state.rwc;
  for (std::size_t rest = state.resting.size() + 1; rest > 0; --rest) {
    state.rwc = before;
    work();
    next_lane_group(state);
  }
}

} // namespace lanewise
