// Frontiers, postdominators and control dependence against their definitions.
#include "base/graph/frontiers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "graphs.h"

namespace lanewise::graph {
namespace {

constexpr NodeSet bit(Node node) {
  return NodeSet{1} << node;
}

std::vector<Node> list(std::span<const Node> nodes) {
  return {nodes.begin(), nodes.end()};
}

/// Nodes with a predecessor that x dominates, but that x does not strictly dominate.
NodeSet frontier_of(Node x, const SmallGraph& graph, const SmallDominators& dominators) {
  NodeSet frontier = 0;
  for_each_in(dominators.reached, [&](Node y) {
    const NodeSet predecessors = graph.predecessors[y] & dominators.dominated[x];
    const bool strictly = x != y && dominators.dominates(x, y);
    if (predecessors != 0 && !strictly) frontier |= bit(y);
  });
  return frontier;
}

TEST(Frontiers, AreThoseOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < graph_count(100'000); ++seed) {
    const Graph graph = random_small_graph(seed);
    const SmallGraph small(graph);
    const SmallDominators dominators(small);
    const DominatorTree tree(graph);
    const Rows walked = dominance_frontiers(graph, tree, FrontierMethod::WalkUp);
    const Rows collected = dominance_frontiers(graph, tree, FrontierMethod::BottomUp);
    ASSERT_EQ(walked, collected) << to_string(graph);
    for (Node x = 0; x < graph.size(); ++x) {
      ASSERT_EQ(list(walked[x]), members(frontier_of(x, small, dominators)))
          << "of " << x << ", " << to_string(graph);
    }
  }
}

TEST(Frontiers, OfLargeGraphsAreTheSameBothWays) {
  Random random(1);
  for (int i = 0; i < 30; ++i) {
    const Graph graph = i % 2 == 0 ? random_program_graph(3000, random)
                                   : random_wild_graph(3000, 10 + random.below(20), random);
    const DominatorTree tree(graph);
    ASSERT_EQ(dominance_frontiers(graph, tree, FrontierMethod::WalkUp),
              dominance_frontiers(graph, tree, FrontierMethod::BottomUp));
  }
}

// The entry has no immediate dominator: also a single edge to it ends the reach of what leads
// there.
TEST(Frontiers, OfAnEntryWithOnePredecessor) {
  const Graph graph(2, 0, std::vector<Edge>{{0, 1}, {1, 0}});
  const DominatorTree tree(graph);
  for (const FrontierMethod method : {FrontierMethod::WalkUp, FrontierMethod::BottomUp}) {
    const Rows frontiers = dominance_frontiers(graph, tree, method);
    EXPECT_EQ(list(frontiers[0]), std::vector<Node>{0});
    EXPECT_EQ(list(frontiers[1]), std::vector<Node>{0});
  }
}

/// By removal: a postdominates b if without a, no exit can be reached from b.
bool postdominates(const SmallGraph& graph, NodeSet exits, Node a, Node b) {
  return a == b || (graph.reach(bit(b), bit(a)) & exits) == 0;
}

TEST(Postdominators, AreThoseByRemoval) {
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Graph graph = random_small_graph(seed);
    const SmallGraph small(graph);
    NodeSet exits = 0;
    for (const Node node : find_exits(graph)) exits |= bit(node);
    const Postdominators found(graph);
    const NodeSet leaves = small.reach_back(exits, 0);
    for (Node b = 0; b < graph.size(); ++b) {
      ASSERT_TRUE(!has(small.reached(), b) || has(leaves, b)) << to_string(graph);
      ASSERT_EQ(found.tree.reaches(b), has(leaves, b)) << to_string(graph);
      if (!has(leaves, b)) continue;
      ASSERT_TRUE(found.tree.dominates(found.exit(), b));
      for (Node a = 0; a < graph.size(); ++a) {
        if (!has(leaves, a)) continue;
        ASSERT_EQ(found.tree.dominates(a, b), postdominates(small, exits, a, b))
            << a << " and " << b << ", " << to_string(graph);
      }
    }
  }
}

TEST(Postdominators, EndAtTheNodesWithoutSuccessors) {
  const Graph graph(4, 0, std::vector<Edge>{{0, 1}, {0, 2}, {2, 3}});
  EXPECT_EQ(find_exits(graph), (std::vector<Node>{1, 3}));
}

// 0 > 1 > 2 > 1: the loop never ends, and 2, its latch, is taken for its end.
TEST(Postdominators, EndAtTheLatchOfAnEndlessLoop) {
  const Graph graph(3, 0, std::vector<Edge>{{0, 1}, {1, 2}, {2, 1}});
  EXPECT_EQ(find_exits(graph), std::vector<Node>{2});
}

TEST(ControlDependence, IsThatOfTheDefinition) {
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Graph graph = random_small_graph(seed);
    const SmallGraph small(graph);
    const NodeSet reached = small.reached();
    NodeSet exits = 0;
    for (const Node node : find_exits(graph)) exits |= bit(node);
    const Rows found = control_dependence(graph, Postdominators(graph));
    for (Node y = 0; y < graph.size(); ++y) {
      NodeSet branches = 0;
      for_each_in(reached, [&](Node x) {
        if (!has(reached, y) || (x != y && postdominates(small, exits, y, x))) return;
        for_each_in(small.successors[x], [&](Node s) {
          if (postdominates(small, exits, y, s)) branches |= bit(x);
        });
      });
      ASSERT_EQ(list(found[y]), members(branches)) << "of " << y << ", " << to_string(graph);
    }
  }
}

// if (0) { 1 } else { 2 } 3; while (4) { 5 } 6
TEST(ControlDependence, OfABranchAndALoop) {
  const Graph graph(
      7, 0, std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}, {5, 4}, {4, 6}});
  const Rows found = control_dependence(graph, Postdominators(graph));
  const std::vector<std::vector<Node>> expected = {{}, {0}, {0}, {}, {4}, {4}, {}};
  for (Node node = 0; node < graph.size(); ++node) EXPECT_EQ(list(found[node]), expected[node]);
}

TEST(Graphs, KeepTheOrderOfTheirEdges) {
  const std::vector<Edge> edges = {{1, 0}, {0, 2}, {0, 1}, {2, 1}, {0, 2}, {1, 1}};
  const Graph graph(3, 0, edges);
  EXPECT_EQ(list(graph.successors(0)), (std::vector<Node>{2, 1, 2}));
  EXPECT_EQ(list(graph.predecessors(1)), (std::vector<Node>{0, 2, 1}));
  EXPECT_EQ(graph.edge_count(), 6U);
}

TEST(Graphs, HaveTheNodesThatTheyName) {
  EXPECT_THROW(Graph(0, 0, {}), std::invalid_argument);
  EXPECT_THROW(Graph(2, 2, {}), std::invalid_argument);
  EXPECT_THROW(Graph(2, 0, std::vector<Edge>{{0, 2}}), std::invalid_argument);
  EXPECT_THROW(Graph(kNoNode, 0, {}), std::invalid_argument);
}

} // namespace
} // namespace lanewise::graph
