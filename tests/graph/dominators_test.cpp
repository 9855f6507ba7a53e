// Dominators against their definition, and against those of Boost.Graph.
#include "base/graph/dominators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/graph/depth_first.h"
#include "base/graph/frontiers.h"
#include "base/graph/loops.h"
#include "base/graph/ssa.h"
#include "boost_dominators.h"
#include "graphs.h"

namespace lanewise::graph {
namespace {

constexpr Strategy kStrategies[] = {Strategy::Walk, Strategy::Compress, Strategy::Balance};

std::vector<Node> by_definition(const Graph& graph) {
  const SmallDominators dominators{SmallGraph(graph)};
  std::vector<Node> idom;
  for (Node node = 0; node < graph.size(); ++node) idom.push_back(dominators.idom(node));
  return idom;
}

/// What kinds of graphs there were, so that a test knows that it has seen all of them.
struct Kinds {
  std::uint64_t irreducible = 0, unreached = 0, self_loops = 0, multiple_edges = 0, entry_loops = 0;

  void count(const Graph& graph) {
    const DominatorTree tree(graph);
    irreducible += !LoopForest(graph, tree).irreducible().empty();
    unreached += tree.top_down().size() < graph.size();
    entry_loops += !graph.predecessors(graph.entry()).empty();
    const std::vector<Edge> edges = graph.edges();
    const SmallGraph small(graph);
    std::size_t different = 0;
    bool self = false;
    for (Node node = 0; node < graph.size(); ++node) {
      self |= has(small.successors[node], node);
      different += members(small.successors[node]).size();
    }
    self_loops += self;
    multiple_edges += different < edges.size();
  }
};

TEST(Dominators, OfSmallGraphsAreThoseByRemoval) {
  const std::uint64_t count = graph_count(400'000); // nightly: a million
  Kinds kinds;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const Graph graph = random_small_graph(seed);
    const std::vector<Node> expected = by_definition(graph);
    for (const Strategy strategy : kStrategies) {
      ASSERT_EQ(immediate_dominators(graph, strategy), expected)
          << "strategy " << static_cast<int>(strategy) << ", " << to_string(graph);
    }
    ASSERT_TRUE(same_dominators(expected, boost_dominators(boost_graph(graph), graph.entry())))
        << to_string(graph);
    if (seed % 10 == 0) kinds.count(graph);
  }
  const std::uint64_t some = count / 200; // of one in ten: a twentieth
  EXPECT_GT(kinds.irreducible, some);
  EXPECT_GT(kinds.unreached, some);
  EXPECT_GT(kinds.self_loops, some);
  EXPECT_GT(kinds.multiple_edges, some);
  EXPECT_GT(kinds.entry_loops, some);
}

TEST(Dominators, TheTreeKnowsWhatDominatesWhat) {
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Graph graph = random_small_graph(seed);
    const SmallDominators expected{SmallGraph(graph)};
    for (const Strategy strategy : kStrategies) {
      const DominatorTree tree(graph, strategy);
      const Rows children = tree.children();
      for (Node a = 0; a < graph.size(); ++a) {
        ASSERT_EQ(tree.reaches(a), has(expected.reached, a)) << to_string(graph);
        ASSERT_EQ(tree.idom(a), expected.idom(a)) << to_string(graph);
        NodeSet dominated = 0, below = 0;
        for (Node b = 0; b < graph.size(); ++b) {
          ASSERT_EQ(tree.dominates(a, b), expected.dominates(a, b)) << to_string(graph);
          ASSERT_EQ(tree.strictly_dominates(a, b), a != b && expected.dominates(a, b));
        }
        for (const Node b : tree.dominated_by(a)) dominated |= NodeSet{1} << b;
        for (const Node b : children[a]) below |= expected.dominated[b];
        ASSERT_EQ(dominated, expected.dominated[a]) << to_string(graph);
        ASSERT_EQ(below, expected.dominated[a] & ~(NodeSet{1} << a)) << to_string(graph);
      }
    }
  }
}

/// The graph of that number: the larger one is, the rarer, but with LANEWISE_FLOW_NODES, of that
/// size.
Graph random_large_graph(std::uint64_t seed) {
  Random random(seed);
  const char* wanted = std::getenv("LANEWISE_FLOW_NODES");
  const Node most = seed % 250 == 0 ? 100'000 : seed % 25 == 0 ? 10'000 : 1'000;
  const Node nodes = wanted == nullptr ? most / 2 + random.below(most / 2 + 1)
                                       : static_cast<Node>(std::strtoul(wanted, nullptr, 10));
  if (random.below(2) == 0) return random_program_graph(nodes, random);
  return random_wild_graph(nodes, 10 + random.below(20), random);
}

TEST(Dominators, OfAThousandLargeGraphsAreThoseOfBoost) {
  constexpr Node kMostForWalk = 10'000; // quadratic
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Graph graph = random_large_graph(seed);
    std::vector<std::size_t> expected;
    run_on_stack(kDeepStack,
                 [&] { expected = boost_dominators(boost_graph(graph), graph.entry()); });
    for (const Strategy strategy : kStrategies) {
      if (strategy == Strategy::Walk && graph.size() > kMostForWalk) continue;
      ASSERT_TRUE(same_dominators(immediate_dominators(graph, strategy), expected))
          << "strategy " << static_cast<int>(strategy) << ", graph " << seed;
    }
  }
}

