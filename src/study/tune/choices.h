// Choices of predicated rows (v_if): rewritten without predication where an instruction does the
// same, and joined with the operation whose result they take.
#pragma once

#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Whether an operation may be predicated itself: its result has a register of its own.
bool has_own_destination(const RowGraph& row, const Node& node);

/// Without nodes on which the stored value does not depend.
RowGraph without_dead(const RowGraph& row);

/// Choices that are the larger or the smaller of two, or a value without its sign. Exact: SFPSWAP,
/// SFPGT and SFPLE order numbers alike, and SFPSETCC tests the sign of zeros and NaNs, too.
RowGraph without_choices(const RowGraph& row);

/// Choices of results that nobody else uses: the operation itself is predicated.
RowGraph joined_choices(const RowGraph& row);

/// Tests of a choice read what it keeps, where this has in the lanes of the earlier tests the value
/// that they ask for: `v_if (x < a) x = a; v_elseif (x > b) x = b` needs no copy of the first x. A
/// condition without which the choice is the same is left out.
RowGraph with_kept_tests(const RowGraph& row);

/// Constants that choices keep are copied, since a result takes over the register of what is kept.
RowGraph with_kept_copies(const RowGraph& row);

} // namespace lanewise::tune
