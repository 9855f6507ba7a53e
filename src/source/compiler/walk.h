// Registers instruction by instruction: where one LReg for the whole life of a virtual register
// cannot be had, it moves.
#pragma once

#include <optional>

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Walks through the code with a map of what is where. A register that stands where an instruction,
/// a raw word or l_reg wants another one moves to a free LReg, so that there is a way as long as no
/// more than 8 are needed at once, and one of them is free for an exchange. The result is on
/// physical registers and without ReadLReg and WriteLReg. Nothing if there is no way. `keep_raw` as
/// for allocate().
std::optional<Code> place_by_walk(const Code& code, bool keep_raw);

} // namespace lanewise::compiler
