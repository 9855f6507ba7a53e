// The pass "cse": what a kernel computes twice is computed once.
#pragma once

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// An operation whose operands, modes and lanes are those of an earlier one takes that one's
/// number: its users read the earlier value, and the node is dead. No bit changes. Returns whether
/// anything was found.
bool merge_common(Recording& recording);

} // namespace lanewise::compiler
