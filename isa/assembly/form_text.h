// How an instruction is written, in our own syntax and in the vendor's, with the names of its
// operands.
#pragma once

#include <string>

#include "isa/row.h"

namespace lanewise::isa {

/// "SFPIADD [Imm12]*, VC, VD, [Mod1]": the operands of the bare form by their places. [X] may be
/// left out and is 0 then; [X]* may be left out where the mode does not use it.
std::string bare_form_text(Arch arch, const Row& row);

/// "sfpiadd VD, VC, Imm12, Mod1", as binutils writes it today; empty where it has no form.
std::string gnu_form_text(Arch arch, const Row& row);

/// The same for the orders that binutils had before, joined by "; ".
std::string older_gnu_forms_text(Arch arch, const Row& row);

} // namespace lanewise::isa
