// Rows written in other ways: exact identities on a row's graph.
#pragma once

#include <vector>

#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// What a row may be turned into.
struct FormOptions {
  bool macros = true;
  bool allow_nan = false; ///< identities that hold for all numbers, but not for NaN
  bool conservative = false;
  bool chains = true; ///< choices may follow each other within one v_if
};

/// Graphs that compute the same: the row itself first, then rewritten ones.
std::vector<RowGraph> equal_graphs(const RowGraph& row, const FormOptions& options);

} // namespace lanewise::tune
