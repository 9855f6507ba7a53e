// Instruction words as the macro calls that kernels for real hardware are written with.
#pragma once

#include <cstdint>
#include <string>

#include "chip/isa/arch.h"

namespace lanewise::assembly {

/// "TTI_SFPMAD(0, 1, 9, 2, 0);", which g++ turns into just this word with the chip's ckernel_ops.h.
/// A word with bits outside of the macro's operands, or of no instruction of the chip, comes out as
/// "INSTRUCTION_WORD(0x...);".
std::string tti_call(Arch arch, std::uint32_t word);

} // namespace lanewise::assembly
