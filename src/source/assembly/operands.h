// Operand lists of instructions in assembly text, in the bare form and in the form of kernel
// macros.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "source/assembly/expression.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {

/// Reads "L0, L1, Mod1=3" up to the end of the line and returns the word. Throws SyntaxError.
std::uint32_t parse_bare_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                  const Constants& constants);

/// The word of the same operands, read without tokens, where they are what most are: the first ones
/// of the instruction, each a number, a register or a mode. `text` goes from behind the mnemonic to
/// the end of the line; a comment behind # or ; may be in it. Nothing for other operands, and where
/// something is wrong with them.
std::optional<std::uint32_t> find_plain_operands(Arch arch, const isa::Row& row,
                                                 const Constants& constants, std::string_view text);

/// Reads "(p_sfpu::LREG0, 1, 3);", or nothing where the macro has no operands, and returns the
/// word. Throws SyntaxError.
std::uint32_t parse_kernel_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                    const Constants& constants);

} // namespace lanewise::assembly
