// SSA and liveness: properties, definitions, and programs that are run in both forms.
#include "base/graph/ssa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/graph/frontiers.h"
#include "base/graph/liveness.h"
#include "graphs.h"

namespace lanewise::graph {
namespace {

/// A few variables, up to five accesses a block.
Accesses random_accesses(const Graph& graph, Random& random) {
  Accesses accesses{.variables = 1 + random.below(4), .blocks = {}};
  for (Node block = 0; block < graph.size(); ++block) {
    std::vector<Access>& list = accesses.blocks.emplace_back(random.below(6));
    for (Access& access : list) access = {random.below(accesses.variables), random.below(3) == 0};
  }
  return accesses;
}

struct Case {
  explicit Case(std::uint64_t seed)
      : graph(random_small_graph(seed)),
        tree(graph),
        random(seed + 1),
        accesses(random_accesses(graph, random)) {}

  Graph graph;
  DominatorTree tree;
  Random random;
  Accesses accesses;
};

/// The first access decides: a use makes it live before, a definition does not.
bool used_first(const std::vector<Access>& block, Variable variable) {
  const auto first = std::ranges::find(block, variable, &Access::variable);
  return first != block.end() && !first->defines;
}

bool defined_in(const std::vector<Access>& block, Variable variable) {
  return std::ranges::any_of(
      block, [&](const Access& access) { return access.defines && access.variable == variable; });
}

/// Blocks with a path to a use, on which no block before the use defines.
NodeSet live_in(const SmallGraph& graph, const Accesses& accesses, Variable variable) {
  NodeSet uses = 0, stops = 0;
  for (Node block = 0; block < graph.size; ++block) {
    if (used_first(accesses.blocks[block], variable))
      uses |= NodeSet{1} << block;
    else if (defined_in(accesses.blocks[block], variable))
      stops |= NodeSet{1} << block;
  }
  return graph.reach_back(uses, stops) & graph.reached();
}

TEST(Liveness, IsAPathToAUse) {
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Case it(seed);
    const SmallGraph small(it.graph);
    const Liveness found(it.graph, it.accesses);
    for (Variable variable = 0; variable < it.accesses.variables; ++variable) {
      const NodeSet expected = live_in(small, it.accesses, variable);
      for (Node block = 0; block < it.graph.size(); ++block) {
        ASSERT_EQ(found.in.contains(block, variable), has(expected, block)) << to_string(it.graph);
        const bool after = has(small.reached(), block) && (small.successors[block] & expected) != 0;
        ASSERT_EQ(found.out.contains(block, variable), after) << to_string(it.graph);
      }
    }
  }
}

/// Frontiers of the definitions, and of what is in the frontiers, until nothing is added.
NodeSet joins_of(const Case& it, const Rows& frontiers, Variable variable) {
  NodeSet joins = 0, before = 0;
  do {
    before = joins;
    for (const Node block : it.tree.top_down()) {
      if (!has(joins, block) && !defined_in(it.accesses.blocks[block], variable)) continue;
      for (const Node join : frontiers[block]) joins |= NodeSet{1} << join;
    }
  } while (joins != before);
  return joins;
}

NodeSet phis_of(const Ssa& ssa, Variable variable) {
  NodeSet found = 0;
  for (Node block = 0; block < ssa.phis.size(); ++block) {
    for (const Phi& phi : ssa.phis[block]) {
      if (phi.variable == variable) found |= NodeSet{1} << block;
    }
  }
  return found;
}

TEST(Ssa, PhisStandInTheIteratedFrontiers) {
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Case it(seed);
    const Rows frontiers = dominance_frontiers(it.graph, it.tree);
    const Ssa minimal =
        make_ssa(it.graph, it.tree, it.accesses, {.placement = PhiPlacement::Minimal});
    const Ssa pruned = make_ssa(it.graph, it.tree, it.accesses);
    for (Variable variable = 0; variable < it.accesses.variables; ++variable) {
      const NodeSet joins = joins_of(it, frontiers, variable);
      const NodeSet live = live_in(SmallGraph(it.graph), it.accesses, variable);
      ASSERT_EQ(phis_of(minimal, variable), joins) << to_string(it.graph);
      ASSERT_EQ(phis_of(pruned, variable), joins & live) << to_string(it.graph);
    }
  }
}

/// Where an access stands: a phi is before all accesses of its block, the entry's values before
/// all.
bool is_before(const ValueOrigin& value, Node block, std::uint32_t index,
               const DominatorTree& tree) {
  if (value.origin == Origin::Entry) return true;
  if (value.block != block) return tree.strictly_dominates(value.block, block);
  return value.origin == Origin::Phi || value.index < index;
}

