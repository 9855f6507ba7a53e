#include "source/compiler/ir.h"

namespace lanewise::compiler {

bool is_within(const Recording& recording, std::uint32_t context, std::uint32_t other) {
  const std::vector<Context>& contexts = recording.contexts;
  while (contexts[context].depth > contexts[other].depth) context = contexts[context].parent;
  return context == other;
}

isa::Op operation(const Recording& recording, const Node& node) {
  const isa::Row* row = isa::find_row(recording.arch, node.opcode);
  return row == nullptr ? isa::Op::NOP : row->op;
}

bool is_value(Kind kind) {
  return kind <= Kind::FromCondition;
}

bool is_condition(Kind kind) {
  return kind >= Kind::Compare && kind <= Kind::Not;
}

} // namespace lanewise::compiler
