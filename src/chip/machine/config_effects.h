// What a write of configuration does beyond the value itself, wherever it comes from: an
// instruction, Machine::set_config, or the initial state of a vector.
#pragma once

#include <cstdint>

#include "chip/isa/config.h"
#include "chip/machine/state.h"

namespace lanewise {

/// To be called after a word has been written. `instruction` and `line`: what wrote it; 0 if it was
/// set from outside.
void after_config_write(MachineState& state, isa::ConfigScope scope, unsigned word,
                        std::uint32_t instruction, std::uint32_t line);

/// The bits of a thread-agnostic word that fields have, all of them together.
std::uint32_t bits_of_fields(Arch arch, unsigned word);

/// Sets a field as ConfigState::set() does, with all effects.
void set_config_field(MachineState& state, isa::ConfigField field, std::uint32_t value);

} // namespace lanewise
