// How an instruction is written, in our own syntax and in the vendor's, with the names of its
// operands.
#pragma once

#include <string>
#include <vector>

#include "chip/isa/row.h"

namespace lanewise::isa {

/// "SFPIADD [Imm12]*, VC, VD, [Mod1]": the operands of the bare form by their places. [X] may be
/// left out and is 0 then; [X]* may be left out where the mode does not use it.
std::string bare_form_text(Arch arch, const Row& row);

/// The vendor's form of today, behind it each older one with "older: " in front. Where binutils has
/// none today, the first line says why, and that the word is written as .ttinsn.
std::vector<std::string> gnu_form_lines(Arch arch, const Row& row);

} // namespace lanewise::isa
