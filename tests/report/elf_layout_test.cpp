// The layout of control-flow graphs: what has to hold for every one of them.
#include "report/elf/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "graph/graphs.h"

namespace lanewise::report {
namespace {

using graph::Edge;
using graph::Graph;
using graph::Node;
using graph::Random;

/// A horizontal or vertical stretch, as a box without area.
NodeBox stretch(const Corner& a, const Corner& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x), std::abs(a.y - b.y)};
}

/// Touching counts.
bool meet(const NodeBox& a, const NodeBox& b) {
  return a.x <= b.right() && b.x <= a.right() && a.y <= b.bottom() && b.y <= a.bottom();
}

struct Stretch {
  NodeBox place;
  std::size_t route;
  bool is_first, is_last; ///< of its route
};

std::vector<Stretch> stretches(const GraphLayout& layout) {
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < layout.routes.size(); ++i) {
    const auto& corners = layout.routes[i].corners;
    for (std::size_t j = 1; j < corners.size(); ++j)
      all.push_back({stretch(corners[j - 1], corners[j]), i, j == 1, j + 1 == corners.size()});
  }
  return all;
}

/// What is wrong with a layout; empty if nothing is.
class LayoutCheck {
 public:
  LayoutCheck(const Graph& graph, std::span<const BoxSize> sizes)
      : graph_(graph), sizes_(sizes), layout_(lay_out(graph, sizes)) {}

  std::string wrong() {
    check_boxes();
    check_routes();
    check_stretches();
    return wrong_;
  }

 private:
  void expect(bool holds, const std::string& what) {
    if (!holds && wrong_.size() < 2000) wrong_ += what + "\n";
  }

  void check_boxes() {
    expect(layout_.boxes.size() == graph_.size(), "a box for each node");
    for (Node a = 0; a < graph_.size(); ++a) {
      const NodeBox& box = layout_.boxes[a];
      expect(box.width >= sizes_[a].width && box.height == sizes_[a].height,
             "size of " + std::to_string(a));
      expect(is_inside(box), std::to_string(a) + " is outside of the picture");
      for (Node b = 0; b < a; ++b) {
        expect(!meet(box, layout_.boxes[b]),
               std::to_string(a) + " and " + std::to_string(b) + " overlap");
      }
    }
  }

  bool is_inside(const NodeBox& place) const {
    return place.x >= 0 && place.y >= 0 && place.right() <= layout_.width &&
           place.bottom() <= layout_.height;
  }

  void check_routes() {
    std::vector<Edge> edges;
    for (const EdgeRoute& route : layout_.routes) {
      edges.push_back(route.edge);
      check_ends(route);
    }
    expect(edges == graph_.edges(), "every edge is there once");
  }

  void check_ends(const EdgeRoute& route) {
    const NodeBox &from = layout_.boxes[route.edge.from], &to = layout_.boxes[route.edge.to];
    const Corner first = route.corners.front(), last = route.corners.back();
    expect(first.y == from.bottom() && first.x > from.x && first.x < from.right(),
           "begins at the bottom of its source");
    expect(last.y == to.y && last.x > to.x && last.x < to.right(), "ends at the top of its target");
    expect(route.is_back == (from.y >= to.y), "only back edges lead up");
    expect(route.corners[1].y > first.y && route.corners[route.corners.size() - 2].y < last.y,
           "leaves and arrives downwards");
  }

  void check_stretches() {
    const std::vector<Stretch> all = stretches(layout_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      check_way(all[i]);
      for (std::size_t j = 0; j < i; ++j) {
        if (all[i].route != all[j].route) check_pair(all[i], all[j]);
      }
    }
  }

  void check_way(const Stretch& each) {
    const Edge& edge = layout_.routes[each.route].edge;
    expect((each.place.width == 0) != (each.place.height == 0), "horizontal or vertical");
    expect(is_inside(each.place), "a line is outside of the picture");
    for (Node node = 0; node < graph_.size(); ++node) {
      const bool may_touch =
          (each.is_first && node == edge.from) || (each.is_last && node == edge.to);
      expect(may_touch || !meet(each.place, layout_.boxes[node]),
             std::to_string(edge.from) + " -> " + std::to_string(edge.to) + " touches " +
                 std::to_string(node));
    }
  }

