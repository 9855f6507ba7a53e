#include "base/graph/frontiers.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "base/graph/depth_first.h"

namespace lanewise::graph {
namespace {

/// Pairs of a node and a member of its frontier.
using Members = std::vector<Edge>;

/// The members come in ascending order, so that one that a node already has is its last one.
Members walk_up(const Graph& graph, const DominatorTree& tree) {
  Members members;
  std::vector<Node> last(graph.size(), kNoNode);
  for (Node join = 0; join < graph.size(); ++join) {
    if (!tree.reaches(join)) continue;
    // A single predecessor is the immediate dominator, but for the entry, which has none.
    if (graph.predecessors(join).size() < 2 && join != graph.entry()) continue;
    for (const Node predecessor : graph.predecessors(join)) {
      if (!tree.reaches(predecessor)) continue;
      // What has the join already, has it from a walk that went on from there.
      for (Node u = predecessor; u != tree.idom(join) && last[u] != join; u = tree.idom(u)) {
        last[u] = join;
        members.push_back({u, join});
      }
    }
  }
  return members;
}

/// What a node gets comes at once: its successors', then its children's.
Members bottom_up(const Graph& graph, const DominatorTree& tree) {
  Members members;
  std::vector<Node> last(graph.size(), kNoNode); // of a member: the node that got it last
  std::vector<std::size_t> begin(graph.size()), end(graph.size());
  const Rows children = tree.children();
  const std::span<const Node> nodes = tree.top_down();
  for (auto at = nodes.rbegin(); at != nodes.rend(); ++at) {
    const Node w = *at;
    const auto add = [&](Node v) {
      if (tree.idom(v) == w || last[v] == w) return;
      last[v] = w;
      members.push_back({w, v});
    };
    begin[w] = members.size();
    for (const Node v : graph.successors(w)) add(v);
    for (const Node child : children[w]) {
      for (std::size_t i = begin[child]; i < end[child]; ++i) add(members[i].to);
    }
    end[w] = members.size();
    std::sort(members.begin() + begin[w], members.end(),
              [](const Edge& a, const Edge& b) { return a.to < b.to; });
  }
  return members;
}

} // namespace

Rows dominance_frontiers(const Graph& graph, const DominatorTree& tree, FrontierMethod method) {
  switch (method) {
    case FrontierMethod::BottomUp: return {graph.size(), bottom_up(graph, tree)};
    case FrontierMethod::WalkUp: break;
  }
  return {graph.size(), walk_up(graph, tree)};
}

Rows control_dependence(const Graph& graph, const Postdominators& postdominators) {
  Members members = walk_up(postdominators.reversed, postdominators.tree);
  const DepthFirst search = depth_first(graph);
  const auto runs = [&](Node node) { return search.number[node] != kNoNode; };
  std::erase_if(members, [&](const Edge& pair) { return !runs(pair.from) || !runs(pair.to); });
  return {graph.size(), members};
}

} // namespace lanewise::graph
