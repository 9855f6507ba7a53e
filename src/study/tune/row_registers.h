// Which LReg an operand or a result of a placed row is in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "study/tune/forms.h"
#include "study/tune/model.h"
#include "study/tune/words.h"

namespace lanewise::tune {

/// Both parts must outlive it.
class RowRegisters {
 public:
  RowRegisters(const Formed& formed, const Placement& placement)
      : formed_(formed), at_(placement) {}

  /// Of the operation's result; 0 if it has none.
  unsigned of_operation(unsigned operation, unsigned copy) const;
  /// Of a value or constant of the graph.
  unsigned of_node(NodeId id, unsigned copy) const;
  /// What the operation's instruction names.
  OperandRegisters of_operands(unsigned operation, unsigned copy) const;
  /// Of a constant in `Formed::general_constants`.
  unsigned of_general(std::size_t constant) const;
  /// The first LReg that such a constant takes.
  unsigned first_general() const;

 private:
  const Node& node(unsigned operation) const {
    return formed_.graph.nodes[formed_.meanings[operation].node];
  }
  unsigned of_constant(std::uint32_t bits) const;
  unsigned operation_of(NodeId id) const;
  void add_immediate(const Node& each, unsigned copy, OperandRegisters& registers) const;

  const Formed& formed_;
  const Placement& at_;
};

} // namespace lanewise::tune
