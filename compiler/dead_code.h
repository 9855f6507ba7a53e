// Pass "dce": operations whose value nobody needs are marked dead.
#pragma once

#include "compiler/ir.h"

namespace lanewise::compiler {

/// Keeps what changes Dst, LRegs that stay, constants, the predicate or the PRNG, and all that this
/// needs. A Print keeps nothing: looking at a value does not change the program.
void remove_dead_code(Recording& recording);

} // namespace lanewise::compiler
