// ELF files: any bytes are an image or one error. Its code is listed, goes through all that is said
// of control flow, paths and memory order, and each function that is called comes to an end.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/graph/dominators.h"
#include "base/graph/frontiers.h"
#include "base/graph/loops.h"
#include "base/graph/postdominators.h"
#include "base/graph/ssa.h"
#include "binary/elf/call.h"
#include "binary/elf/code.h"
#include "binary/paths/code_graph.h"
#include "binary/paths/memory_steps.h"
#include "binary/paths/ordering.h"
#include "binary/paths/tensix_paths.h"
#include "report/elf/flow.h"
#include "report/elf/flow_json.h"
#include "report/elf/json.h"
#include "report/elf/listing.h"
#include "report/elf/ordering.h"
#include "report/elf/statistics.h"

namespace {

using namespace lanewise;

constexpr Arch kChip = Arch::Blackhole;
constexpr std::size_t kMostFunctions = 32;
/// What is said of memory order takes time quadratic in the words of a function.
constexpr std::size_t kMostWords = 1000;
constexpr std::uint64_t kMostInstructions = 1000;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Answers that are found in several ways are the same.
void check_dominators(const graph::Graph& graph, const graph::DominatorTree& tree) {
  for (const graph::Strategy strategy :
       {graph::Strategy::Walk, graph::Strategy::Compress, graph::Strategy::Balance}) {
    const std::vector<graph::Node> idom = graph::immediate_dominators(graph, strategy);
    for (graph::Node node = 0; node < graph.size(); ++node) require(idom[node] == tree.idom(node));
  }
  require(graph::dominance_frontiers(graph, tree, graph::FrontierMethod::WalkUp) ==
          graph::dominance_frontiers(graph, tree, graph::FrontierMethod::BottomUp));
}

void check_loops(const graph::Graph& graph, const graph::DominatorTree& tree) {
  const graph::LoopForest forest(graph, tree);
  for (graph::LoopNumber loop = 0; loop < forest.loops().size(); ++loop) {
    for (const graph::Node node : forest.nodes(loop))
      require(tree.dominates(forest.loops()[loop].head, node));
  }
  for (const graph::IrreducibleRegion& region : forest.irreducible())
    require(region.entries.size() >= 2);
}

void add_accesses(paths::RegisterSet registers, bool defines,
                  std::vector<graph::Access>& accesses) {
  for (; registers != 0; registers &= registers - 1) {
    const auto variable = static_cast<graph::Variable>(std::countr_zero(registers));
    accesses.push_back({variable, defines});
  }
}

/// What the blocks do with the registers of the core.
graph::Accesses register_accesses(const elf::Function& function, const paths::CodeGraph& code) {
  graph::Accesses accesses{.variables = 32, .blocks = {}};
  const std::vector<paths::Step> steps = paths::steps_of(function);
  for (const paths::Block& block : code.blocks) {
    std::vector<graph::Access>& list = accesses.blocks.emplace_back();
    for (std::uint32_t word = block.first; word < block.end; ++word) {
      add_accesses(steps[word].address | steps[word].data | steps[word].sources, false, list);
      add_accesses(steps[word].written, true, list);
    }
  }
  return accesses;
}

/// Each access of a block that is reached has a value, and each phi one from each way that is.
void check_ssa(const graph::Graph& graph, const graph::DominatorTree& tree,
               const graph::Accesses& accesses) {
  const graph::Ssa ssa = graph::make_ssa(graph, tree, accesses);
  for (const graph::Node block : tree.top_down()) {
    for (const graph::Value value : ssa.accesses[block]) require(value < ssa.values.size());
    const std::span<const graph::Node> before = graph.predecessors(block);
    for (const graph::Phi& phi : ssa.phis[block]) {
      for (std::size_t i = 0; i < before.size(); ++i)
        require((phi.arguments[i] != graph::kNoValue) == tree.reaches(before[i]));
    }
  }
}

void check_flow(const elf::Image& image, const elf::Function& function,
                const paths::Summaries& summaries) {
  if (function.words.empty() || function.words.size() > kMostWords) return;
  const paths::CodeGraph code = paths::graph_of(function);
  const graph::DominatorTree tree(code.graph);
  check_dominators(code.graph, tree);
  check_loops(code.graph, tree);
  check_ssa(code.graph, tree, register_accesses(function, code));
  report::flow_text(function, code, kChip);
  report::flow_dot(image, function, code, kChip);
  report::paths_text(image, function, paths::follow_paths(function, code, kChip, summaries));
  report::flow_json(function, code);
  const paths::Ordering ordering = paths::find_ordering(function, code, kChip);
  report::ordering_text(image, function, ordering, kChip);
  report::ordering_json(image, function, ordering);
}

void check_function(const elf::Image& image, const elf::Function& function,
                    const paths::Summaries& summaries) {
  report::elf_listing(image, function, kChip);
  report::elf_json(image, {function}, kChip);
  report::statistics_of(function, kChip);
  check_flow(image, function, summaries);
  elf::call(image, function.symbol, {1, 2, 3}, kChip, {.most_instructions = kMostInstructions});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto image = elf::read_image(bytes, "fuzz");
  if (!image) {
    require(image.error().kind == FaultKind::BadInput && image.error().file == "fuzz");
    return 0;
  }
  image->functions.resize(std::min(image->functions.size(), kMostFunctions));
  const std::vector<elf::Function> functions = elf::functions_of(*image, kChip);
  const paths::Summaries summaries = paths::summarise(functions, kChip);
  for (const elf::Function& each : functions) check_function(*image, each, summaries);
  return 0;
}