/// 0 > 1 > 2 > ..., and from every node two back.
Graph deep_graph(Node nodes) {
  std::vector<Edge> edges;
  for (Node node = 1; node < nodes; ++node) {
    edges.push_back({node - 1, node});
    edges.push_back({node, node - std::min(node, Node{2})});
  }
  return {nodes, 0, edges};
}

// All that this room does, where a recursion as deep as the graph would need a hundred times as
// much.
TEST(Dominators, AMillionNodesInARowNeedNoStack) {
  constexpr Node kNodes = 1'000'000;
  constexpr std::size_t kStack = std::size_t{1} << 18;
  run_on_stack(kStack, [] {
    const Graph graph = deep_graph(kNodes);
    for (const Strategy strategy : {Strategy::Compress, Strategy::Balance}) {
      const std::vector<Node> idom = immediate_dominators(graph, strategy);
      EXPECT_EQ(idom[0], kNoNode);
      for (Node node = 1; node < kNodes; ++node) ASSERT_EQ(idom[node], node - 1);
    }
    const DominatorTree tree(graph);
    EXPECT_TRUE(tree.dominates(0, kNodes - 1));
    for (const FrontierMethod method : {FrontierMethod::WalkUp, FrontierMethod::BottomUp})
      EXPECT_EQ(dominance_frontiers(graph, tree, method)[kNodes - 1].size(), 1U);
    const Postdominators postdominators(graph);
    EXPECT_EQ(postdominators.tree.idom(0), 1U);
    EXPECT_EQ(control_dependence(graph, postdominators)[0].size(), 2U);
    EXPECT_TRUE(LoopForest(graph, tree).irreducible().empty());
    Accesses accesses{.variables = 1, .blocks = std::vector(kNodes, std::vector{Access{0, false}})};
    accesses.blocks.back().push_back({0, true});
    EXPECT_EQ(make_ssa(graph, tree, accesses).phis[kNodes - 3].size(), 1U);
  });
}

// Strategy 1 where it is at its best: every node has its semidominator as its parent.
TEST(Dominators, OfAMillionNodesInARowByWalks) {
  std::vector<Edge> edges;
  for (Node node = 1; node < 1'000'000; ++node) edges.push_back({node - 1, node});
  const std::vector<Node> idom = immediate_dominators(Graph(1'000'000, 0, edges), Strategy::Walk);
  for (Node node = 1; node < 1'000'000; ++node) ASSERT_EQ(idom[node], node - 1);
}

/// The example of docs/flow.md, and the columns of its table.
struct Worked {
  Graph graph{
      7, 0,
      std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 2}, {0, 6}, {6, 4}, {1, 5}}};
  std::vector<Node> parent = {kNoNode, 0, 1, 2, 3, 4, 0};
  std::vector<std::vector<Node>> candidates = {{}, {0}, {0, 1}, {2}, {0, 3}, {1, 4}, {0}};
  std::vector<Node> sdom = {kNoNode, 0, 0, 2, 0, 1, 0};
  std::vector<Node> idomfrom = {kNoNode, 1, 2, 3, 4, 4, 6};
  std::vector<Node> idom = {kNoNode, 0, 0, 2, 0, 0, 0};
};

