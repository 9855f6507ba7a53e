// Postdominators: a postdominates b where every path from b to an exit goes through a. They are the
// dominators of the reversed graph, with one more node as its entry.
#pragma once

#include <span>
#include <vector>

#include "base/graph/dominators.h"
#include "base/graph/graph.h"

namespace lanewise::graph {

/// The graph with its edges turned round. Its entry is a virtual exit, which has the number
/// graph.size() and an edge to each node of `exits`.
Graph reversed(const Graph& graph, std::span<const Node> exits);

/// Nodes without successors, and for the parts from which no such node can be reached (loops that
/// never end) as few as it takes: of each, the node that a depth-first search finishes first, which
/// is one that leads back only. So every node that the entry reaches also reaches an exit.
std::vector<Node> find_exits(const Graph& graph);

struct Postdominators {
  explicit Postdominators(const Graph& graph, Strategy strategy = kFastest);
  Postdominators(const Graph& graph, std::span<const Node> exits, Strategy strategy = kFastest);

  Graph reversed;     ///< with the virtual exit as its entry
  DominatorTree tree; ///< of `reversed`; has the virtual exit as its root

  Node exit() const { return reversed.entry(); }
};

} // namespace lanewise::graph
