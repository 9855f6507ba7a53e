#include "binary/paths/ordering.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/graph/loops.h"
#include "binary/paths/load_orders.h"

namespace lanewise::paths {

namespace {

using riscv::Format;

using Branches = std::vector<std::uint32_t>;

/// Finds what is ordered behind the loads of one model.
class OrderFinder {
 public:
  OrderFinder(const OrderModel& model, Arch arch) : model_(model), places_(model, arch) {}

  std::vector<OrderedLoad> find() const {
    std::vector<OrderedLoad> loads;
    for (const auto& [load, branches] : branches_by_load())
      loads.push_back(
          {.load = load, .branches = branches, .stores = stores_behind(load, branches)});
    return loads;
  }

  LoadOrders orders_behind(std::uint32_t load) const { return {model_, places_, load}; }

 private:
  std::map<std::uint32_t, Branches> branches_by_load() const {
    std::map<std::uint32_t, Branches> result;
    for (std::uint32_t word = 0; word < model_.steps.size(); ++word) {
      if (!model_.steps[word].branches) continue;
      for (const std::uint32_t load : places_.values().loads_behind(word))
        result[load].push_back(word);
    }
    return result;
  }

  std::vector<OrderedStore> stores_behind(std::uint32_t load, const Branches& branches) const {
    std::map<std::uint32_t, OrderedStore> stores;
    for (const std::uint32_t branch : branches) {
      for (const std::uint32_t store : stores_reached(branch))
        stores[store].branches.push_back(branch);
    }
    const LoadOrders orders = orders_behind(load);
    for (auto& [word, store] : stores) {
      store.store = word;
      store.pushes = places_.pushes(word);
      store.orders = orders.orders_of(word);
    }
    std::vector<OrderedStore> list;
    list.reserve(stores.size());
    for (auto& [word, store] : stores) list.push_back(std::move(store));
    return list;
  }

  /// Stores that some path from a branch, which ends its block, leads to.
  std::vector<std::uint32_t> stores_reached(std::uint32_t branch) const {
    std::vector<std::uint32_t> stores;
    for (const graph::Node node : blocks_behind(block_with(model_.blocks, branch))) {
      const Block& block = model_.blocks[node];
      for (std::uint32_t word = block.first; word < block.end; ++word) {
        if (model_.steps[word].stores) stores.push_back(word);
      }
    }
    return stores;
  }

  std::vector<graph::Node> blocks_behind(graph::Node from) const {
    std::vector<bool> seen(model_.graph.size(), false);
    std::vector<graph::Node> found, waiting{from};
    while (!waiting.empty()) {
      const graph::Node node = waiting.back();
      waiting.pop_back();
      for (const graph::Node next : model_.graph.successors(node)) {
        if (seen[next]) continue;
        seen[next] = true;
        found.push_back(next);
        waiting.push_back(next);
      }
    }
    std::ranges::sort(found);
    return found;
  }

