// What the compiler tells a kernel's author.
#pragma once

#include <vector>

#include "source/compiler/allocate.h"
#include "source/compiler/code.h"
#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Error: the flag stack has 8 entries, and predicates are nested deeper.
std::vector<Fault> check_nesting(const Recording& recording, const Code& code);

/// Warning: a vector is alive while raw words use LRegs. The vendor's compiler does not know which.
std::vector<Fault> check_raw_words(const Recording& recording, const Code& code);

/// Error: more values at once than LRegs; says which, where each was made, and which of them are
/// constants that could move to programmable registers.
Fault out_of_registers(const Recording& recording, const Code& code, const Pressure& pressure);

} // namespace lanewise::compiler
