// Where the blocks and edges of a control-flow graph stand in a picture: blocks in layers from top
// to bottom, edges along horizontal and vertical lines between them. Knows nothing of what is in
// the blocks.
#pragma once

#include <span>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::report {

/// All lengths are in pixels; x grows to the right, y downwards.
struct BoxSize {
  int width = 0, height = 0;
};

struct NodeBox {
  int x = 0, y = 0, width = 0, height = 0;

  int right() const { return x + width; }
  int bottom() const { return y + height; }
};

struct Corner {
  int x = 0, y = 0;

  friend bool operator==(const Corner&, const Corner&) = default;
};

/// An edge's line: from the bottom of its source to the top of its target, vertical and horizontal
/// by turns.
struct EdgeRoute {
  graph::Edge edge{};
  std::vector<Corner> corners;
  bool is_back = false; ///< closes a cycle: leads up, or from a block to itself
};

struct GraphLayout {
  int width = 0, height = 0;
  std::vector<NodeBox> boxes;    ///< by node; as high as asked for, and at least as wide
  std::vector<EdgeRoute> routes; ///< in the order of Graph::edges()
};

/// Boxes do not overlap, no line touches a box other than at its ends, and no two lines share a
/// stretch; they cross. A node is below all that lead to it, apart from back edges. Nodes out of
/// the entry's reach are laid out too. `sizes`: by node, each positive. Takes O(E log E) time where
/// edges are short, as in programs; long ones run at the sides.
GraphLayout lay_out(const graph::Graph& graph, std::span<const BoxSize> sizes);

} // namespace lanewise::report