  const OrderModel& model_;
  AccessPlaces places_;
};

// ---------------------------------------------------------------- Loops that poll

/// Whether the branch can leave a loop that both are in.
bool leaves_loop(const graph::Graph& graph, const graph::LoopForest& forest, graph::Node load,
                 graph::Node branch) {
  for (graph::LoopNumber loop = forest.innermost(load); loop != graph::kNoLoop;
       loop = forest.loops()[loop].parent) {
    const auto outside = [&](graph::Node next) { return !forest.contains(loop, next); };
    if (forest.contains(loop, branch) && std::ranges::any_of(graph.successors(branch), outside))
      return true;
  }
  return false;
}

void find_polls(const CodeGraph& code, std::vector<OrderedLoad>& loads) {
  const graph::LoopForest forest(code.graph, graph::DominatorTree(code.graph));
  for (OrderedLoad& load : loads) {
    for (const std::uint32_t branch : load.branches) {
      if (leaves_loop(code.graph, forest, block_of(code, load.load), block_of(code, branch)))
        load.polled_by.push_back(branch);
    }
  }
}

// ---------------------------------------------------------------- Branches that could be selects

bool only_computes(const elf::CodeWord& word) {
  if (word.kind != elf::WordKind::RiscV) return false;
  const riscv::Row& row = riscv::row_of(word.instruction.op);
  const bool has_result = row.format == Format::Reg || row.format == Format::Imm ||
                          row.format == Format::Shift || row.format == Format::Upper;
  return has_result &&
         (row.extension == riscv::Extension::I || row.extension == riscv::Extension::M);
}

/// The word that a short branch goes forward to.
std::optional<std::uint32_t> short_target(const elf::CodeWord& word, std::uint32_t index,
                                          std::size_t words) {
  if (word.flow != riscv::Flow::Branch) return std::nullopt;
  constexpr std::int32_t kWordSize = 4;
  const std::int32_t distance = word.instruction.imm / kWordSize - 1;
  if (word.instruction.imm % kWordSize != 0 || distance < 0 ||
      distance > static_cast<std::int32_t>(kMostSkipped))
    return std::nullopt;
  const std::uint32_t end = index + 1 + static_cast<std::uint32_t>(distance);
  return end < words ? std::optional(end) : std::nullopt;
}

/// Nobody else jumps to the words that the branch skips.
bool is_closed(const CodeGraph& code, const SelectCandidate& select) {
  if (select.end == select.branch + 1) return true;
  const graph::Node skipped = block_of(code, select.branch + 1);
  return code.blocks[skipped].end == select.end && code.graph.predecessors(skipped).size() == 1;
}

std::vector<SelectCandidate> find_selects(const elf::Function& function, const CodeGraph& code) {
  std::vector<SelectCandidate> selects;
  for (std::uint32_t i = 0; i < function.words.size(); ++i) {
    const auto end = short_target(function.words[i], i, function.words.size());
    if (!end) continue;
    const SelectCandidate select{.branch = i, .end = *end};
    const auto skipped = std::span(function.words).subspan(i + 1, *end - i - 1);
    if (std::ranges::all_of(skipped, only_computes) && is_closed(code, select))
      selects.push_back(select);
  }
  return selects;
}

graph::Graph graph_without(const CodeGraph& code, graph::Node branch) {
  std::vector<graph::Edge> edges;
  for (const BlockEdge& edge : code.edges) {
    if (edge.from != branch || edge.kind != EdgeKind::Taken) edges.push_back({edge.from, edge.to});
  }
  return {code.graph.size(), code.graph.entry(), edges};
}

/// The function with a select: the skipped instructions are always executed, and each result also
/// depends on what the branch compared, and on what the register held.
OrderModel with_select(const OrderModel& model, const CodeGraph& code,
                       const SelectCandidate& select) {
  OrderModel changed{model.steps, model.blocks, graph_without(code, block_of(code, select.branch))};
  const RegisterSet compared = model.steps[select.branch].sources;
  changed.steps[select.branch] = {};
  for (std::uint32_t word = select.branch + 1; word < select.end; ++word) {
    Step& step = changed.steps[word];
    step.sources |= compared | step.written;
  }
  return changed;
}

bool comes_after(const OrderedStore& store, std::uint32_t branch) {
  return std::ranges::binary_search(store.branches, branch);
}

std::vector<LostOrder> find_lost(const std::vector<OrderedLoad>& loads, std::uint32_t branch,
                                 const OrderFinder& changed) {
  std::vector<LostOrder> lost;
  for (const OrderedLoad& load : loads) {
    if (!std::ranges::binary_search(load.branches, branch)) continue;
    const LoadOrders orders = changed.orders_behind(load.load);
    for (const OrderedStore& store : load.stores) {
      if (comes_after(store, branch) && orders.orders_of(store.store).empty())
        lost.push_back({load.load, store.store, store.pushes});
    }
  }
  return lost;
}

} // namespace

Ordering find_ordering(const elf::Function& function, const CodeGraph& code, Arch arch) {
  const OrderModel model{steps_of(function), code.blocks, code.graph};
  Ordering result{.loads = OrderFinder(model, arch).find(),
                  .selects = find_selects(function, code)};
  find_polls(code, result.loads);
  for (SelectCandidate& select : result.selects) {
    const OrderModel changed = with_select(model, code, select);
    select.lost = find_lost(result.loads, select.branch, OrderFinder(changed, arch));
  }
  return result;
}

} // namespace lanewise::paths