void expect_uses_dominated(const Case& it, const Ssa& ssa) {
  for (const Node block : it.tree.top_down()) {
    for (std::uint32_t i = 0; i < it.accesses.blocks[block].size(); ++i) {
      const Access& access = it.accesses.blocks[block][i];
      const Value value = ssa.accesses[block][i];
      ASSERT_LT(value, ssa.values.size());
      const ValueOrigin& origin = ssa.values[value];
      ASSERT_EQ(origin.variable, access.variable);
      if (!access.defines) {
        ASSERT_TRUE(is_before(origin, block, i, it.tree)) << to_string(it.graph);
        continue;
      }
      ASSERT_EQ(origin.origin, Origin::Definition);
      ASSERT_EQ(origin.block, block);
      ASSERT_EQ(origin.index, i);
    }
  }
}

/// An argument's definition dominates the predecessor that it comes from.
void expect_arguments(const Case& it, const Ssa& ssa) {
  for (Node block = 0; block < it.graph.size(); ++block) {
    const std::span<const Node> predecessors = it.graph.predecessors(block);
    const bool entry = block == it.graph.entry();
    ASSERT_TRUE(std::ranges::is_sorted(ssa.phis[block], {}, &Phi::variable));
    for (const Phi& phi : ssa.phis[block]) {
      ASSERT_EQ(ssa.values[phi.result].origin, Origin::Phi);
      ASSERT_EQ(&ssa.phis[block][ssa.values[phi.result].index], &phi);
      ASSERT_EQ(phi.arguments.size(), predecessors.size() + (entry ? 1 : 0));
      ASSERT_TRUE(!entry || phi.arguments.back() == phi.variable);
      for (std::size_t i = 0; i < predecessors.size(); ++i) {
        if (!it.tree.reaches(predecessors[i])) {
          ASSERT_EQ(phi.arguments[i], kNoValue);
          continue;
        }
        const ValueOrigin& origin = ssa.values[phi.arguments[i]];
        ASSERT_EQ(origin.variable, phi.variable);
        ASSERT_TRUE(origin.origin == Origin::Entry ||
                    it.tree.dominates(origin.block, predecessors[i]))
            << to_string(it.graph);
      }
    }
  }
}

/// Each value has one place: as many as there are phis, definitions and variables.
void expect_single_assignment(const Case& it, const Ssa& ssa) {
  std::size_t places = it.accesses.variables;
  for (const Node block : it.tree.top_down()) {
    places += ssa.phis[block].size();
    places += std::ranges::count_if(it.accesses.blocks[block], &Access::defines);
  }
  ASSERT_EQ(ssa.values.size(), places);
  for (Node block = 0; block < it.graph.size(); ++block) {
    if (it.tree.reaches(block)) continue;
    ASSERT_TRUE(ssa.phis[block].empty());
    ASSERT_TRUE(std::ranges::all_of(ssa.accesses[block], [](Value v) { return v == kNoValue; }));
  }
}

TEST(Ssa, DefinitionsDominateTheirUses) {
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Case it(seed);
    for (const PhiPlacement placement : {PhiPlacement::Pruned, PhiPlacement::Minimal}) {
      const Ssa ssa = make_ssa(it.graph, it.tree, it.accesses, {.placement = placement});
      expect_uses_dominated(it, ssa);
      expect_arguments(it, ssa);
      expect_single_assignment(it, ssa);
      if (HasFatalFailure()) return;
    }
  }
}

/// Runs a program in both forms at once. What a definition computes depends on all uses before it,
/// and so does the way that a branch takes.
class Interpreter {
 public:
  Interpreter(const Case& it, const Ssa& ssa) : it_(it), ssa_(ssa), values_(ssa.values.size()) {
    for (Variable variable = 0; variable < it.accesses.variables; ++variable) {
      variables_.push_back(mix(variable));
      values_[variable] = variables_.back();
    }
  }

  /// `steps` blocks, or until there is no successor. How many uses had the same value in both.
  void run(unsigned steps, std::uint64_t& same) {
    Node block = it_.graph.entry();
    std::size_t way = it_.graph.predecessors(block).size(); // from outside
    for (unsigned step = 0; step < steps; ++step) {
      take_phis(block, way);
      execute(block, same);
      if (testing::Test::HasFatalFailure()) return;
      const std::span<const Node> successors = it_.graph.successors(block);
      if (successors.empty()) return;
      const Node next = successors[mix(step) % successors.size()];
      const std::span<const Node> ways = it_.graph.predecessors(next);
      way = static_cast<std::size_t>(std::ranges::find(ways, block) - ways.begin());
      block = next;
    }
  }

