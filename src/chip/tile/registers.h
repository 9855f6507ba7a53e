// Registers that cores see at addresses and that are no part of the coprocessor (core.md 2, 16).
#pragma once

#include <cstdint>
#include <map>

#include "chip/tile/wall_clock.h"

namespace lanewise::tile {

/// Those that keep what is stored: nothing here depends on them.
struct Registers {
  std::map<std::uint32_t, std::uint32_t> kept; ///< by address
  WallClock clock;
};

} // namespace lanewise::tile