/// What step 2 chooses the semidominator of w from: one number for each edge to w; ascending.
std::vector<Node> candidates(const Worked& it, Node w) {
  std::vector<Node> found;
  for (const Node v : it.graph.predecessors(w)) {
    Node lowest = v < w ? v : it.sdom[v];
    for (Node u = v; u > w; u = it.parent[u]) lowest = std::min(lowest, it.sdom[u]);
    found.push_back(lowest);
  }
  std::ranges::sort(found);
  return found;
}

/// The first node with a path to w that goes only through nodes after w.
Node semidominator(const SmallGraph& graph, Node w) {
  const NodeSet before = (NodeSet{2} << w) - 1;
  NodeSet from = graph.predecessors[w];
  for_each_in(graph.reach_back(from, before), [&](Node u) { from |= graph.predecessors[u]; });
  return static_cast<Node>(std::countr_zero(from));
}

TEST(Dominators, OfTheWorkedExample) {
  const Worked it;
  const DepthFirst search = depth_first(it.graph);
  EXPECT_EQ(search.order, (std::vector<Node>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(search.parent, it.parent);
  for (Node w = 1; w < 7; ++w) {
    EXPECT_EQ(it.sdom[w], semidominator(SmallGraph(it.graph), w));
    EXPECT_EQ(candidates(it, w), it.candidates[w]);
    EXPECT_EQ(it.sdom[w], it.candidates[w].front());
    Node lowest = it.sdom[w];
    for (Node u = w; u > it.sdom[w]; u = it.parent[u]) lowest = std::min(lowest, it.sdom[u]);
    EXPECT_EQ(it.sdom[it.idomfrom[w]], lowest);
  }
  EXPECT_EQ(by_definition(it.graph), it.idom);
  for (const Strategy strategy : kStrategies)
    EXPECT_EQ(immediate_dominators(it.graph, strategy), it.idom);
}

TEST(Dominators, OfTheWorkedExampleAndWhatRestsOnThem) {
  const Worked it;
  const DominatorTree tree(it.graph);
  const Rows frontiers = dominance_frontiers(it.graph, tree);
  const std::vector<std::vector<Node>> expected = {{}, {2, 5}, {4}, {4}, {5}, {2}, {4}};
  for (Node node = 0; node < 7; ++node) {
    const std::span<const Node> found = frontiers[node];
    EXPECT_EQ(std::vector<Node>(found.begin(), found.end()), expected[node]) << "of " << node;
  }
  const LoopForest loops(it.graph, tree);
  EXPECT_TRUE(loops.loops().empty());
  ASSERT_EQ(loops.irreducible().size(), 1U);
  EXPECT_EQ(loops.irreducible()[0].nodes, (std::vector<Node>{2, 3, 4, 5}));
  EXPECT_EQ(loops.irreducible()[0].entries, (std::vector<Node>{2, 4, 5}));
  EXPECT_EQ(loops.irreducible()[0].back_edges, (std::vector<Edge>{{5, 2}}));
  // v is defined in 1 and 3, and used in 5.
  const Accesses accesses{1, {{}, {{0, true}}, {}, {{0, true}}, {}, {{0, false}}, {}}};
  const auto phis = [&](PhiPlacement placement) {
    const Ssa ssa = make_ssa(it.graph, tree, accesses, {.placement = placement});
    std::vector<Node> blocks;
    for (Node node = 0; node < 7; ++node) {
      if (!ssa.phis[node].empty()) blocks.push_back(node);
    }
    return blocks;
  };
  EXPECT_EQ(phis(PhiPlacement::Minimal), (std::vector<Node>{2, 4, 5}));
  EXPECT_EQ(phis(PhiPlacement::Pruned), (std::vector<Node>{4, 5}));
}

} // namespace
} // namespace lanewise::graph