 private:
  std::uint64_t mix(std::uint64_t number) { return state_ = Random(state_ * 31 + number).bits(); }

  void take_phis(Node block, std::size_t way) {
    std::vector<std::uint64_t> taken;
    for (const Phi& phi : ssa_.phis[block]) taken.push_back(values_[phi.arguments[way]]);
    for (std::size_t i = 0; i < taken.size(); ++i) values_[ssa_.phis[block][i].result] = taken[i];
  }

  void execute(Node block, std::uint64_t& same) {
    for (std::size_t i = 0; i < it_.accesses.blocks[block].size(); ++i) {
      const Access& access = it_.accesses.blocks[block][i];
      const Value value = ssa_.accesses[block][i];
      if (access.defines) {
        variables_[access.variable] = values_[value] = mix(i);
        continue;
      }
      ASSERT_EQ(values_[value], variables_[access.variable]) << to_string(it_.graph);
      mix(values_[value]);
      ++same;
    }
  }

  const Case& it_;
  const Ssa& ssa_;
  std::uint64_t state_ = 1;
  std::vector<std::uint64_t> variables_, values_;
};

TEST(Ssa, ProgramsComputeTheSame) {
  std::uint64_t same = 0;
  for (std::uint64_t seed = 0; seed < graph_count(50'000); ++seed) {
    const Case it(seed);
    const Ssa ssa = make_ssa(it.graph, it.tree, it.accesses);
    Interpreter(it, ssa).run(60, same);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(same, graph_count(50'000) * 5);
}

// What is live at an exit is used by an access that the block does not show.
TEST(Ssa, WhatIsLiveAtTheExitCountsAsUsed) {
  for (std::uint64_t seed = 0; seed < graph_count(10'000); ++seed) {
    const Case it(seed);
    Accesses longer = it.accesses;
    for (Node block = 0; block < it.graph.size(); ++block) {
      if (it.graph.successors(block).empty()) longer.blocks[block].push_back({0, false});
    }
    const Ssa shown = make_ssa(it.graph, it.tree, longer);
    const Ssa named = make_ssa(it.graph, it.tree, it.accesses, {.live_at_exit = {0}});
    ASSERT_EQ(phis_of(named, 0), phis_of(shown, 0)) << to_string(it.graph);
  }
}

// if (0) { 1: v = } 2: = v, and the same with nothing that uses v.
TEST(Ssa, APhiForWhoeverUsesIt) {
  const Graph graph(3, 0, std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}});
  const DominatorTree tree(graph);
  const Ssa used = make_ssa(graph, tree, {1, {{}, {{0, true}}, {{0, false}}}});
  ASSERT_EQ(used.phis[2].size(), 1U);
  EXPECT_EQ(used.phis[2][0].arguments, (std::vector<Value>{0, used.accesses[1][0]}));
  EXPECT_EQ(used.accesses[2][0], used.phis[2][0].result);
  EXPECT_TRUE(make_ssa(graph, tree, {1, {{}, {{0, true}}, {}}}).phis[2].empty());
}

// A switch with a million cases that all come together: whoever looks at a pair of them at a time,
// takes longer than tests may. Each case is an edge of its own twice.
TEST(Ssa, AJoinOfAMillionPredecessors) {
  constexpr Node kCases = 1'000'000, kJoin = kCases + 1;
  std::vector<Edge> edges;
  Accesses accesses{.variables = 1, .blocks = std::vector<std::vector<Access>>(kJoin + 1)};
  for (Node node = 1; node <= kCases; ++node) {
    edges.insert(edges.end(), {{0, node}, {node, kJoin}, {node, kJoin}});
    accesses.blocks[node] = {{0, true}};
  }
  accesses.blocks[kJoin] = {{0, false}};
  const Graph graph(kJoin + 1, 0, edges);
  const Ssa ssa = make_ssa(graph, DominatorTree(graph), accesses);
  ASSERT_EQ(ssa.phis[kJoin].size(), 1U);
  const std::span<const Node> predecessors = graph.predecessors(kJoin);
  for (std::size_t i = 0; i < predecessors.size(); ++i)
    ASSERT_EQ(ssa.phis[kJoin][0].arguments[i], ssa.accesses[predecessors[i]][0]);
}

TEST(Ssa, AccessesFitTheGraph) {
  const Graph graph(2, 0, std::vector<Edge>{{0, 1}});
  const DominatorTree tree(graph);
  EXPECT_THROW(make_ssa(graph, tree, {1, {{}}}), std::invalid_argument);
  EXPECT_THROW(make_ssa(graph, tree, {1, {{}, {{1, true}}}}), std::invalid_argument);
}

} // namespace
} // namespace lanewise::graph
