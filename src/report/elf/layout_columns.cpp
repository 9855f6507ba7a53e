#include "report/elf/layout_columns.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanewise::report {

namespace {

using graph::Node;
using graph::Rows;

constexpr unsigned kOrderSweeps = 6, kPlaceSweeps = 6;

/// Edges that do not lead back.
std::vector<graph::Edge> forward_edges(const graph::Graph& graph, const GraphLayers& layers) {
  std::vector<graph::Edge> forward;
  const std::vector<graph::Edge> edges = graph.edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (!layers.is_back[i]) forward.push_back(edges[i]);
  }
  return forward;
}

/// The ascending numbers that are nearest to the given ones, by the sum of squares: neighbours that
/// would have to change places share their mean.
std::vector<double> nearest_ascending(const std::vector<double>& wanted) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const double each : wanted) {
    pools.push_back({each, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  std::vector<double> result;
  result.reserve(wanted.size());
  for (const Pool& pool : pools) result.insert(result.end(), pool.count, pool.mean());
  return result;
}

/// Barycentres: each layer is put below or above the mean of its neighbours, again and again.
class Columns {
 public:
  Columns(const graph::Graph& graph, GraphLayers& layers, std::span<const int> widths)
      : layers_(layers), widths_(widths), left_(graph.size(), 0) {
    const std::vector<graph::Edge> edges = forward_edges(graph, layers);
    below_ = Rows(graph.size(), edges);
    above_ = Rows::reversed(graph.size(), edges);
  }

  std::vector<int> find() {
    const std::vector<double> nothing(left_.size(), 0);
    for (const auto& layer : layers_.nodes) place(layer, nothing);
    for (unsigned i = 0; i < kOrderSweeps; ++i) sweep(i % 2 == 0, true);
    for (unsigned i = 0; i < kPlaceSweeps; ++i) sweep(i % 2 != 0, false);
    return std::move(left_);
  }

 private:
  double centre(Node node) const { return left_[node] + 0.5 * widths_[node]; }

  /// Orders by one side only, so that a layer follows the one before it; places by both.
  void sweep(bool down, bool orders) {
    for (std::size_t i = 0; i < layers_.nodes.size(); ++i) {
      auto& layer = layers_.nodes[down ? i : layers_.nodes.size() - 1 - i];
      std::vector<double> wanted(layer.size());
      for (std::size_t j = 0; j < layer.size(); ++j)
        wanted[j] = wanted_centre(layer[j], !orders || down, !orders || !down);
      if (orders) sort(layer, wanted);
      place(layer, wanted);
    }
  }

  double wanted_centre(Node node, bool by_above, bool by_below) const {
    double sum = 0;
    std::size_t count = 0;
    const auto add = [&](std::span<const Node> neighbours) {
      for (const Node each : neighbours) sum += centre(each);
      count += neighbours.size();
    };
    if (by_above) add(above_[node]);
    if (by_below) add(below_[node]);
    return count == 0 ? centre(node) : sum / static_cast<double>(count);
  }

  static void sort(std::vector<Node>& layer, std::vector<double>& wanted) {
    std::vector<std::size_t> order(layer.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return wanted[i]; });
    std::vector<Node> nodes;
    std::vector<double> centres;
    for (const std::size_t i : order) {
      nodes.push_back(layer[i]);
      centres.push_back(wanted[i]);
    }
    layer = std::move(nodes);
    wanted = std::move(centres);
  }

  /// As near to the wanted centres as the order and the gaps allow.
  void place(const std::vector<Node>& layer, const std::vector<double>& wanted) {
    std::vector<double> without_boxes(layer.size());
    int before = 0; // slots of the boxes and gaps to the left
    for (std::size_t i = 0; i < layer.size(); ++i) {
      without_boxes[i] = wanted[i] - 0.5 * widths_[layer[i]] - before;
      before += widths_[layer[i]] + kGapSlots;
    }
    const std::vector<double> placed = nearest_ascending(without_boxes);
    before = 0;
    for (std::size_t i = 0; i < layer.size(); ++i) {
      left_[layer[i]] = static_cast<int>(std::lround(placed[i])) + before;
      before += widths_[layer[i]] + kGapSlots;
    }
  }

  GraphLayers& layers_;
  std::span<const int> widths_;
  std::vector<int> left_;
  Rows above_, below_;
};

} // namespace

std::vector<int> columns_of(const graph::Graph& graph, GraphLayers& layers,
                            std::span<const int> widths) {
  return Columns(graph, layers, widths).find();
}

} // namespace lanewise::report
