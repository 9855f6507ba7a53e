// Pass "dce": operations that nobody needs are marked as dead.
#pragma once

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Values without a user go, and predicates under which nothing is left to do. What must stay is in
/// has_effect() (source/compiler/uses.h).
void remove_dead_code(Recording& recording);

} // namespace lanewise::compiler
