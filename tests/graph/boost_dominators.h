// Boost.Graph's dominators, as the peer that this room is held against.
#pragma once

#include <pthread.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dominator_tree.hpp>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/graph/graph.h"

namespace boost {

/// Boost's concept of a bidirectional graph asks for it, and this graph of Boost's lacks it.
inline std::size_t degree(std::size_t node,
                          const compressed_sparse_row_graph<bidirectionalS>& graph) {
  return in_degree(node, graph) + out_degree(node, graph);
}

} // namespace boost

namespace lanewise::graph {

/// Of Boost's graphs, the one that is laid out as ours, and the fastest of them here.
using BoostGraph = boost::compressed_sparse_row_graph<boost::bidirectionalS>;

inline BoostGraph boost_graph(const Graph& graph) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  edges.reserve(graph.edge_count());
  for (const Edge& edge : graph.edges()) edges.emplace_back(edge.from, edge.to);
  return {boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), graph.size()};
}

/// As immediate_dominators(). With the maps made here, since those that Boost makes itself take
/// nodes that are not reached for the entry.
inline std::vector<std::size_t> boost_dominators(const BoostGraph& graph, Node entry) {
  const std::size_t size = num_vertices(graph);
  constexpr auto kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> number(size, kNone), parent(size, kNone), order(size, kNone),
      idom(size, kNone);
  const auto index = get(boost::vertex_index, graph);
  const auto map = [&](std::vector<std::size_t>& values) {
    return boost::make_iterator_property_map(values.begin(), index);
  };
  boost::lengauer_tarjan_dominator_tree(graph, std::size_t{entry}, index, map(number), map(parent),
                                        order, map(idom));
  return idom;
}

inline bool same_dominators(const std::vector<Node>& ours, const std::vector<std::size_t>& boosts) {
  if (ours.size() != boosts.size()) return false;
  for (std::size_t node = 0; node < ours.size(); ++node) {
    if (ours[node] != static_cast<Node>(boosts[node])) return false;
  }
  return true;
}

/// Does the work on a stack of so many bytes: Boost recurses as deep as the graph is, and here
/// nothing does.
template <class Work>
void run_on_stack(std::size_t bytes, Work&& work) {
  pthread_attr_t attributes;
  pthread_t thread{};
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, bytes) != 0)
    throw std::runtime_error("a thread cannot have a stack of that size");
  const auto start = [](void* it) -> void* {
    (*static_cast<std::remove_reference_t<Work>*>(it))();
    return nullptr;
  };
  const int failed = pthread_create(&thread, &attributes, start, &work);
  pthread_attr_destroy(&attributes);
  if (failed != 0) throw std::runtime_error("a thread cannot be started");
  pthread_join(thread, nullptr);
}

inline constexpr std::size_t kDeepStack = std::size_t{1} << 30; ///< for Boost on 10^6 nodes

} // namespace lanewise::graph
