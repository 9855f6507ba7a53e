// Dominators: a dominates b where every path from the entry to b goes through a. The algorithm is
// Lengauer and Tarjan's (1979), in four steps over the numbers of a depth-first search;
// docs/flow.md takes a graph through them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::graph {

/// How the lowest semidominator on a path is found. The results are the same.
enum class Strategy : std::uint8_t {
  Walk,     ///< node by node, every time: nothing to keep, but quadratic in deep graphs
  Compress, ///< walks leave shortcuts behind: O(E log N)
  Balance   ///< and the paths are kept flat: O(E a(E, N)), a the inverse of Ackermann's function
};

/// The fastest on graphs as programs have them (docs/flow.md, bench/flow_bench.cpp).
inline constexpr Strategy kFastest = Strategy::Compress;

/// The immediate dominator of each node: the last one that all paths to it have in common, apart
/// from itself. kNoNode for the entry and for nodes that it does not reach.
std::vector<Node> immediate_dominators(const Graph& graph, Strategy strategy = kFastest);

/// The tree that immediate dominators make, with its root at the entry. What the entry does not
/// reach is not in it: it dominates nothing and nothing dominates it.
class DominatorTree {
 public:
  explicit DominatorTree(const Graph& graph, Strategy strategy = kFastest);

  /// kNoNode for the entry and for nodes that it does not reach.
  Node idom(Node node) const { return idom_[node]; }

  bool reaches(Node node) const { return below_[node] != 0; }

  /// Every node that is reached dominates itself. Takes constant time.
  bool dominates(Node a, Node b) const { return reaches(b) && place_[b] - place_[a] < below_[a]; }
  bool strictly_dominates(Node a, Node b) const { return a != b && dominates(a, b); }

  /// All nodes of the tree: each before those that it dominates, which follow it without a gap.
  std::span<const Node> top_down() const { return top_down_; }

  /// Those that a node dominates, itself first.
  std::span<const Node> dominated_by(Node node) const;

  /// How many nodes have the tree below them; the size of the graph.
  Node size() const { return static_cast<Node>(idom_.size()); }

  /// Of each node, those that it dominates immediately.
  Rows children() const;

 private:
  std::vector<Node> idom_;
  std::vector<Node> top_down_;
  std::vector<Node> place_; ///< in top_down_; 0 where not in the tree
  std::vector<Node> below_; ///< nodes that it dominates, itself among them; 0: not in the tree
};

} // namespace lanewise::graph
