// The three strategies: that they give the same answers, and that what makes two of them fast does
// what it is for. Nothing here measures time.
#include "base/graph/path_minimum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "graphs.h"

namespace lanewise::graph {
namespace {

/// The parents of a tree that is one path, from the entry down.
std::vector<Node> path_parents(Node nodes) {
  std::vector<Node> parent{kNoNode};
  for (Node node = 1; node < nodes; ++node) parent.push_back(node - 1);
  return parent;
}

/// A tree whose nodes have parents at random, mostly not far away, so that it is deep.
std::vector<Node> random_parents(Node nodes, Random& random) {
  std::vector<Node> parent{kNoNode};
  for (Node node = 1; node < nodes; ++node)
    parent.push_back(node - 1 - random.below(std::min(node, Node{4})));
  return parent;
}

// Strategy 2: each question is asked about the end of a path, as soon as one more node is linked.
// What the last one has left behind is one jump, and the new node is the second one. Without
// compression there would be as many as there are nodes.
TEST(PathMinimum, CompressedPathsAreAskedAboutOnce) {
  constexpr Node kNodes = 1000;
  const std::vector<Node> parent = path_parents(kNodes);
  CompressedPaths paths(parent);
  for (Node w = kNodes - 1; w > 1; --w) {
    paths.link(w, w - 1);
    ASSERT_LE(paths.length(kNodes - 1, w - 1), 2U) << "after " << w;
    EXPECT_EQ(paths.lowest(kNodes - 1, w - 1).node, w);
  }
}

// An entry as semidominator is the lowest that there is: the walk ends.
TEST(PathMinimum, NoStepIsMadeAboveTheLowest) {
  const std::vector<Node> parent = path_parents(100);
  CompressedPaths paths(parent);
  for (Node w = 99; w > 0; --w) paths.link(w, w == 50 ? 0 : w - 1);
  EXPECT_EQ(paths.length(99, 0), 50U);
  EXPECT_EQ(paths.lowest(99, 0).node, 50U);
  EXPECT_EQ(paths.length(99, 0), 1U);
}

/// The deepest node of the forest that `link` alone makes, since nothing is asked.
Node greatest_depth(std::span<const Node> parent, std::span<const Node> sdom) {
  BalancedPaths paths(parent);
  for (auto w = static_cast<Node>(parent.size()) - 1; w > 0; --w) paths.link(w, sdom[w]);
  Node deepest = 0;
  for (Node v = 0; v < parent.size(); ++v) deepest = std::max(deepest, paths.depth(v));
  return deepest;
}

/// A tree goes one deeper where it is hung below one that is no smaller, which doubles it, or where
/// a chain is hung below one that is no smaller, which doubles the chain. Neither can happen more
/// than log2(nodes) times.
Node most_depth(Node nodes) {
  return 2 * static_cast<Node>(std::bit_width(nodes) - 1);
}

// Strategy 3, on trees that would become as deep as the graph if the larger were hung below the
// smaller: by falling semidominators, which join, and by rising ones, which leave chains.
TEST(PathMinimum, BalancedForestsAreFlat) {
  constexpr Node kNodes = 1 << 14;
  const std::vector<Node> parent = path_parents(kNodes);
  std::vector<Node> falling(kNodes), rising(kNodes);
  for (Node w = 1; w < kNodes; ++w) {
    falling[w] = w - 1;
    rising[w] = std::min(w - 1, kNodes - w);
  }
  EXPECT_LE(greatest_depth(parent, falling), most_depth(kNodes));
  EXPECT_LE(greatest_depth(parent, rising), most_depth(kNodes));
}

TEST(PathMinimum, BalancedForestsOfRandomTreesAreFlat) {
  constexpr Node kNodes = 1 << 14;
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    const std::vector<Node> parent =
        i % 2 == 0 ? path_parents(kNodes) : random_parents(kNodes, random);
    std::vector<Node> sdom(kNodes);
    for (Node w = 1; w < kNodes; ++w) sdom[w] = random.below(parent[w] + 1);
    EXPECT_LE(greatest_depth(parent, sdom), most_depth(kNodes));
  }
}

// And a question hangs the nodes that it passes directly below the root.
TEST(PathMinimum, BalancedPathsAreCompressed) {
  constexpr Node kNodes = 1 << 14;
  Random random(2);
  const std::vector<Node> parent = random_parents(kNodes, random);
  BalancedPaths paths(parent);
  for (Node w = kNodes - 1; w > 0; --w) paths.link(w, random.below(parent[w] + 1));
  Node deep = 0;
  for (Node v = 1; v < kNodes; ++v) {
    deep += paths.depth(v) > 1 ? 1 : 0;
    paths.lowest(v, 0);
    ASSERT_LE(paths.depth(v), 1U);
  }
  EXPECT_GT(deep, 100U);
}

/// Whether the answers are the lowest on the path: on a random tree, with falling limits. As in
/// graphs, no semidominator is after the parent.
template <class Paths>
void expect_lowest(std::uint64_t seed) {
  Random random(seed);
  constexpr Node kNodes = 60;
  const std::vector<Node> parent = random_parents(kNodes, random);
  std::vector<Node> sdom(kNodes);
  Paths paths(parent);
  for (Node w = kNodes - 1; w > 0; --w) {
    sdom[w] = random.below(parent[w] + 1);
    paths.link(w, sdom[w]);
    for (int i = 0; i < 3; ++i) {
      const Node v = w + random.below(kNodes - w);
      Node lowest = sdom[v], root = v;
      for (Node u = v; u != kNoNode && u >= w; u = parent[u]) {
        lowest = std::min(lowest, sdom[u]);
        root = u;
      }
      const Semidominator found = paths.lowest(v, w - 1);
      ASSERT_EQ(found.sdom, lowest);
      ASSERT_EQ(sdom[found.node], lowest);
      // Where it is the parent of the path's first node, that one is as good as any.
      if (lowest == parent[root]) continue;
      ASSERT_TRUE(found.node >= root && found.node <= v);
    }
  }
}

TEST(PathMinimum, IsTheLowestOnThePath) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    expect_lowest<WalkedPaths>(seed);
    expect_lowest<CompressedPaths>(seed);
    expect_lowest<BalancedPaths>(seed);
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

} // namespace
} // namespace lanewise::graph
