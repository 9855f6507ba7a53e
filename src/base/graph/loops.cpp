#include "base/graph/loops.h"

#include <algorithm>
#include <utility>

#include "base/graph/components.h"
#include "base/graph/depth_first.h"

namespace lanewise::graph {
namespace {

/// One loop per head with a latch, outer heads first: a loop's head is dominated by those of the
/// loops around it.
std::vector<Loop> find_heads(const Graph& graph, const DominatorTree& tree) {
  std::vector<Loop> loops;
  for (const Node head : tree.top_down()) {
    std::vector<Node> latches;
    for (const Node node : graph.predecessors(head)) {
      if (tree.dominates(head, node)) latches.push_back(node);
    }
    if (latches.empty()) continue;
    std::ranges::sort(latches);
    latches.erase(std::unique(latches.begin(), latches.end()), latches.end());
    loops.push_back({.head = head, .latches = std::move(latches)});
  }
  return loops;
}

/// Collects the nodes of loops against the edges, inner loops first. A loop that is complete is
/// passed in one step, from any of its nodes to its head.
class Collector {
 public:
  Collector(const Graph& graph, const DominatorTree& tree, std::vector<Loop>& loops,
            std::vector<LoopNumber>& innermost)
      : graph_(graph), tree_(tree), loops_(loops), innermost_(innermost) {
    for (LoopNumber loop = 0; loop < loops.size(); ++loop) outermost_.push_back(loop);
  }

  void collect(LoopNumber loop) {
    innermost_[loops_[loop].head] =
        loop; // it is in no inner loop: that one's head would dominate it
    for (const Node latch : loops_[loop].latches) waiting_.push_back(latch);
    while (!waiting_.empty()) {
      const Node node = waiting_.back();
      waiting_.pop_back();
      take(node, loop);
    }
  }

 private:
  void take(Node node, LoopNumber loop) {
    if (innermost_[node] == kNoLoop) {
      innermost_[node] = loop;
      wait_for_predecessors(node);
      return;
    }
    const LoopNumber inner = outermost(innermost_[node]);
    if (inner == loop) return;
    loops_[inner].parent = loop;
    outermost_[inner] = loop;
    wait_for_predecessors(loops_[inner].head);
  }

  void wait_for_predecessors(Node node) {
    for (const Node before : graph_.predecessors(node)) {
      if (tree_.reaches(before)) waiting_.push_back(before);
    }
  }

  /// The largest loop found so far around a loop. Halves the way for the next time.
  LoopNumber outermost(LoopNumber loop) {
    while (outermost_[loop] != loop) {
      outermost_[loop] = outermost_[outermost_[loop]];
      loop = outermost_[loop];
    }
    return loop;
  }

  const Graph& graph_;
  const DominatorTree& tree_;
  std::vector<Loop>& loops_;
  std::vector<LoopNumber>& innermost_;
  std::vector<LoopNumber> outermost_; ///< of each loop, itself or one around it
  std::vector<Node> waiting_;
};

/// Gives loops new numbers, so that those in a loop follow it without a gap.
void number_in_preorder(std::vector<Loop>& loops, std::vector<LoopNumber>& innermost) {
  const auto count = static_cast<LoopNumber>(loops.size());
  std::vector<LoopNumber> sizes(count, 1), next(count), place(count);
  for (LoopNumber loop = count; loop-- > 0;) {
    if (loops[loop].parent != kNoLoop) sizes[loops[loop].parent] += sizes[loop];
  }
  LoopNumber free = 0;
  std::vector<Loop> ordered(count);
  for (LoopNumber loop = 0; loop < count; ++loop) {
    Loop& old = loops[loop];
    LoopNumber& first_free = old.parent == kNoLoop ? free : next[old.parent];
    place[loop] = first_free;
    first_free += sizes[loop];
    next[loop] = place[loop] + 1;
    if (old.parent != kNoLoop) {
      old.parent = place[old.parent];
      old.depth = ordered[old.parent].depth + 1;
    }
    old.end = place[loop] + sizes[loop];
    ordered[place[loop]] = std::move(old);
  }
  loops = std::move(ordered);
  for (LoopNumber& loop : innermost) {
    if (loop != kNoLoop) loop = place[loop];
  }
}

/// Without the edges to a node that dominates their source.
Graph without_natural_back_edges(const Graph& graph, const DominatorTree& tree) {
  std::vector<Edge> edges = graph.edges();
  std::erase_if(edges, [&](const Edge& edge) { return tree.dominates(edge.to, edge.from); });
  return {graph.size(), graph.entry(), edges};
}

/// Finds what there is to say of regions of which the nodes are known.
class RegionReader {
 public:
  RegionReader(const Graph& graph, const DominatorTree& tree)
      : graph_(graph),
        tree_(tree),
        search_(depth_first(graph)),
        subtree_(search_.reached(), 1),
        inside_(graph.size()) {
    for (Node w = search_.reached() - 1; w > 0; --w) subtree_[search_.parent[w]] += subtree_[w];
  }

  IrreducibleRegion read(std::span<const Node> nodes) {
    IrreducibleRegion region;
    region.nodes.assign(nodes.begin(), nodes.end());
    std::ranges::sort(region.nodes);
    for (const Node node : region.nodes) inside_[node] = true;
    for (const Node node : region.nodes) {
      if (is_entry(node)) region.entries.push_back(node);
      for (const Node to : graph_.successors(node)) {
        if (is_back_edge({node, to})) region.back_edges.push_back({node, to});
      }
    }
    for (const Node node : region.nodes) inside_[node] = false;
    return region;
  }

 private:
  bool is_entry(Node node) const {
    const auto outside = [&](Node from) { return tree_.reaches(from) && !inside_[from]; };
    return node == graph_.entry() || std::ranges::any_of(graph_.predecessors(node), outside);
  }

  bool is_back_edge(const Edge& edge) const {
    const Node from = search_.number[edge.from], to = search_.number[edge.to];
    return inside_[edge.to] && from - to < subtree_[to] && !tree_.dominates(edge.to, edge.from);
  }

  const Graph& graph_;
  const DominatorTree& tree_;
  DepthFirst search_;
  std::vector<Node> subtree_; ///< nodes below a number in the depth-first tree, itself too
  std::vector<bool> inside_;
};

std::vector<IrreducibleRegion> find_irreducible(const Graph& graph, const DominatorTree& tree) {
  const Rows components = strong_components(without_natural_back_edges(graph, tree));
  RegionReader reader(graph, tree);
  std::vector<IrreducibleRegion> regions;
  for (Node i = 0; i < components.size(); ++i) {
    if (components[i].size() > 1) regions.push_back(reader.read(components[i]));
  }
  std::ranges::sort(regions, {}, [](const auto& region) { return region.nodes.front(); });
  return regions;
}

} // namespace

LoopForest::LoopForest(const Graph& graph, const DominatorTree& tree)
    : loops_(find_heads(graph, tree)),
      innermost_(graph.size(), kNoLoop),
      irreducible_(find_irreducible(graph, tree)) {
  Collector collector(graph, tree, loops_, innermost_);
  for (auto loop = static_cast<LoopNumber>(loops_.size()); loop-- > 0;) collector.collect(loop);
  number_in_preorder(loops_, innermost_);
}

std::vector<Node> LoopForest::nodes(LoopNumber loop) const {
  std::vector<Node> found;
  for (Node node = 0; node < innermost_.size(); ++node) {
    if (contains(loop, node)) found.push_back(node);
  }
  return found;
}

} // namespace lanewise::graph
