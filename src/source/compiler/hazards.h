// Pass "hazards": SFPNOP where an instruction would come too soon after one that takes two cycles;
// on Grayskull NOP, wherever SFPI's compiler puts one.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Registers must be physical. Nothing is put between two raw words: their distance is the
/// kernel's.
void insert_nops(Code& code);

} // namespace lanewise::compiler
