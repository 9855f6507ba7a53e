#include "report/elf/layout.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "report/elf/layout_columns.h"
#include "report/elf/layout_lanes.h"
#include "report/elf/layout_layers.h"

namespace lanewise::report {

namespace {

using graph::Edge;
using graph::Node;

/// Pixels. A slot has three places for vertical lines, which are never mixed up: lines that leave
/// boxes at the bottom, lines that arrive at the top, and those that do both or pass.
constexpr int kSlot = 12, kLeavingPlace = 2, kArrivingPlace = 6, kPassingPlace = 10;
constexpr int kTrackHeight = 8, kAboveTracks = 14, kBelowTracks = 18;
constexpr int kLayoutMargin = 12;
/// Around the ends of lines at a box.
constexpr int kFreeSlots = 2;

/// A horizontal stretch of a line.
struct Wire {
  int from = 0, to = 0; ///< x
  std::size_t track = 0;

  int left() const { return std::min(from, to); }
  int right() const { return std::max(from, to); }
};

/// The wires of one channel.
class Channel {
 public:
  /// Its number.
  std::size_t add(int from, int to) {
    wires_.push_back({from, to});
    return wires_.size() - 1;
  }

  /// Puts wires into tracks, so that those of one box that go the same way do not cross.
  void assign() {
    std::vector<std::size_t> order(wires_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [this](std::size_t i) {
      const Wire& wire = wires_[i];
      return wire.to < wire.from ? std::pair(0, wire.from) : std::pair(1, -wire.from);
    });
    for (const std::size_t wire : order) take_track(wires_[wire]);
  }

  std::size_t track(std::size_t wire) const { return wires_[wire].track; }
  int height() const {
    return kAboveTracks + kBelowTracks + kTrackHeight * static_cast<int>(tracks_.size());
  }

 private:
  using Track = std::map<int, int>; ///< stretches that are taken: right end of each left one

  static bool is_free(const Track& track, const Wire& wire) {
    const auto after = track.upper_bound(wire.right() + kTrackHeight);
    return after == track.begin() || std::prev(after)->second + kTrackHeight < wire.left();
  }

  void take_track(Wire& wire) {
    while (wire.track < tracks_.size() && !is_free(tracks_[wire.track], wire)) ++wire.track;
    if (wire.track == tracks_.size()) tracks_.emplace_back();
    tracks_[wire.track].emplace(wire.left(), wire.right());
  }

  std::vector<Wire> wires_;
  std::vector<Track> tracks_;
};

/// Where a line wants to end at a box.
struct Port {
  int wanted = 0; ///< slot
  std::size_t edge = 0;
};

/// Slots that lines need at a box.
int slots_for(const graph::Graph& graph, Node node) {
  const auto most =
      std::max(graph.successors(node).size(), graph.predecessors(node).size()) + kFreeSlots;
  return static_cast<int>(most);
}

std::vector<int> widths_in_slots(const graph::Graph& graph, std::span<const BoxSize> sizes) {
  std::vector<int> widths(graph.size());
  for (Node node = 0; node < graph.size(); ++node)
    widths[node] = std::max((sizes[node].width + kSlot - 1) / kSlot, slots_for(graph, node));
  return widths;
}

class Picture {
 public:
  Picture(const graph::Graph& graph, std::span<const BoxSize> sizes)
      : sizes_(sizes),
        edges_(graph.edges()),
        layers_(layers_of(graph)),
        widths_(widths_in_slots(graph, sizes)),
        left_(columns_of(graph, layers_, widths_)),
        lanes_(lanes_of(graph, layers_, boxes())),
        leaving_(edges_.size()),
        arriving_(edges_.size()),
        wires_(edges_.size()),
        channels_(layers_.nodes.size() + 1) {}

  GraphLayout draw() {
    choose_ports(&Edge::from, leaving_, [this](std::size_t edge) { return wanted_below(edge); });
    choose_ports(&Edge::to, arriving_, [this](std::size_t edge) { return wanted_above(edge); });
    lay_wires();
    place_layers();
    GraphLayout layout;
    for (Node node = 0; node < left_.size(); ++node) layout.boxes.push_back(box(node));
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) layout.routes.push_back(route(edge));
    frame(layout);
    return layout;
  }

 private:
  BoxColumns boxes() const { return {left_, widths_}; }
  std::size_t layer(Node node) const { return layers_.of[node]; }
  std::size_t channel_below(std::size_t edge) const { return layer(edges_[edge].from) + 1; }
  std::size_t channel_above(std::size_t edge) const { return layer(edges_[edge].to); }

  int wanted_below(std::size_t edge) const {
    return lanes_[edge] == kNoLane ? boxes().centre(edges_[edge].to) : lanes_[edge];
  }
  int wanted_above(std::size_t edge) const {
    return lanes_[edge] == kNoLane ? leaving_[edge] : lanes_[edge];
  }

