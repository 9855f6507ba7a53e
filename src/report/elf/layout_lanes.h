// The third step of a layout: vertical lanes beside the boxes, for edges that pass layers.
//
// Between the layers lie channels, in which lines run horizontally: channel i above layer i, and
// one more below the last layer.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "report/elf/layout_layers.h"

namespace lanewise::report {

inline constexpr int kNoLane = std::numeric_limits<int>::min();

/// Boxes in slots, by node.
struct BoxColumns {
  std::span<const int> left, width;

  int centre(graph::Node node) const { return left[node] + width[node] / 2; }
  int end(graph::Node node) const { return left[node] + width[node]; }
};

/// By edge: the slot in which it passes the layers between its ends, or kNoLane for an edge to the
/// next layer. No box of those layers is in the slot or beside it, and lanes in one slot have no
/// channel in common. Of the free slots it is the nearest, for back edges rather to the right, for
/// others rather to the left; edges that
/// pass many boxes run beside all of them, forward ones to the left and back edges to the right.
std::vector<int> lanes_of(const graph::Graph& graph, const GraphLayers& layers,
                          const BoxColumns& boxes);

} // namespace lanewise::report
