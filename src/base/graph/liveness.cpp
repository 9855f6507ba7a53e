#include "base/graph/liveness.h"

#include "base/graph/depth_first.h"

namespace lanewise::graph {
namespace {

/// Puts the variables that a node uses before it defines them into `used`, those that it defines
/// into `defined`.
void summarise(Node node, std::span<const Access> accesses, VariableSets& used,
               VariableSets& defined) {
  for (const Access& access : accesses) {
    if (access.defines)
      defined.insert(node, access.variable);
    else if (!defined.contains(node, access.variable))
      used.insert(node, access.variable);
  }
}

/// out = what successors need; in = what is used, and what of `out` is not defined. Whether `in` is
/// a larger set than before.
bool update(const Graph& graph, Node node, const VariableSets& used, const VariableSets& defined,
            Liveness& live) {
  const std::span<std::uint64_t> in = live.in.row(node), out = live.out.row(node);
  bool changed = false;
  for (std::size_t word = 0; word < in.size(); ++word) {
    for (const Node to : graph.successors(node)) out[word] |= live.in.row(to)[word];
    const std::uint64_t needed = used.row(node)[word] | (out[word] & ~defined.row(node)[word]);
    changed |= needed != in[word];
    in[word] = needed;
  }
  return changed;
}

} // namespace

Liveness::Liveness(const Graph& graph, const Accesses& accesses,
                   std::span<const Variable> live_at_exit)
    : in(graph.size(), accesses.variables), out(in) {
  check_accesses(graph, accesses);
  VariableSets used = in, defined = in;
  const std::vector<Node> order = postorder(graph);
  for (const Node node : order) {
    summarise(node, accesses.blocks[node], used, defined);
    if (!graph.successors(node).empty()) continue;
    for (const Variable variable : live_at_exit) out.insert(node, variable);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Node node : order) changed |= update(graph, node, used, defined, *this);
  }
}

} // namespace lanewise::graph
