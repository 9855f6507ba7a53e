// Depth-first search from the entry. Its numbers are what the other algorithms work with.
#pragma once

#include <vector>

#include "flow/graph.h"

namespace lanewise::flow {

/// The spanning tree that the search finds, and its nodes in preorder. A parent has a lower number
/// than its children.
struct DepthFirst {
  std::vector<Node> order;  ///< node of each number; only nodes that the entry reaches have one
  std::vector<Node> number; ///< number of each node, or kNoNode
  std::vector<Node> parent; ///< number of the parent of each number; kNoNode for the entry's

  Node reached() const { return static_cast<Node>(order.size()); }
};

/// Takes successors in their order. Needs no stack, whatever the depth of the graph.
DepthFirst depth_first(const Graph& graph);

/// The nodes that the entry reaches, each after all that were found from it.
std::vector<Node> postorder(const Graph& graph);

} // namespace lanewise::flow
