// Configuration as the cores address it: the banks of Config behind each other, on Blackhole a
// third range that writes both, then ThreadConfig of the three threads (core.md 9).
#pragma once

#include <cstdint>
#include <optional>

#include "base/fault.h"
#include "chip/machine/state.h"

namespace lanewise::tile {

/// A word by its number from the start of the range. Error: nothing can be read there.
Expected<std::optional<std::uint32_t>> load_config_word(const ConfigState& config,
                                                        std::uint32_t index);

/// Writes a word, with what that sets off. Error: nothing can be written there.
Expected<bool> store_config_word(MachineState& state, std::uint32_t index, std::uint32_t value,
                                 std::uint32_t line);

} // namespace lanewise::tile
