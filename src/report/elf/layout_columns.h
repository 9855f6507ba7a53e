// The second step of a layout: the order of the nodes of each layer, and where they stand from left
// to right. Lengths are in slots, which are as wide as one line needs.
#pragma once

#include <span>
#include <vector>

#include "report/elf/layout_layers.h"

namespace lanewise::report {

inline constexpr int kGapSlots = 4; ///< between two boxes, so that lines pass

/// By node: its first slot, which may be negative. Sorts the nodes of each layer by where they
/// stand. `widths`: of each node.
std::vector<int> columns_of(const graph::Graph& graph, GraphLayers& layers,
                            std::span<const int> widths);

} // namespace lanewise::report
