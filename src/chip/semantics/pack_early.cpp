// The early conversion (core.md 14.5).
#include "chip/semantics/pack_lanes.h"

namespace lanewise::semantics {

std::uint32_t pack_early(const Packing& how, std::uint32_t stored) {
  return pack_early_lanes<Lane>(pack_steps(how), stored);
}

} // namespace lanewise::semantics
