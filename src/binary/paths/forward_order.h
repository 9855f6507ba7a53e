// Ways through a graph that never go back: orders of nodes, and the heaviest or lightest of them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::paths {

/// Nodes that the entry reaches, each before all its successors but for edges that go back in the
/// depth-first search.
std::vector<graph::Node> forward_order(const graph::Graph& graph);

/// The nodes before `to` on a way from the entry whose nodes weigh most together, along edges that
/// go forward in that order; nothing where the entry does not reach it.
std::vector<graph::Node> heaviest_way(const graph::Graph& graph, graph::Node to,
                                      const std::vector<std::size_t>& weights);

} // namespace lanewise::paths
