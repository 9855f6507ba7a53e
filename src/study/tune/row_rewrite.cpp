#include "study/tune/row_rewrite.h"

#include <algorithm>

#include "study/tune/choices.h"

namespace lanewise::tune {

RowGraph with_value(const RowGraph& row, NodeId node, const MakeValue& make) {
  RowGraph result{.arch = row.arch, .nodes = {}, .store_mode = row.store_mode};
  std::vector<NodeId> numbers(row.nodes.size());
  for (NodeId id = 0; id < row.nodes.size(); ++id) {
    if (id == node) {
      numbers[id] = make(result, numbers);
      continue;
    }
    Node copy = row.nodes[id];
    for (NodeId& operand : copy.operands) operand = numbers[operand];
    numbers[id] = find_or_add(result, copy);
  }
  // The last node is stored.
  result.nodes.resize(numbers.back() + 1);
  return without_dead(result);
}

std::size_t uses_of(const RowGraph& row, NodeId value) {
  std::size_t count = 0;
  for (const Node& node : row.nodes)
    count += static_cast<std::size_t>(std::ranges::count(node.operands, value));
  return count;
}

NodeId constant_in(RowGraph& row, std::uint32_t bits) {
  return find_or_add(row, {.kind = NodeKind::Constant, .bits = bits});
}

NodeId multiply_add_in(RowGraph& row, NodeId a, NodeId b, NodeId c) {
  return find_or_add(row,
                     {.kind = NodeKind::Operation, .op = isa::Op::SFPMAD, .operands = {a, b, c}});
}

bool is_multiply_add(const Node& node) {
  return node.kind == NodeKind::Operation && node.op == isa::Op::SFPMAD && node.mod == 0 &&
         node.conditions == 0;
}

} // namespace lanewise::tune
