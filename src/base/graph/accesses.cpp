#include "base/graph/accesses.h"

#include <algorithm>
#include <stdexcept>

namespace lanewise::graph {

void check_accesses(const Graph& graph, const Accesses& accesses) {
  if (accesses.blocks.size() != graph.size())
    throw std::invalid_argument("accesses of another number of blocks than the graph has nodes");
  for (const std::vector<Access>& block : accesses.blocks) {
    const auto unknown = [&](const Access& access) {
      return access.variable >= accesses.variables;
    };
    if (std::ranges::any_of(block, unknown))
      throw std::invalid_argument("an access to a variable that is not among those counted");
  }
}

} // namespace lanewise::graph
