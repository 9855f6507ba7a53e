// Assembly text: words to text and back. docs/assembly.md describes the language.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/isa/tile_program.h"

namespace lanewise::isa {

/// One word as a line of assembly that assembles to just that word again.
/// Opcodes that the chip lacks come out as `.word 0x...`.
std::string disassemble(Arch arch, std::uint32_t word);

/// The meaning of a word's modifiers in symbols ("ARG_IMM | CC_NONE"), or an empty string.
std::string modifier_comment(Arch arch, std::uint32_t word);

/// Assembles a whole source text. `name` stands in messages.
/// Error: BadInput with line and column (from 1) of the first mistake.
Expected<Program> assemble(Arch arch, std::string_view source, std::string_view name);

/// The same of a program of a whole tile (docs/tile.md).
Expected<TileProgram> assemble_tile(Arch arch, std::string_view source, std::string_view name);

/// Reads words in hexadecimal: one or more a line, `0x` optional, comments as in assembly.
/// Error: BadInput with line and column of the first mistake.
Expected<Program> parse_hex_words(std::string_view source, std::string_view name);

} // namespace lanewise::isa
