// Assembly text to words; the way back is chip/isa/disassembler.h. docs/assembly.md describes the
// language.
#pragma once

#include <string_view>

#include "base/fault.h"
#include "chip/isa/arch.h"
#include "chip/isa/program.h"
#include "chip/isa/tile_program.h"

namespace lanewise::assembly {

/// Assembles a whole source text. `name` stands in messages.
/// Error: BadInput with line and column (from 1) of the first mistake.
Expected<Program> assemble(Arch arch, std::string_view source, std::string_view name);

/// The same of a program of a whole tile (docs/tile.md).
Expected<TileProgram> assemble_tile(Arch arch, std::string_view source, std::string_view name);

/// Reads words in hexadecimal: one or more a line, `0x` optional, comments as in assembly.
/// Error: BadInput with line and column of the first mistake.
Expected<Program> parse_hex_words(std::string_view source, std::string_view name);

} // namespace lanewise::assembly
