#include "chip/timing/hazards/random_tile.h"

#include <algorithm>
#include <cstring>
#include <iterator>
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

std::optional<DstCell> first_difference(const Dst& a, const Dst& b) {
  for (unsigned row = 0; row < kDstRows; ++row) {
    const auto [cell, other] = std::ranges::mismatch(a.cell[row], b.cell[row]);
    if (cell != std::end(a.cell[row]))
      return DstCell{row, static_cast<unsigned>(cell - std::begin(a.cell[row]))};
  }
  return std::nullopt;
}

bool same_values(const MachineState& a, const MachineState& b) {
  return std::memcmp(a.vector.lreg, b.vector.lreg, sizeof a.vector.lreg) == 0 &&
         a.vector.flags == b.vector.flags && a.vector.use_flags == b.vector.use_flags &&
         std::memcmp(a.dst.cell, b.dst.cell, sizeof a.dst.cell) == 0 &&
         a.dst.valid_bits == b.dst.valid_bits;
}

} // namespace lanewise::timing
