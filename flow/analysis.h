// Everything that the shape of a graph says, for those who tell all of it.
#pragma once

#include "flow/dominators.h"
#include "flow/frontiers.h"
#include "flow/graph.h"
#include "flow/loops.h"
#include "flow/postdominators.h"

namespace lanewise::flow {

struct Analysis {
  explicit Analysis(const Graph& graph)
      : tree(graph),
        frontiers(dominance_frontiers(graph, tree)),
        deciders(control_dependence(graph, Postdominators(graph))),
        loops(graph, tree) {}

  DominatorTree tree;
  Rows frontiers;
  Rows deciders; ///< of each node, the branches that decide whether it is executed
  LoopForest loops;
};

} // namespace lanewise::flow
