// The pseudo-random generator of each lane: a 32-bit shift register (VU 3.8).
#pragma once

#include <array>

#include "chip/semantics/lanes.h"

namespace lanewise::semantics {

/// The state after one step: the inverted parity of bits 31, 21, 1 and 0 enters at the top.
template <class U>
LANEWISE_INLINE constexpr U prng_next(U state) {
  const U parity = state ^ (state >> 1) ^ (state >> 21) ^ (state >> 31);
  return (~parity << 31) | (state >> 1);
}

/// States of lanes 0..31 after PRNG_SEED is written: the seed stepped 32 times, then two steps from
/// each lane to the next, starting at lane 31.
constexpr std::array<Lane, 32> prng_seeded(Lane seed) {
  std::array<Lane, 32> lanes{};
  for (int step = 0; step < 32; ++step) seed = prng_next(seed);
  for (std::size_t lane = 32; lane-- > 0;) {
    seed = prng_next(prng_next(seed));
    lanes[lane] = seed;
  }
  return lanes;
}

} // namespace lanewise::semantics
