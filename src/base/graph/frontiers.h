// Dominance frontiers: where the reach of a node ends, and with it that of what the node defines.
#pragma once

#include <cstdint>

#include "base/graph/dominators.h"
#include "base/graph/graph.h"
#include "base/graph/postdominators.h"

namespace lanewise::graph {

/// Two ways to find them; the results are the same.
enum class FrontierMethod : std::uint8_t {
  BottomUp, ///< from the leaves of the dominator tree to the root (Cytron et al., 1991)
  WalkUp    ///< from each predecessor of a join up to its immediate dominator (Cooper et al., 2001)
};

/// The frontier of x: nodes, in ascending order, with a predecessor that x dominates, but which x
/// does not strictly dominate. Empty for nodes that the entry does not reach. Its size can be
/// quadratic in that of the graph.
Rows dominance_frontiers(const Graph& graph, const DominatorTree& tree,
                         FrontierMethod method = FrontierMethod::WalkUp);

/// Of each node, the nodes whose branches decide whether it is executed, in ascending order: x, if
/// a successor of x leads to the node whatever happens, and another one may not (Ferrante et al.,
/// 1987). That is the frontier in the reversed graph. Only among nodes that the entry reaches.
Rows control_dependence(const Graph& graph, const Postdominators& postdominators);

} // namespace lanewise::graph
