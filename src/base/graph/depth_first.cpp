#include "base/graph/depth_first.h"

namespace lanewise::graph {

DepthFirst depth_first(const Graph& graph) {
  return search_depth_first(
      graph, [](Node, Node) {}, [](Node) {});
}

std::vector<Node> postorder(const Graph& graph) {
  std::vector<Node> finished;
  finished.reserve(graph.size());
  search_depth_first(
      graph, [](Node, Node) {}, [&](Node node) { finished.push_back(node); });
  return finished;
}

} // namespace lanewise::graph
