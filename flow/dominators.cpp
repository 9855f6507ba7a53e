#include "flow/dominators.h"

#include <algorithm>
#include <utility>

#include "flow/depth_first.h"
#include "flow/path_minimum.h"

namespace lanewise::flow {
namespace {

/// Finds the immediate dominators of a searched graph. All nodes in it are numbers of the search.
template <class Paths>
class Finder {
 public:
  Finder(const Graph& graph, const DepthFirst& search)
      : graph_(graph),
        search_(search),
        paths_(search.parent),
        sdom_(search.reached()),
        idomfrom_(search.reached()),
        deferred_(search.reached()) {}

  /// Of each number; the entry's is 0.
  std::vector<Node> find() {
    for (Node w = search_.reached() - 1; w > 0; --w) {
      answer_deferred(w);
      sdom_[w] = semidominator(w);
      paths_.link(w, sdom_[w]);
      choose_source(w);
    }
    return resolve();
  }

 private:
  /// The lowest of the predecessors before w, and of the semidominators of those nodes after w from
  /// which the tree leads down to a predecessor.
  Node semidominator(Node w) {
    Node lowest = search_.parent[w];
    for (const Node predecessor : graph_.predecessors(search_.order[w])) {
      if (lowest == 0) break; // there is nothing before the entry
      const Node v = search_.number[predecessor];
      if (v == kNoNode) continue;
      lowest = std::min(lowest, v > w ? paths_.lowest(v, w).sdom : v);
    }
    return lowest;
  }

  /// idomfrom(w): on the tree's path from sdom(w), without it, to w, a node with the lowest
  /// semidominator. Where it is not w at first sight, it is asked for when the search for
  /// semidominators comes to sdom(w).
  void choose_source(Node w) {
    idomfrom_[w] = w;
    if (sdom_[w] == 0 || sdom_[w] == search_.parent[w]) return;
    deferred_[w] = deferred_[sdom_[w]];
    deferred_[sdom_[w]] = w;
  }

  /// The nodes with sdom = w. A list without a node of its own: each names the next.
  void answer_deferred(Node w) {
    for (Node v = deferred_[w]; v != 0; v = deferred_[v]) {
      const Semidominator lowest = paths_.lowest(v, w);
      if (lowest.sdom < w) idomfrom_[v] = lowest.node;
    }
  }

  /// From the first node on, since a source has a lower number. The array becomes the result.
  std::vector<Node> resolve() {
    for (Node w = 1; w < search_.reached(); ++w) {
      idomfrom_[w] = idomfrom_[w] == w ? sdom_[w] : idomfrom_[idomfrom_[w]];
    }
    return std::move(idomfrom_);
  }

  const Graph& graph_;
  const DepthFirst& search_;
  Paths paths_;
  std::vector<Node> sdom_;
  std::vector<Node> idomfrom_;
  std::vector<Node>
      deferred_; ///< of sdom: the first that waits for it; of a waiting node: the next
};

/// Numbers of the immediate dominators of numbers.
std::vector<Node> find_dominators(const Graph& graph, const DepthFirst& search, Strategy strategy) {
  switch (strategy) {
    case Strategy::Walk: return Finder<WalkedPaths>(graph, search).find();
    case Strategy::Compress: return Finder<CompressedPaths>(graph, search).find();
    case Strategy::Balance: break;
  }
  return Finder<BalancedPaths>(graph, search).find();
}

} // namespace

std::vector<Node> immediate_dominators(const Graph& graph, Strategy strategy) {
  const DepthFirst search = depth_first(graph);
  const std::vector<Node> found = find_dominators(graph, search, strategy);
  std::vector<Node> idom(graph.size(), kNoNode);
  for (Node w = 1; w < search.reached(); ++w) idom[search.order[w]] = search.order[found[w]];
  return idom;
}

DominatorTree::DominatorTree(const Graph& graph, Strategy strategy)
    : idom_(graph.size(), kNoNode), place_(graph.size()), below_(graph.size()) {
  const DepthFirst search = depth_first(graph);
  const std::vector<Node> found = find_dominators(graph, search, strategy);
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

} // namespace lanewise::flow
