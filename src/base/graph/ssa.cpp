#include "base/graph/ssa.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/graph/frontiers.h"
#include "base/graph/liveness.h"

namespace lanewise::graph {
namespace {

/// Pairs of a variable and a block that defines it, as rows; only blocks of the tree.
Rows defining_blocks(const DominatorTree& tree, const Accesses& accesses) {
  std::vector<Edge> pairs;
  for (const Node block : tree.top_down()) {
    for (const Access& access : accesses.blocks[block]) {
      if (access.defines) pairs.push_back({access.variable, block});
    }
  }
  return {accesses.variables, pairs};
}

/// Finds the blocks that need a phi: the frontiers of all definitions, phis among them.
class Placer {
 public:
  Placer(const Graph& graph, const DominatorTree& tree, const Accesses& accesses,
         const SsaOptions& options)
      : frontiers_(dominance_frontiers(graph, tree)),
        defining_(defining_blocks(tree, accesses)),
        last_(graph.size(), kNoNode) {
    switch (options.placement) {
      case PhiPlacement::Pruned: live_.emplace(graph, accesses, options.live_at_exit); break;
      case PhiPlacement::Minimal: break;
    }
  }

  void place(Variable variable, std::vector<std::vector<Phi>>& phis) {
    const std::span<const Node> defining = defining_[variable];
    waiting_.assign(defining.begin(), defining.end());
    while (!waiting_.empty()) {
      const Node block = waiting_.back();
      waiting_.pop_back();
      for (const Node join : frontiers_[block]) {
        if (last_[join] == variable || !wanted(join, variable)) continue;
        last_[join] = variable;
        phis[join].push_back({variable, kNoValue, {}});
        waiting_.push_back(join);
      }
    }
  }

 private:
  /// Where a variable is not live, none of the definitions that come together is used further on.
  bool wanted(Node join, Variable variable) const {
    return !live_ || live_->in.contains(join, variable);
  }

  Rows frontiers_, defining_;
  std::optional<Liveness> live_;
  std::vector<Node> last_;    ///< of each block: the last variable that got a phi
  std::vector<Node> waiting_; ///< definitions of which the frontier is still to be seen
};

/// Edges to blocks with phis, by the block that they come from: which argument each one brings.
class PhiWays {
 public:
  struct Way {
    Node join;
    std::uint32_t argument;
  };

  PhiWays(const Graph& graph, std::span<const std::vector<Phi>> phis) : first_(graph.size() + 1) {
    for_each(graph, phis, [&](Node from, const Way&) { ++first_[from]; });
    for (Node block = 0; block < graph.size(); ++block) first_[block + 1] += first_[block];
    ways_.resize(first_.back());
    for_each(graph, phis, [&](Node from, const Way& way) { ways_[--first_[from]] = way; });
  }

  std::span<const Way> from(Node block) const {
    return {ways_.data() + first_[block], ways_.data() + first_[block + 1]};
  }

 private:
  template <class Work>
  static void for_each(const Graph& graph, std::span<const std::vector<Phi>> phis, Work&& work) {
    for (Node join = 0; join < graph.size(); ++join) {
      if (phis[join].empty()) continue;
      const std::span<const Node> predecessors = graph.predecessors(join);
      for (std::uint32_t i = 0; i < predecessors.size(); ++i) work(predecessors[i], Way{join, i});
    }
  }

  std::vector<std::uint32_t> first_; ///< where those of a block begin; one more for the end
  std::vector<Way> ways_;
};

/// Goes down the dominator tree and knows of each variable the definition that reaches.
class Renamer {
 public:
  Renamer(const Graph& graph, const DominatorTree& tree, const Accesses& accesses, Ssa& ssa)
      : graph_(graph), tree_(tree), accesses_(accesses), ssa_(ssa), ways_(graph, ssa.phis) {
    for (Variable variable = 0; variable < accesses.variables; ++variable)
      current_.push_back(add_value({Origin::Entry, variable, graph.entry(), 0}));
    for (Node block = 0; block < graph.size(); ++block) {
      ssa.accesses[block].assign(accesses.blocks[block].size(), kNoValue);
      for (Phi& phi : ssa.phis[block]) phi.arguments.assign(arguments_at(block), kNoValue);
    }
  }

  void rename() {
    for (Phi& phi : ssa_.phis[graph_.entry()]) phi.arguments.back() = current_[phi.variable];
    for (const Node block : tree_.top_down()) {
      leave_others(block);
      define_phis(block);
      rename_accesses(block);
      pass_on(block);
    }
  }

 private:
  /// A definition that hides another one, in a block and those that it dominates.
  struct Hidden {
    Node block;
    Variable variable;
    Value value;
  };

  std::size_t arguments_at(Node block) const {
    return graph_.predecessors(block).size() + (block == graph_.entry() ? 1 : 0);
  }

  Value add_value(const ValueOrigin& origin) {
    ssa_.values.push_back(origin);
    return static_cast<Value>(ssa_.values.size() - 1);
  }

  Value define(const ValueOrigin& origin) {
    const Value value = add_value(origin);
    hidden_.push_back(
        {origin.block, origin.variable, std::exchange(current_[origin.variable], value)});
    return value;
  }

  /// Forgets what was defined in blocks that do not dominate this one.
  void leave_others(Node block) {
    for (; !hidden_.empty() && !tree_.dominates(hidden_.back().block, block); hidden_.pop_back())
      current_[hidden_.back().variable] = hidden_.back().value;
  }

  void define_phis(Node block) {
    std::uint32_t index = 0;
    for (Phi& phi : ssa_.phis[block])
      phi.result = define({Origin::Phi, phi.variable, block, index++});
  }

  void rename_accesses(Node block) {
    const std::vector<Access>& accesses = accesses_.blocks[block];
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
      const Variable variable = accesses[i].variable;
      ssa_.accesses[block][i] = accesses[i].defines
                                    ? define({Origin::Definition, variable, block, i})
                                    : current_[variable];
    }
  }

  /// The values at the end of a block become arguments of its successors' phis.
  void pass_on(Node block) {
    for (const PhiWays::Way& way : ways_.from(block)) {
      for (Phi& phi : ssa_.phis[way.join]) phi.arguments[way.argument] = current_[phi.variable];
    }
  }

  const Graph& graph_;
  const DominatorTree& tree_;
  const Accesses& accesses_;
  Ssa& ssa_;
  PhiWays ways_;
  std::vector<Value> current_;
  std::vector<Hidden> hidden_;
};

} // namespace

Ssa make_ssa(const Graph& graph, const DominatorTree& tree, const Accesses& accesses,
             const SsaOptions& options) {
  check_accesses(graph, accesses);
  Ssa ssa;
  ssa.phis.resize(graph.size());
  ssa.accesses.resize(graph.size());
  Placer placer(graph, tree, accesses, options);
  for (Variable variable = 0; variable < accesses.variables; ++variable)
    placer.place(variable, ssa.phis);
  Renamer(graph, tree, accesses, ssa).rename();
  return ssa;
}

} // namespace lanewise::graph
