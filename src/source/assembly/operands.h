// Operand lists of instructions in assembly text, in the bare form and in the form of kernel
// macros.
#pragma once

#include <cstddef>
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

/// An instruction of which some operands have been read.
struct BegunInstruction {
  const isa::Row* row = nullptr;
  std::size_t fields = 0;  ///< of the row's, which are done
  std::uint32_t word = 0;  ///< with what has been read
  std::uint32_t given = 0; ///< bits of the fields that have their value
};

/// The mnemonic alone.
BegunInstruction begin_instruction(const isa::Row& row);

/// A word, and how the text begins that others may begin with, too.
struct PlainInstruction {
  std::uint32_t word = 0;
  BegunInstruction before_last = {}; ///< in front of the last operand
  std::size_t last_begins = 0;       ///< it stands from there on: behind a comma, if there is one
};

/// The word of the same operands, read without tokens, where they are what most are: the next ones
/// of the instruction, each a number, a register or a mode. `text` goes from behind the mnemonic,
/// or the comma up to which the instruction has been read, to the end of the line; a comment behind
/// # or ; may be in it. Nothing for other operands, and where something is wrong with them.
std::optional<PlainInstruction> find_plain_operands(Arch arch, const Constants& constants,
                                                    const BegunInstruction& begun,
                                                    std::string_view text);

/// Reads "(p_sfpu::LREG0, 1, 3);", or nothing where the macro has no operands, and returns the
/// word. Throws SyntaxError.
std::uint32_t parse_kernel_operands(TokenStream& stream, Arch arch, const isa::Row& row,
                                    const Constants& constants);

} // namespace lanewise::assembly
