// The Vector Unit as the firmware hands it to a kernel.
#pragma once

#include <algorithm>
#include <cstdint>

#include "chip/machine/state.h"

namespace lanewise {

/// What LReg[11] holds for SFPI, by convention (VU C2): FloatSub and the comparisons of Wormhole
/// multiply by it.
inline constexpr unsigned kMinusOneLReg = 11;
inline constexpr std::uint32_t kMinusOneBits = 0xBF800000U;

/// Flags in use and every lane enabled, as SFPENCC Imm2=3, Mod1=10 leaves them, and LReg[11] =
/// -1.0. Nothing else changes.
inline void enter_kernel(MachineState& state) {
  const auto enter = [arch = state.config.arch()](VectorState& v) {
    v.flags = kAllLanes;
    v.use_flags = kAllLanes;
    std::fill_n(v.lreg[kMinusOneLReg], kLanes, lane_of_float(arch, kMinusOneBits));
  };
  enter(state.vector);
  for (VectorState& group : state.resting) enter(group);
}

} // namespace lanewise
