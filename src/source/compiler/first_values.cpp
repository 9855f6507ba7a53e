#include "source/compiler/first_values.h"

#include <vector>

namespace lanewise::compiler {

void take_first_values(Recording& recording) {
  std::vector<Value> value_of(recording.nodes.size(), kNone);
  for (Value number = 0; number < recording.nodes.size(); ++number) {
    Node& node = recording.nodes[number];
    if (node.dead) continue;
    for (Value& operand : node.operand) {
      if (operand != kNone && value_of[operand] != kNone) operand = value_of[operand];
    }
    if (node.kind != Kind::Assign) continue;
    if (recording.nodes[node.operand[0]].kind != Kind::Undefined) continue;
    value_of[number] = node.operand[1];
    node.dead = true;
  }
}

} // namespace lanewise::compiler
