// Everything that the shape of a graph says, for those who tell all of it.
#pragma once

#include "base/graph/dominators.h"
#include "base/graph/frontiers.h"
#include "base/graph/graph.h"
#include "base/graph/loops.h"
#include "base/graph/postdominators.h"

namespace lanewise::graph {

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

} // namespace lanewise::graph
