// Operand lists of instructions in assembly text, in the bare form and in the form of kernel
// macros.
#pragma once

#include <cstdint>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"
#include "source/assembly/expression.h"
#include "source/assembly/token_stream.h"

namespace lanewise::assembly {

/// Reads "L0, L1, Mod1=3" up to the end of the line and returns the word. Throws SyntaxError.
std::uint32_t parse_bare_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                  const Constants& constants);

/// Reads "(p_sfpu::LREG0, 1, 3);", or nothing where the macro has no operands, and returns the
/// word. Throws SyntaxError.
std::uint32_t parse_kernel_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                    const Constants& constants);

} // namespace lanewise::assembly
