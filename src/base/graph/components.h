// Strongly connected components.
#pragma once

#include "base/graph/graph.h"

namespace lanewise::graph {

/// The sets of nodes that all lead to each other, of nodes that the entry reaches. A component
/// comes before those that it leads to. A node on no cycle is a component of its own.
Rows strong_components(const Graph& graph);

} // namespace lanewise::graph
