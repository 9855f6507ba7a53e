// What a node must fulfil to follow the nodes of a recording.
#pragma once

#include <tl/expected.hpp>

#include "source/compiler/ir.h"
#include "source/sfpi/predicate_stack.h"

namespace lanewise::sfpi {

/// Checks everything about a node but how v_if and v_block nest: kind, numbers of registers and
/// texts, and that each operand is an earlier node of the right sort that has a value.
/// Error: what is wrong.
tl::expected<void, Mistake> check_node(const compiler::Recording& recording,
                                       const lanewise_node& node);

} // namespace lanewise::sfpi
