// Loops, irreducible regions and components against their definitions.
#include "base/graph/loops.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/graph/components.h"
#include "graphs.h"

namespace lanewise::graph {
namespace {

NodeSet set_of(std::span<const Node> nodes) {
  NodeSet set = 0;
  for (const Node node : nodes) set |= NodeSet{1} << node;
  return set;
}

/// Sources of edges to the node that the node dominates.
NodeSet latches_of(Node head, const SmallGraph& graph, const SmallDominators& dominators) {
  return graph.predecessors[head] & dominators.dominated[head];
}

/// What leads to a latch without going through the head, and the head.
NodeSet body_of(Node head, const SmallGraph& graph, const SmallDominators& dominators) {
  const NodeSet at_head = NodeSet{1} << head;
  const NodeSet latches = latches_of(head, graph, dominators);
  return at_head | (graph.reach_back(latches, at_head) & dominators.reached);
}

void expect_loops(const Graph& graph, const LoopForest& forest) {
  const SmallGraph small(graph);
  const SmallDominators dominators(small);
  std::size_t heads = 0;
  for_each_in(dominators.reached,
              [&](Node node) { heads += latches_of(node, small, dominators) != 0; });
  ASSERT_EQ(forest.loops().size(), heads) << to_string(graph);
  for (LoopNumber i = 0; i < heads; ++i) {
    const Loop& loop = forest.loops()[i];
    const NodeSet body = body_of(loop.head, small, dominators);
    ASSERT_EQ(loop.latches, members(latches_of(loop.head, small, dominators))) << to_string(graph);
    ASSERT_EQ(forest.nodes(i), members(body)) << "of " << loop.head << ", " << to_string(graph);
    // Its parent is the smallest of the others with its head.
    LoopNumber parent = kNoLoop;
    for (LoopNumber j = 0; j < heads; ++j) {
      const NodeSet other = body_of(forest.loops()[j].head, small, dominators);
      if (j == i || !has(other, loop.head)) continue;
      ASSERT_LT(j, i) << "an outer loop comes first";
      if (parent == kNoLoop || forest.nodes(j).size() < forest.nodes(parent).size()) parent = j;
    }
    ASSERT_EQ(loop.parent, parent) << to_string(graph);
    ASSERT_EQ(loop.depth, parent == kNoLoop ? 1 : forest.loops()[parent].depth + 1);
  }
  for (Node node = 0; node < graph.size(); ++node) {
    std::uint32_t around = 0;
    for (LoopNumber i = 0; i < heads; ++i)
      around += has(body_of(forest.loops()[i].head, small, dominators), node);
    ASSERT_EQ(forest.depth(node), around) << to_string(graph);
  }
}

/// A region: nodes that lead to each other by edges that do not go to a dominator of their source.
void expect_regions(const Graph& graph, const LoopForest& forest) {
  SmallGraph cut(graph);
  const SmallGraph whole(graph);
  const SmallDominators dominators(whole);
  for (Node node = 0; node < graph.size(); ++node) {
    cut.successors[node] &= ~dominators.dominators[node];
    cut.predecessors[node] &= ~dominators.dominated[node];
  }
  std::vector<NodeSet> expected;
  for_each_in(dominators.reached, [&](Node node) {
    const NodeSet at_node = NodeSet{1} << node;
    const NodeSet region = cut.reach(at_node, 0) & cut.reach_back(at_node, 0) & dominators.reached;
    if (region != at_node && std::countr_zero(region) == static_cast<int>(node))
      expected.push_back(region);
  });
  ASSERT_EQ(forest.irreducible().size(), expected.size()) << to_string(graph);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const IrreducibleRegion& region = forest.irreducible()[i];
    ASSERT_EQ(region.nodes, members(expected[i])) << to_string(graph);
    NodeSet entries = 0;
    for_each_in(expected[i], [&](Node node) {
      const NodeSet from = whole.predecessors[node] & dominators.reached & ~expected[i];
      if (from != 0 || node == graph.entry()) entries |= NodeSet{1} << node;
    });
    ASSERT_EQ(region.entries, members(entries)) << to_string(graph);
    ASSERT_GE(region.entries.size(), 2U) << to_string(graph);
    ASSERT_FALSE(region.back_edges.empty()) << to_string(graph);
    for (const Edge& edge : region.back_edges) {
      ASSERT_TRUE(has(expected[i], edge.from) && has(cut.successors[edge.from], edge.to));
      ASSERT_FALSE(dominators.dominates(edge.to, edge.from)) << to_string(graph);
    }
  }
}

TEST(Loops, AreThoseOfTheDefinition) {
  std::size_t nested = 0, irreducible = 0;
  const std::uint64_t count = graph_count(100'000);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const Graph graph = random_small_graph(seed);
    const LoopForest forest(graph, DominatorTree(graph));
    expect_loops(graph, forest);
    expect_regions(graph, forest);
    if (HasFatalFailure()) return;
    nested += std::ranges::any_of(forest.loops(), [](const Loop& loop) { return loop.depth > 2; });
    irreducible += !forest.irreducible().empty();
  }
  EXPECT_GT(nested, count / 1000);
  EXPECT_GT(irreducible, count / 20);
}

// What removing every irreducible back edge and every edge to a dominator leaves has no cycle.
TEST(Loops, EveryCycleIsNamed) {
  for (std::uint64_t seed = 0; seed < graph_count(20'000); ++seed) {
    const Graph graph = random_small_graph(seed);
    const DominatorTree tree(graph);
    const LoopForest forest(graph, tree);
    std::vector<Edge> edges = graph.edges();
    std::erase_if(edges, [&](const Edge& edge) {
      return tree.dominates(edge.to, edge.from) ||
             std::ranges::any_of(forest.irreducible(), [&](const IrreducibleRegion& region) {
               return std::ranges::count(region.back_edges, edge) != 0;
             });
    });
    const Rows components = strong_components(Graph(graph.size(), graph.entry(), edges));
    ASSERT_EQ(components.total(), components.size()) << to_string(graph);
  }
}

TEST(Components, AreNodesThatLeadToEachOther) {
  for (std::uint64_t seed = 0; seed < graph_count(20'000); ++seed) {
    const Graph graph = random_small_graph(seed);
    const SmallGraph small(graph);
    const Rows components = strong_components(graph);
    NodeSet seen = 0; // from the last one on
    for (Node i = components.size(); i-- > 0;) {
      const NodeSet component = set_of(components[i]);
      for_each_in(component, [&](Node node) {
        const NodeSet at_node = NodeSet{1} << node;
        ASSERT_EQ(small.reach(at_node, 0) & small.reach_back(at_node, 0), component);
      });
      ASSERT_EQ(small.reach(component, 0) & ~component & ~seen, 0U) << to_string(graph);
      seen |= component;
    }
    ASSERT_EQ(seen, small.reached());
  }
}

// for (1) { for (2) { 3 } 4 } 5, with a continue from 3 to the outer head.
TEST(Loops, OneInAnother) {
  const Graph graph(
      6, 0, std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 1}, {2, 4}, {4, 1}, {1, 5}});
  const LoopForest forest(graph, DominatorTree(graph));
  ASSERT_EQ(forest.loops().size(), 2U);
  EXPECT_EQ(forest.loops()[0].head, 1U);
  EXPECT_EQ(forest.loops()[0].latches, (std::vector<Node>{3, 4}));
  EXPECT_EQ(forest.nodes(0), (std::vector<Node>{1, 2, 3, 4}));
  EXPECT_EQ(forest.loops()[1].parent, 0U);
  EXPECT_EQ(forest.nodes(1), (std::vector<Node>{2, 3}));
  EXPECT_EQ(forest.depth(3), 2U);
  EXPECT_EQ(forest.depth(5), 0U);
}

// Two ways into a cycle.
TEST(Loops, AnIrreducibleRegionHasNoHead) {
  const Graph graph(3, 0, std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {2, 1}});
  const LoopForest forest(graph, DominatorTree(graph));
  EXPECT_TRUE(forest.loops().empty());
  ASSERT_EQ(forest.irreducible().size(), 1U);
  EXPECT_EQ(forest.irreducible()[0].nodes, (std::vector<Node>{1, 2}));
  EXPECT_EQ(forest.irreducible()[0].entries, (std::vector<Node>{1, 2}));
  EXPECT_EQ(forest.irreducible()[0].back_edges, (std::vector<Edge>{{2, 1}}));
}

} // namespace
} // namespace lanewise::graph