  /// Two that both are horizontal, or vertical, do not meet.
  void check_pair(const Stretch& a, const Stretch& b) {
    const bool same_direction = (a.place.width == 0) == (b.place.width == 0);
    expect(!same_direction || !meet(a.place, b.place), "edges " + std::to_string(a.route) +
                                                           " and " + std::to_string(b.route) +
                                                           " share a stretch");
  }

  const Graph& graph_;
  std::span<const BoxSize> sizes_;
  GraphLayout layout_;
  std::string wrong_;
};

std::vector<BoxSize> random_sizes(Node nodes, Random& random) {
  std::vector<BoxSize> sizes(nodes);
  for (BoxSize& size : sizes)
    size = {1 + static_cast<int>(random.below(400)), 1 + static_cast<int>(random.below(200))};
  return sizes;
}

std::string wrong_with(const Graph& graph, Random& random) {
  const std::vector<BoxSize> sizes = random_sizes(graph.size(), random);
  return LayoutCheck(graph, sizes).wrong();
}

TEST(ElfLayout, HoldsForSmallGraphsOfAnyKind) {
  constexpr std::uint64_t kGraphs = 10'000;
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    Random random(seed);
    const Graph graph = graph::random_small_graph(seed);
    ASSERT_EQ(wrong_with(graph, random), "") << "seed " << seed << ": " << to_string(graph);
  }
}

TEST(ElfLayout, HoldsForGraphsOfPrograms) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Graph graph = graph::random_program_graph(2 + random.below(120), random);
    ASSERT_EQ(wrong_with(graph, random), "") << "seed " << seed;
  }
}

TEST(ElfLayout, HoldsForGraphsWithManyLongEdges) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const Graph graph = graph::random_wild_graph(2 + random.below(150), 15, random);
    ASSERT_EQ(wrong_with(graph, random), "") << "seed " << seed;
  }
}

GraphLayout equal_boxes(Node nodes, std::span<const Edge> edges) {
  const std::vector<BoxSize> sizes(nodes, BoxSize{120, 40});
  return lay_out(Graph(nodes, 0, edges), sizes);
}

TEST(ElfLayout, AChainIsAStraightLine) {
  const std::array edges{Edge{0, 1}, Edge{1, 2}};
  const GraphLayout layout = equal_boxes(3, edges);
  EXPECT_EQ(layout.boxes[0].x, layout.boxes[2].x);
  for (const EdgeRoute& route : layout.routes) EXPECT_EQ(route.corners.size(), 2U);
}

TEST(ElfLayout, BranchesStandSideBySide) {
  const std::array edges{Edge{0, 1}, Edge{0, 2}, Edge{1, 3}, Edge{2, 3}};
  const GraphLayout layout = equal_boxes(4, edges);
  EXPECT_EQ(layout.boxes[1].y, layout.boxes[2].y);
  EXPECT_EQ(layout.boxes[0].x, layout.boxes[3].x);
}

TEST(ElfLayout, ALoopIsClosedAtItsRight) {
  const std::array edges{Edge{0, 1}, Edge{1, 2}, Edge{2, 1}, Edge{2, 3}};
  const GraphLayout layout = equal_boxes(4, edges);
  ASSERT_TRUE(layout.routes[2].is_back);
  EXPECT_EQ(std::ranges::count_if(layout.routes, &EdgeRoute::is_back), 1);
  EXPECT_GT(layout.routes[2].corners[2].x, layout.boxes[1].right());
}

/// No recursion, and no time that grows with the square: a chain of a hundred thousand takes
/// fractions of a second, where a square would take minutes.
TEST(ElfLayout, LargeGraphsEndSoon) {
  std::vector<Edge> chain;
  constexpr Node kNodes = 100'000;
  for (Node node = 0; node + 1 < kNodes; ++node) {
    chain.push_back({node, node + 1});
    chain.push_back({node + 1, node / 2});
  }
  Random random(1);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(equal_boxes(kNodes, chain).routes.size(), chain.size());
  const Graph program = graph::random_program_graph(20'000, random);
  EXPECT_EQ(lay_out(program, random_sizes(program.size(), random)).boxes.size(), program.size());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

} // namespace
} // namespace lanewise::report
