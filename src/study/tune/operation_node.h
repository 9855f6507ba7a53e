// What one instruction computes, as a node on the values of its operands.
#pragma once

#include <optional>

#include "chip/machine/micro_op.h"
#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// The values that an instruction finds.
class OperandSource {
 public:
  /// What a register holds, in the lanes that are enabled; kNoNode: what nobody has written.
  virtual NodeId value_of(unsigned lreg) const = 0;
  virtual NodeId constant(std::uint32_t bits) = 0;
  /// Null for kNoNode.
  virtual const Node* node(NodeId id) const = 0;

 protected:
  ~OperandSource() = default;
};

/// The node of an instruction with one result. Its operands may be kNoNode. Nothing in modes that
/// are not known, and for look-up tables that are no constants.
std::optional<Node> operation_node(Arch arch, const MicroOp& op, OperandSource& source);

} // namespace lanewise::tune
