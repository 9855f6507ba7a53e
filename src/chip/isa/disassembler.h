// Instruction words as text, in the bare form of docs/assembly.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "chip/isa/arch.h"

namespace lanewise::isa {

/// The name under which the bare form gives bits that no field covers.
inline constexpr std::string_view kRawOperand = "raw";

/// One word as a line of assembly that assembles to just that word again.
/// Opcodes that the chip lacks come out as `.word 0x...`.
std::string disassemble(Arch arch, std::uint32_t word);

/// The meaning of a word's modifiers in symbols ("ARG_IMM | CC_NONE"), or an empty string.
std::string modifier_comment(Arch arch, std::uint32_t word);

} // namespace lanewise::isa
