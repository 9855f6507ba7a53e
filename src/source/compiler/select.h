// Pass "select": from values to instructions on virtual registers.
//
// A value that is assigned under a predicate shares one register with the variable's old value, a
// two-address instruction shares one with the operand that it overwrites; where the old content is
// still needed, it is copied first (SFPMOV to all lanes, which ignores the predicate).
#pragma once

#include "source/compiler/code.h"
#include "source/compiler/ir.h"
#include "source/compiler/plan.h"

namespace lanewise::compiler {

/// Dead nodes are left out. `loads` as for make_plan().
Code select(const Recording& recording, ConstantLoads loads);

} // namespace lanewise::compiler
