#include "base/graph/dominators.h"

#include <algorithm>
#include <utility>

#include "base/graph/depth_first.h"
#include "base/graph/path_minimum.h"

namespace lanewise::graph {
namespace {

/// What step 1 finds: the tree, and all other edges in its numbers, so that the later steps go
/// through memory from one end to the other.
struct NumberedGraph {
  DepthFirst search;
  std::vector<Node> lowest_before; ///< of each number, the lowest predecessor before it; entry: 0
  Rows later;                      ///< its predecessors after it
};

NumberedGraph number_nodes(const Graph& graph) {
  std::vector<Node> lowest_before;
  lowest_before.reserve(graph.size());
  lowest_before.push_back(0);
  std::vector<Edge> later;
  later.reserve(graph.edge_count());
  const auto note = [&](Node from, Node to) {
    if (to == lowest_before.size())
      lowest_before.push_back(from);
    else if (from > to)
      later.push_back({from, to});
    else
      lowest_before[to] = std::min(lowest_before[to], from);
  };
  DepthFirst search = search_depth_first(graph, note, [](Node) {});
  const Node reached = search.reached();
  return {std::move(search), std::move(lowest_before), Rows::reversed(reached, later)};
}

/// Finds the immediate dominators of a numbered graph. All nodes in it are numbers of the search.
template <class Paths>
class Finder {
 public:
  explicit Finder(NumberedGraph& graph)
      : parent_(graph.search.parent),
        later_(graph.later),
        paths_(parent_),
        sdom_(std::move(graph.lowest_before)),
        slots_(parent_.size()) {}

  /// Of each number; the entry's is 0.
  std::vector<Node> find() {
    for (auto w = static_cast<Node>(parent_.size()) - 1; w > 0; --w) {
      answer_deferred(w);
      find_semidominator(w);
      paths_.link(w, sdom_[w]);
      choose_source(w);
    }
    return resolve();
  }

 private:
  /// The lowest of the predecessors before w, which is there from the start, and of the
  /// semidominators of those nodes after w from which the tree leads down to a predecessor.
  void find_semidominator(Node w) {
    for (const Node v : later_[w]) {
      if (sdom_[w] == 0) return; // there is nothing before the entry
      sdom_[w] = std::min(sdom_[w], paths_.lowest(v, w).sdom);
    }
  }

  /// idomfrom(w): on the tree's path from sdom(w), without it, to w, a node with the lowest
  /// semidominator. Where it is not w at first sight, it is asked for when the search for
  /// semidominators comes to sdom(w).
  void choose_source(Node w) {
    const Node sdom = sdom_[w];
    slots_[w] = sdom == 0 || sdom == parent_[w] ? w : std::exchange(slots_[sdom], w);
  }

  /// The nodes with sdom = w. A list without a node of its own: each names the next.
  void answer_deferred(Node w) {
    for (Node v = slots_[w]; v != 0;) {
      const Node next = slots_[v];
      const Semidominator lowest = paths_.lowest(v, w);
      slots_[v] = lowest.sdom < w ? lowest.node : v;
      v = next;
    }
  }

  /// From the first node on, since a source has a lower number. The array becomes the result.
  std::vector<Node> resolve() {
    for (Node w = 1; w < slots_.size(); ++w)
      slots_[w] = slots_[w] == w ? sdom_[w] : slots_[slots_[w]];
    return std::move(slots_);
  }

  std::span<const Node> parent_;
  const Rows& later_;
  Paths paths_;
  std::vector<Node> sdom_; ///< of nodes that are not linked yet: the lowest predecessor before them

  /// One after the other, of each node: the first that waits for it as its semidominator, or 0; the
  /// next that waits for the same, or 0; and idomfrom.
  std::vector<Node> slots_;
};

/// Numbers of the immediate dominators of numbers.
std::vector<Node> find_dominators(NumberedGraph& graph, Strategy strategy) {
  switch (strategy) {
    case Strategy::Walk: return Finder<WalkedPaths>(graph).find();
    case Strategy::Compress: return Finder<CompressedPaths>(graph).find();
    case Strategy::Balance: break;
  }
  return Finder<BalancedPaths>(graph).find();
}

} // namespace

std::vector<Node> immediate_dominators(const Graph& graph, Strategy strategy) {
  NumberedGraph numbered = number_nodes(graph);
  const std::vector<Node> found = find_dominators(numbered, strategy);
  const DepthFirst& search = numbered.search;
  std::vector<Node> idom(graph.size(), kNoNode);
  for (Node w = 1; w < search.reached(); ++w) idom[search.order[w]] = search.order[found[w]];
  return idom;
}

DominatorTree::DominatorTree(const Graph& graph, Strategy strategy)
    : idom_(graph.size(), kNoNode), place_(graph.size()), below_(graph.size()) {
  NumberedGraph numbered = number_nodes(graph);
  const std::vector<Node> found = find_dominators(numbered, strategy);
  const DepthFirst& search = numbered.search;
  // A dominator has a lower number: sizes add up from the last node on, places come from the first.
  for (Node w = search.reached(); w-- > 0;) {
    const Node node = search.order[w];
    ++below_[node];
    if (w == 0) break;
    idom_[node] = search.order[found[w]];
    below_[idom_[node]] += below_[node];
  }
  std::vector<Node> next(graph.size()); // the first place below a node that is not taken
  top_down_.resize(search.reached());
  for (const Node node : search.order) {
    place_[node] = node == graph.entry() ? 0 : next[idom_[node]];
    if (node != graph.entry()) next[idom_[node]] += below_[node];
    next[node] = place_[node] + 1;
    top_down_[place_[node]] = node;
  }
}

std::span<const Node> DominatorTree::dominated_by(Node node) const {
  return top_down().subspan(place_[node], below_[node]);
}

Rows DominatorTree::children() const {
  std::vector<Edge> pairs;
  pairs.reserve(top_down_.size());
  for (const Node node : top_down_) {
    if (idom_[node] != kNoNode) pairs.push_back({idom_[node], node});
  }
  return {size(), pairs};
}

} // namespace lanewise::graph
