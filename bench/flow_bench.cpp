// How fast dominators are found: the three strategies of base/graph/, and Boost.Graph.
//
//   ./lanewise bench --flow
//   ./lanewise bench --flow --benchmark_filter='program.*/1000000'
//
// A benchmark is named GRAPH/WHO/NODES. Making the graphs is not measured; what is, begins with the
// depth-first search and ends with the immediate dominators. The graphs:
//
//   chain    each node leads to the next
//   ladder   two chains with a rung both ways between the nodes at the same height: irreducible
//   program  the next node, jumps forward and fewer back, none longer than 64 nodes
//   random   two edges per node, between any two nodes
//   deep     a chain, and from every node an edge back to any node before it
//
// The counters:
//
//   node_ns   nanoseconds of processor time per node
//   boost     how many times longer Boost takes for the same graph, timed in the same run
//
// 'walk' is left out where it would be quadratic: on 'deep' and 'random' above 10,000 nodes.
#include "base/graph/dominators.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "processor_time.h"
#include "tests/graph/boost_dominators.h"
#include "tests/graph/graphs.h"

namespace lanewise::graph {
namespace {

Graph chain(Node nodes) {
  std::vector<Edge> edges;
  for (Node node = 1; node < nodes; ++node) edges.push_back({node - 1, node});
  return {nodes, 0, edges};
}

Graph ladder(Node nodes) {
  std::vector<Edge> edges = {{0, 1}};
  for (Node node = 2; node + 1 < nodes; node += 2) {
    edges.insert(edges.end(), {{node - 2, node}, {node - 1, node + 1}});
    edges.insert(edges.end(), {{node, node + 1}, {node + 1, node}});
  }
  return {nodes, 0, edges};
}

Graph program(Node nodes) {
  Random random(1);
  return random_program_graph(nodes, random);
}

Graph wild(Node nodes) {
  Random random(1);
  return random_wild_graph(nodes, 20, random);
}

Graph deep(Node nodes) {
  Random random(1);
  std::vector<Edge> edges;
  for (Node node = 1; node < nodes; ++node) {
    edges.push_back({node - 1, node});
    edges.push_back({node, random.below(node)});
  }
  return {nodes, 0, edges};
}

struct Shape {
  std::string_view name;
  Graph (*make)(Node nodes);
  Node most_for_walk;
};

constexpr Node kMost = 1'000'000;
constexpr Shape kShapes[] = {{"chain", chain, kMost},
                             {"ladder", ladder, kMost},
                             {"program", program, kMost},
                             {"random", wild, 10'000},
                             {"deep", deep, 10'000}};

struct Who {
  std::string_view name;
  Strategy strategy;
};
constexpr Who kWho[] = {
    {"walk", Strategy::Walk}, {"compress", Strategy::Compress}, {"balance", Strategy::Balance}};

/// One graph at a time, since the largest take a gigabyte with Boost.
struct Subject {
  const Shape* shape = nullptr;
  Node nodes = 0;
  Graph graph{1, 0, {}};
  double boost_seconds = 0;
};

Subject& subject(const Shape& shape, Node nodes) {
  static Subject current;
  if (current.shape == &shape && current.nodes == nodes) return current;
  current = {&shape, nodes, shape.make(nodes), 0};
  const BoostGraph boost = boost_graph(current.graph);
  constexpr double kDuration = 0.1;
  current.boost_seconds = bench::seconds_of(
      kDuration, [&] { benchmark::DoNotOptimize(boost_dominators(boost, current.graph.entry())); });
  return current;
}

void run(benchmark::State& state, const Shape& shape, const Who& who, Node nodes) {
  const Subject& it = subject(shape, nodes);
  const double begin = bench::cpu_seconds();
  for (auto _ : state) benchmark::DoNotOptimize(immediate_dominators(it.graph, who.strategy));
  const double seconds = (bench::cpu_seconds() - begin) / static_cast<double>(state.iterations());
  state.counters["node_ns"] = 1e9 * seconds / nodes;
  state.counters["boost"] = it.boost_seconds / seconds;
}

void add_all() {
  for (const Shape& shape : kShapes) {
    for (Node nodes = 1000; nodes <= kMost; nodes *= 10) {
      for (const Who& who : kWho) {
        if (who.strategy == Strategy::Walk && nodes > shape.most_for_walk) continue;
        benchmark::RegisterBenchmark(
            fmt::format("{}/{}/{}", shape.name, who.name, nodes).c_str(),
            [&shape, &who, nodes](benchmark::State& state) { run(state, shape, who, nodes); });
      }
    }
  }
}

} // namespace
} // namespace lanewise::graph

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  lanewise::graph::add_all();
  // Boost recurses as deep as the graph.
  lanewise::graph::run_on_stack(lanewise::graph::kDeepStack,
                                [] { benchmark::RunSpecifiedBenchmarks(); });
  benchmark::Shutdown();
}
