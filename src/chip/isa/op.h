// Every instruction, as an enumerator.
#pragma once

#include <cstdint>

namespace lanewise::isa {

/// Every mnemonic, in the order of instructions.def, of which cmake/mnemonics.cmake makes the list:
/// what only names instructions is not compiled again when a row changes.
enum class Op : std::uint8_t {
#include "chip/isa/mnemonics.inc"
};

} // namespace lanewise::isa
