// What the blocks of a graph do with variables: all that liveness and SSA have to know. A variable
// is whatever holds one value at a time: a register, an LReg, a bit of configuration.
#pragma once

#include <cstdint>
#include <vector>

#include "base/graph/graph.h"

namespace lanewise::graph {

using Variable = std::uint32_t; ///< 0 to Accesses::variables - 1

struct Access {
  Variable variable;
  bool defines; ///< the variable gets a new value; otherwise its value is used
};

/// For each node of a graph, its accesses in the order of execution: an instruction's uses before
/// its definitions. An instruction that may or may not write a variable uses it, then defines it.
struct Accesses {
  Variable variables = 0;
  std::vector<std::vector<Access>> blocks = {};
};

/// Throws std::invalid_argument where the accesses are not those of as many blocks as the graph has
/// nodes, or name a variable that there is not.
void check_accesses(const Graph& graph, const Accesses& accesses);

} // namespace lanewise::graph
