// The macros that kernels write instructions with, as the text of a header.
//
// Kernels include ckernel_ops.h for TTI_SFPMAD(...) and its like, and cfg_defines.h for the places
// of configuration fields. Both are written here from the tables that the assembler and the machine
// use, so that a kernel's words cannot mean one thing to g++ and another to the machine.
#pragma once

#include <string>
#include <vector>

#include "chip/isa/arch.h"
#include "chip/isa/row.h"

namespace lanewise::assembly {

/// One operand of a kernel macro. It is shifted and added, never masked: what does not fit carries
/// into the neighbour, and kernels rely on that (SFPI reference 1.8).
struct MacroOperand {
  std::string name; ///< the names of the fields it covers, joined by _
  unsigned shift;   ///< low bit of the last of these fields
};

/// The operands of an instruction's kernel macro, in order. Empty for a macro without parentheses.
std::vector<MacroOperand> macro_operands(const isa::Row& row);

/// The text of ckernel_ops.h for a chip: per instruction and alias
///   TT_OP_X(...)  the word, usable in constant expressions
///   TT_X(...), TTI_X(...)  emit the word
/// what Lanewise's own headers take of the chip's record (LANEWISE_STALL_CONDITIONS and others),
/// and, for every configuration field, NAME_ADDR32, NAME_SHAMT, NAME_MASK and NAME_RMW. It is
/// written once.
const std::string& kernel_macros(Arch arch);

/// The second half of it: the text of cfg_defines.h for a chip, and numbers of its record
/// (LANEWISE_L1_BYTES and others). It is written once, too.
const std::string& config_macros(Arch arch);

} // namespace lanewise::assembly