  /// A slot of its own for each line at the lower or upper side of each box.
  template <class Wanted>
  void choose_ports(Node Edge::*end, std::vector<int>& slots, Wanted&& wanted) const {
    std::vector<std::vector<Port>> ports(left_.size());
    for (std::size_t edge = 0; edge < edges_.size(); ++edge)
      ports[edges_[edge].*end].push_back({wanted(edge), edge});
    for (Node node = 0; node < ports.size(); ++node) spread(node, ports[node], slots);
  }

  /// From left to right as wanted, without the box's corners.
  void spread(Node node, std::vector<Port>& ports, std::vector<int>& slots) const {
    std::ranges::stable_sort(ports, {}, &Port::wanted);
    int least = left_[node] + 1;
    int most = left_[node] + widths_[node] - 1 - static_cast<int>(ports.size());
    for (const Port& port : ports) {
      slots[port.edge] = std::clamp(port.wanted, least, most++);
      least = slots[port.edge] + 1;
    }
  }

  /// From box to box without a bend.
  bool is_straight(std::size_t edge) const {
    return lanes_[edge] == kNoLane && leaving_[edge] == arriving_[edge];
  }
  int leaving_x(std::size_t edge) const {
    return leaving_[edge] * kSlot + (is_straight(edge) ? kPassingPlace : kLeavingPlace);
  }
  int arriving_x(std::size_t edge) const {
    return arriving_[edge] * kSlot + (is_straight(edge) ? kPassingPlace : kArrivingPlace);
  }
  int lane_x(std::size_t edge) const { return lanes_[edge] * kSlot + kPassingPlace; }

  void lay_wires() {
    for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
      if (is_straight(edge)) continue;
      if (lanes_[edge] == kNoLane) {
        wires_[edge].first = channels_[channel_below(edge)].add(leaving_x(edge), arriving_x(edge));
        continue;
      }
      wires_[edge].first = channels_[channel_below(edge)].add(leaving_x(edge), lane_x(edge));
      wires_[edge].second = channels_[channel_above(edge)].add(lane_x(edge), arriving_x(edge));
    }
    for (Channel& channel : channels_) channel.assign();
  }

  void place_layers() {
    int y = 0;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      channel_top_.push_back(y);
      y += channels_[i].height();
      layer_top_.push_back(y);
      if (i == layers_.nodes.size()) break;
      int highest = 0;
      for (const Node node : layers_.nodes[i]) highest = std::max(highest, sizes_[node].height);
      y += highest;
    }
  }

  NodeBox box(Node node) const {
    return {left_[node] * kSlot, layer_top_[layer(node)], widths_[node] * kSlot,
            sizes_[node].height};
  }

  int track_y(std::size_t channel, std::size_t wire) const {
    return channel_top_[channel] + kAboveTracks +
           kTrackHeight * static_cast<int>(channels_[channel].track(wire));
  }

  EdgeRoute route(std::size_t edge) const {
    EdgeRoute route{
        edges_[edge], {{leaving_x(edge), box(edges_[edge].from).bottom()}}, layers_.is_back[edge]};
    const Corner end{arriving_x(edge), box(edges_[edge].to).y};
    const auto wire_to = [&](int x, std::size_t channel, std::size_t wire) {
      const int y = track_y(channel, wire);
      route.corners.push_back({route.corners.back().x, y});
      route.corners.push_back({x, y});
    };
    if (lanes_[edge] != kNoLane) {
      wire_to(lane_x(edge), channel_below(edge), wires_[edge].first);
      wire_to(end.x, channel_above(edge), wires_[edge].second);
    } else if (!is_straight(edge)) {
      wire_to(end.x, channel_below(edge), wires_[edge].first);
    }
    route.corners.push_back(end);
    return route;
  }

  /// Moves everything so that the picture begins at 0.
  void frame(GraphLayout& layout) const {
    int left = layout.boxes.front().x, right = left;
    const auto reach = [&](int first, int last) {
      left = std::min(left, first);
      right = std::max(right, last);
    };
    for (const NodeBox& box : layout.boxes) reach(box.x, box.right());
    for (const EdgeRoute& route : layout.routes) {
      for (const Corner& corner : route.corners) reach(corner.x, corner.x);
    }
    const int shift = kLayoutMargin - left;
    for (NodeBox& box : layout.boxes) box.x += shift;
    for (EdgeRoute& route : layout.routes) {
      for (Corner& corner : route.corners) corner.x += shift;
    }
    layout.width = right + shift + kLayoutMargin;
    layout.height = layer_top_.back();
  }

  std::span<const BoxSize> sizes_;
  std::vector<Edge> edges_;
  GraphLayers layers_;
  std::vector<int> widths_, left_;                         ///< by node, in slots
  std::vector<int> lanes_, leaving_, arriving_;            ///< by edge, in slots
  std::vector<std::pair<std::size_t, std::size_t>> wires_; ///< by edge: below its source, and above
                                                           ///< its target if it has a lane
  std::vector<Channel> channels_;
  std::vector<int> channel_top_, layer_top_; ///< y; the last one of layer_top_ is the end
};

} // namespace

GraphLayout lay_out(const graph::Graph& graph, std::span<const BoxSize> sizes) {
  return Picture(graph, sizes).draw();
}

} // namespace lanewise::report
