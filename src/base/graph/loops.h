// Loops: natural ones with their nesting, and the cycles that are no natural loops.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/graph/dominators.h"
#include "base/graph/graph.h"

namespace lanewise::graph {

using LoopNumber = std::uint32_t;
inline constexpr LoopNumber kNoLoop = ~LoopNumber{0};

/// All cycles through one head: its nodes are those from which a latch can be reached without going
/// through the head.
struct Loop {
  Node head;                   ///< dominates all nodes of the loop
  std::vector<Node> latches;   ///< nodes with an edge back to the head, ascending
  LoopNumber parent = kNoLoop; ///< the next larger loop around it
  std::uint32_t depth = 1;     ///< 1: in no other loop
  LoopNumber end = 0;          ///< the loops in it are those from its own number to before this
};

/// Nodes that lead to each other, also without any edge from a node to one that dominates it: a
/// cycle with more than one way in.
struct IrreducibleRegion {
  std::vector<Node> nodes;      ///< ascending
  std::vector<Node> entries;    ///< nodes with an edge from outside; two at least, ascending
  std::vector<Edge> back_edges; ///< within it, to a node above in the depth-first tree
};

/// Two loops have no node in common, or one lies in the other.
class LoopForest {
 public:
  LoopForest(const Graph& graph, const DominatorTree& tree);

  /// Each before those that lie in it.
  std::span<const Loop> loops() const { return loops_; }

  /// The smallest loop with the node, or kNoLoop.
  LoopNumber innermost(Node node) const { return innermost_[node]; }

  bool contains(LoopNumber loop, Node node) const {
    return innermost_[node] != kNoLoop && loop <= innermost_[node] &&
           innermost_[node] < loops_[loop].end;
  }

  /// Those of the loops in it too, ascending.
  std::vector<Node> nodes(LoopNumber loop) const;

  /// How many loops the node is in.
  std::uint32_t depth(Node node) const {
    return innermost_[node] == kNoLoop ? 0 : loops_[innermost_[node]].depth;
  }

  /// By their first node. None: the graph is reducible, and every cycle is in a natural loop that
  /// it passes the head of.
  std::span<const IrreducibleRegion> irreducible() const { return irreducible_; }

 private:
  std::vector<Loop> loops_;
  std::vector<LoopNumber> innermost_;
  std::vector<IrreducibleRegion> irreducible_;
};

} // namespace lanewise::graph
