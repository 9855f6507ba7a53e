#include "report/elf/layout_lanes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace lanewise::report {

namespace {

using graph::Edge;
using graph::Node;

/// An edge that passes more boxes runs beside all.
constexpr std::size_t kMostPassed = 64;
/// Slots by which the way may be longer at the side that an edge prefers: the right for back edges,
/// the left for others, so that they cross less.
constexpr int kBackDetour = 40, kForwardDetour = 6;

/// Slots or channels, both ends included.
struct Span {
  int first = 0, last = 0;
};

/// Channels that an edge is in. It passes the layers first to last - 1.
Span channels_of(const Edge& edge, const GraphLayers& layers) {
  const int from = static_cast<int>(layers.of[edge.from]),
            to = static_cast<int>(layers.of[edge.to]);
  return from < to ? Span{from + 1, to} : Span{to, from + 1};
}

class Lanes {
 public:
  Lanes(const graph::Graph& graph, const GraphLayers& layers, const BoxColumns& boxes)
      : layers_(layers), boxes_(boxes), edges_(graph.edges()), slots_(edges_.size(), kNoLane) {
    boxes_above_.push_back(0);
    for (const auto& layer : layers.nodes)
      boxes_above_.push_back(boxes_above_.back() + layer.size());
    for (Node node = 0; node < graph.size(); ++node) widen(boxes.left[node], boxes.end(node) - 1);
  }

  std::vector<int> find() {
    std::vector<std::size_t> outer_forward, outer_back;
    for (const std::size_t edge : shortest_first()) {
      if (passed(edge) <= kMostPassed)
        take_nearest(edge);
      else
        (layers_.is_back[edge] ? outer_back : outer_forward).push_back(edge);
    }
    take_outer(std::move(outer_forward), leftmost_ - 2, -1);
    take_outer(std::move(outer_back), rightmost_ + 2, 1);
    return std::move(slots_);
  }

 private:
  Span channels(std::size_t edge) const { return channels_of(edges_[edge], layers_); }
  int length(std::size_t edge) const { return channels(edge).last - channels(edge).first; }

  std::size_t passed(std::size_t edge) const {
    const Span span = channels(edge);
    return boxes_above_[static_cast<std::size_t>(span.last)] -
           boxes_above_[static_cast<std::size_t>(span.first)];
  }

  std::vector<std::size_t> shortest_first() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (length(i) > 0) order.push_back(i);
    }
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return length(i); });
    return order;
  }

  void widen(int first, int last) {
    leftmost_ = std::min(leftmost_, first);
    rightmost_ = std::max(rightmost_, last);
  }

  /// Where the line would be shortest.
  int wanted(std::size_t edge) const {
    const auto [from, to] = edges_[edge];
    if (layers_.is_back[edge]) return std::max(boxes_.end(from), boxes_.end(to)) + 1;
    return (boxes_.centre(from) + boxes_.centre(to)) / 2;
  }

  /// Slots in and beside the boxes of the layers that an edge passes, ascending; none overlap.
  std::vector<Span> blocked(const Span& channels) const {
    std::vector<Span> all;
    for (int layer = channels.first; layer < channels.last; ++layer) {
      for (const Node node : layers_.nodes[static_cast<std::size_t>(layer)])
        all.push_back({boxes_.left[node] - 1, boxes_.end(node)});
    }
    std::ranges::sort(all, {}, &Span::first);
    std::vector<Span> merged;
    for (const Span& each : all) {
      if (merged.empty() || merged.back().last + 1 < each.first) {
        merged.push_back(each);
      } else {
        merged.back().last = std::max(merged.back().last, each.last);
      }
    }
    return merged;
  }

  bool has_lane(int slot, const Span& channels) const {
    const auto found = taken_.find(slot);
    return found != taken_.end() && std::ranges::any_of(found->second, [&](const Span& other) {
             return other.first <= channels.last && channels.first <= other.last;
           });
  }

  /// The first free slot from `slot` on; `step`: 1 to the right, -1 to the left.
  int free_slot(int slot, int step, const std::vector<Span>& blocked, const Span& channels) const {
    for (;; slot += step) {
      const auto after = std::ranges::upper_bound(blocked, slot, {}, &Span::first);
      if (after != blocked.begin() && std::prev(after)->last >= slot) {
        slot = step > 0 ? std::prev(after)->last : std::prev(after)->first;
      } else if (!has_lane(slot, channels)) {
        return slot;
      }
    }
  }

  void take_nearest(std::size_t edge) {
    const Span span = channels(edge);
    const std::vector<Span> boxes = blocked(span);
    const int here = wanted(edge);
    const int right = free_slot(here, 1, boxes, span), left = free_slot(here, -1, boxes, span);
    const int advantage = layers_.is_back[edge] ? kBackDetour : -kForwardDetour;
    take(edge, right - here <= here - left + advantage ? right : left);
  }

  void take(std::size_t edge, int slot) {
    slots_[edge] = slot;
    taken_[slot].push_back(channels(edge));
    widen(slot, slot);
  }

  /// As few slots as will do, from `slot` outwards: an edge gets the one that was free first.
  void take_outer(std::vector<std::size_t> edges, int slot, int step) {
    using Used = std::pair<int, int>; // last channel, slot
    std::priority_queue<Used, std::vector<Used>, std::greater<>> used;
    std::ranges::stable_sort(edges, {}, [this](std::size_t edge) { return channels(edge).first; });
    for (const std::size_t edge : edges) {
      if (used.empty() || used.top().first >= channels(edge).first) {
        slots_[edge] = slot;
        slot += step;
      } else {
        slots_[edge] = used.top().second;
        used.pop();
      }
      used.push({channels(edge).last, slots_[edge]});
    }
  }

  const GraphLayers& layers_;
  const BoxColumns& boxes_;
  std::vector<Edge> edges_;
  std::vector<int> slots_;
  std::vector<std::size_t> boxes_above_; ///< by layer; one more for the end
  std::map<int, std::vector<Span>> taken_;
  int leftmost_ = 0, rightmost_ = 0;
};

} // namespace

std::vector<int> lanes_of(const graph::Graph& graph, const GraphLayers& layers,
                          const BoxColumns& boxes) {
  return Lanes(graph, layers, boxes).find();
}

} // namespace lanewise::report
