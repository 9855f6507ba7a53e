// Static single assignment: every use of a variable names the one definition whose value it gets;
// where several definitions come together, a phi makes them one (Cytron et al., 1991).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/graph/accesses.h"
#include "base/graph/dominators.h"
#include "base/graph/graph.h"

namespace lanewise::graph {

using Value = std::uint32_t;
inline constexpr Value kNoValue = ~Value{0};

enum class Origin : std::uint8_t {
  Entry,     ///< what the variable holds when the entry is entered from outside
  Phi,       ///< one of the values that come together at the beginning of a block
  Definition ///< an access of the program
};

struct ValueOrigin {
  Origin origin;
  Variable variable;
  Node block;          ///< where the value appears
  std::uint32_t index; ///< Phi: in Ssa::phis[block]; Definition: in Accesses::blocks[block]
};

/// All phis of a block take their arguments at once, before its accesses.
struct Phi {
  Variable variable;
  Value result;

  /// One per predecessor, in the order of Graph::predecessors(); kNoValue for a predecessor that
  /// the entry does not reach. A phi of the entry has one more, the last: the value from outside.
  std::vector<Value> arguments;
};

/// Which joins of definitions get a phi.
enum class PhiPlacement : std::uint8_t {
  Pruned, ///< where the variable is live
  Minimal ///< all of them, whether or not there is a use
};

struct SsaOptions {
  PhiPlacement placement = PhiPlacement::Pruned;
  std::vector<Variable> live_at_exit = {}; ///< used after every node without successors
};

/// Blocks that the entry does not reach have no phis, and kNoValue for each access.
struct Ssa {
  std::vector<ValueOrigin> values;          ///< value v < variables is Origin::Entry of variable v
  std::vector<std::vector<Phi>> phis;       ///< of each block, by ascending variable
  std::vector<std::vector<Value>> accesses; ///< of each access: the value it uses, or defines
};

Ssa make_ssa(const Graph& graph, const DominatorTree& tree, const Accesses& accesses,
             const SsaOptions& options = {});

} // namespace lanewise::graph
