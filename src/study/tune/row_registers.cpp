#include "study/tune/row_registers.h"

#include <algorithm>

#include "study/tune/row_graph.h"

namespace lanewise::tune {

unsigned RowRegisters::of_constant(std::uint32_t bits) const {
  const auto found = formed_.constants.find(bits);
  if (found != formed_.constants.end()) return found->second;
  const auto general = std::ranges::find(formed_.general_constants, bits);
  return of_general(static_cast<std::size_t>(general - formed_.general_constants.begin()));
}

unsigned RowRegisters::of_general(std::size_t constant) const {
  return formed_.registers.at(first_general() + constant);
}

unsigned RowRegisters::first_general() const {
  return formed_.machine.registers - (at_.indirect == kNone ? 0 : 1);
}

unsigned RowRegisters::of_operation(unsigned operation, unsigned copy) const {
  const unsigned lreg = at_.registers[operation][copy];
  return lreg == kNone ? 0 : formed_.registers[lreg];
}

/// The operation that computes a node of the graph.
unsigned RowRegisters::operation_of(NodeId id) const {
  for (unsigned i = 0; i < formed_.meanings.size(); ++i) {
    if (!formed_.meanings[i].is_store && formed_.meanings[i].node == id) return i;
  }
  return kNone;
}

unsigned RowRegisters::of_node(NodeId id, unsigned copy) const {
  const Node& each = formed_.graph.nodes[id];
  return each.kind == NodeKind::Constant ? of_constant(each.bits)
                                         : of_operation(operation_of(id), copy);
}

OperandRegisters RowRegisters::of_operands(unsigned operation, unsigned copy) const {
  OperandRegisters registers;
  const Node& each = node(operation);
  if (formed_.meanings[operation].encoding == Encoding::Immediate)
    add_immediate(each, copy, registers);
  else
    for (std::size_t k = 0; k < free_operands(each); ++k)
      registers.operands.push_back(of_node(each.operands[k], copy));
  registers.result = of_operation(operation, copy);
  return registers;
}

void RowRegisters::add_immediate(const Node& each, unsigned copy,
                                 OperandRegisters& registers) const {
  if (each.op == isa::Op::SFPMOV) { // SFPLOADI
    registers.immediate = formed_.graph.nodes[each.operands[0]].bits;
    return;
  }
  const auto is_constant = [&](unsigned k) {
    return formed_.graph.nodes[each.operands[k]].kind == NodeKind::Constant;
  };
  const unsigned value = is_constant(0) ? 1 : 0;
  registers.adds =
      is_constant(1 - value) && formed_.graph.nodes[each.operands[1 - value]].bits == kOneBits;
  const NodeId constant = each.operands[registers.adds ? 2 : 1 - value];
  registers.operands = {of_node(each.operands[value], copy)};
  registers.immediate = formed_.graph.nodes[constant].bits;
}

} // namespace lanewise::tune
