#include "chip/timing/hazards/random_tile.h"

#include <cstring>
#include <random>

namespace lanewise::timing {

MachineState random_tile(MachineState state, unsigned seed) {
  std::mt19937 random(seed);
  for (auto& row : state.dst.cell)
    for (auto& cell : row) cell = static_cast<std::uint16_t>(random());
  for (unsigned i = 0; i < kWritableLRegs; ++i)
    for (std::uint32_t& lane : state.vector.lreg[i]) lane = static_cast<std::uint32_t>(random());
  return state;
}

bool same_values(const MachineState& a, const MachineState& b) {
  return std::memcmp(a.vector.lreg, b.vector.lreg, sizeof a.vector.lreg) == 0 &&
         a.vector.flags == b.vector.flags && a.vector.use_flags == b.vector.use_flags &&
         std::memcmp(a.dst.cell, b.dst.cell, sizeof a.dst.cell) == 0 &&
         a.dst.valid_bits == b.dst.valid_bits;
}

} // namespace lanewise::timing
