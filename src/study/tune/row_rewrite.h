// Rows with one value in the place of another.
#pragma once

#include <functional>
#include <vector>

#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Makes a value in the new row, of which all nodes before the old one are there: `numbers` has
/// their places.
using MakeValue = std::function<NodeId(RowGraph& result, const std::vector<NodeId>& numbers)>;

/// The row with another value in the place of `node`, and without what nobody needs any more.
RowGraph with_value(const RowGraph& row, NodeId node, const MakeValue& make);

/// How often a value is an operand.
std::size_t uses_of(const RowGraph& row, NodeId value);

/// The constant, and a * b + c, in a row: the nodes that are there, or new ones.
NodeId constant_in(RowGraph& row, std::uint32_t bits);
NodeId multiply_add_in(RowGraph& row, NodeId a, NodeId b, NodeId c);

/// Whether a node is a * b + c of all lanes, without signs.
bool is_multiply_add(const Node& node);

} // namespace lanewise::tune
