// The first step of a layout: which edges lead back, and which nodes stand side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::report {

struct GraphLayers {
  std::vector<bool> is_back;     ///< by edge, in the order of Graph::edges()
  std::vector<std::uint32_t> of; ///< by node: the longest way to it without back edges
  std::vector<std::vector<graph::Node>> nodes; ///< of each layer, ascending
};

/// Nodes of which the depth-first search of `lay_out()` starts: the entry, then what no edge leads
/// to and is not reached yet, then the first of what is still not reached, and so on.
std::vector<graph::Node> graph_roots(const graph::Graph& graph);

/// An edge leads back if it ends at a node above it in the depth-first tree, or where it began.
GraphLayers layers_of(const graph::Graph& graph);

} // namespace lanewise::report
