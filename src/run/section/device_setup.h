// What LLK's tests find set up when their sections start.
#pragma once

#include "base/fault.h"
#include "chip/tile/tile.h"

namespace lanewise::section {

/// Carries out what the first core does before it lets the others go (core.md 4): Dst is zero, all
/// lanes are enabled, LReg 11 is -1, and three semaphores are there with a maximum of 1.
Expected<void> set_device_up(tile::Tile& tile);

} // namespace lanewise::section
