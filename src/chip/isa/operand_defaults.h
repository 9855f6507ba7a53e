// Which operands of the bare form may be left out, and are 0 then (docs/assembly.md).
#pragma once

#include <cstdint>
#include <optional>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"

namespace lanewise::isa {

/// The first field that takes an operand by its place, was not given, and may not be left out;
/// nothing if there is none. `word` has the operands that were given, `given` the bits of their
/// fields.
///
/// May be left out: modes, switches, ADDR_MOD sections, row offsets, the VD that only selects a
/// macro template, and what the mode of the word does not use. A register that the word reads or
/// writes, and a number that is the point of the instruction, may not.
std::optional<Field> missing_operand(Arch arch, std::uint32_t word, std::uint32_t given);

} // namespace lanewise::isa
