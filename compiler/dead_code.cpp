#include "compiler/dead_code.h"

#include "compiler/uses.h"

namespace lanewise::compiler {

void remove_dead_code(Recording& recording) {
  std::vector<bool> needed(recording.nodes.size());
  for (std::size_t i = recording.nodes.size(); i-- > 0;) {
    Node& node = recording.nodes[i];
    if (!needed[i] && !has_effect(recording, node)) {
      node.dead = true;
      continue;
    }
    for_each_operand(node, [&](Value operand) { needed[operand] = true; });
  }
}

} // namespace lanewise::compiler
