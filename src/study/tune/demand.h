// Which lanes of a value anybody sees.
#pragma once

#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// The row without what no lane of the result shows: a choice whose conditions hold wherever it is
/// seen is the value that it takes, and one whose conditions hold nowhere is what it keeps. So a
/// register that `v_if` fills for the lanes that read it does not carry its last value from row to
/// row. Equal nodes become one; the order stays.
RowGraph without_unseen_choices(const RowGraph& row);

/// The row in the order in which the stored value asks for its operands: rows that compute the same
/// are equal, in whichever order they were written.
RowGraph in_order_of_need(const RowGraph& row);

} // namespace lanewise::tune
