// Which syntax an assembly text is in: our own, or the vendor's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "source/assembly/gnu.h"

namespace lanewise::assembly {

enum class Syntax : std::uint8_t {
  Auto, ///< what the text says itself
  Tti,  ///< docs/assembly.md
  Gnu   ///< the vendor's: sfpi-gcc, Compiler Explorer, objdump
};

/// "auto", "tti", "gnu".
std::optional<Syntax> parse_syntax(std::string_view name);

/// Reads an assembly text for a chip. In our own syntax, only the program is filled.
///
/// Auto: lines of objdump, labels, directives of GNU's assembler, RISC-V instructions and names
/// like ttincrwc are the vendor's; TTI_ macros and directives that only we have are ours; so are
/// mnemonics in capitals with a blank behind them where nothing else tells. A text that then fits
/// both syntaxes with the same words is read. Error: BadInput with the place of the mistake; with
/// both readings where a text fits both in different ways, and with both lines where it has marks
/// of both.
Expected<GnuText> read_assembly(Arch arch, std::string_view source, std::string_view name,
                                Syntax syntax);

} // namespace lanewise::assembly
