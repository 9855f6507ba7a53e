#include "binary/paths/register_values.h"

#include <algorithm>
#include <bit>
#include <set>

#include "base/graph/dominators.h"

namespace lanewise::paths {

namespace {

constexpr graph::Variable kRegisters = 32;
constexpr std::uint32_t kNoWord = ~std::uint32_t{0};

RegisterSet registers_used(const Step& step) {
  return step.address | step.data | step.sources;
}

void add_accesses(std::vector<graph::Access>& list, RegisterSet registers, bool defines) {
  for (; registers != 0; registers &= registers - 1)
    list.push_back({static_cast<graph::Variable>(std::countr_zero(registers)), defines});
}

graph::Accesses accesses_of(const std::vector<Step>& steps, const std::vector<Block>& blocks) {
  graph::Accesses accesses{.variables = kRegisters};
  for (const Block& block : blocks) {
    std::vector<graph::Access>& list = accesses.blocks.emplace_back();
    for (std::uint32_t word = block.first; word < block.end; ++word) {
      add_accesses(list, registers_used(steps[word]), false);
      add_accesses(list, steps[word].written, true);
    }
  }
  return accesses;
}

} // namespace

RegisterValues::RegisterValues(const std::vector<Step>& steps, const std::vector<Block>& blocks,
                               const graph::Graph& graph)
    : steps_(steps), places_(steps.size()) {
  const graph::Accesses accesses = accesses_of(steps, blocks);
  ssa_ = graph::make_ssa(graph, graph::DominatorTree(graph), accesses);
  note_definitions(accesses, blocks);
}

void RegisterValues::note_definitions(const graph::Accesses& accesses,
                                      const std::vector<Block>& blocks) {
  definer_.assign(ssa_.values.size(), kNoWord);
  for (graph::Node node = 0; node < blocks.size(); ++node) {
    std::uint32_t access = 0;
    for (std::uint32_t word = blocks[node].first; word < blocks[node].end; ++word) {
      const auto uses = static_cast<std::uint32_t>(std::popcount(registers_used(steps_[word])));
      places_[word] = {node, access, uses};
      access += uses;
      const std::uint32_t end = access + std::popcount(steps_[word].written);
      for (; access < end; ++access) {
        const graph::Value value = ssa_.accesses[node][access];
        if (value != graph::kNoValue && accesses.blocks[node][access].defines)
          definer_[value] = word;
      }
    }
  }
}

std::span<const graph::Value> RegisterValues::used_by(std::uint32_t word) const {
  const Place& place = places_[word];
  return std::span(ssa_.accesses[place.block]).subspan(place.first, place.uses);
}

/// Values from which this one is made by copying and computing; of a load's, none.
std::span<const graph::Value> RegisterValues::sources_of(graph::Value value) const {
  const graph::ValueOrigin& origin = ssa_.values[value];
  if (origin.origin == graph::Origin::Phi) return ssa_.phis[origin.block][origin.index].arguments;
  const std::uint32_t word = definer_[value];
  if (word == kNoWord || !steps_[word].carries()) return {};
  return used_by(word);
}

std::vector<std::uint32_t> RegisterValues::loads_behind(std::uint32_t word) const {
  const auto used = used_by(word);
  std::vector<graph::Value> waiting(used.begin(), used.end());
  std::vector<bool> seen(ssa_.values.size(), false);
  std::set<std::uint32_t> loads;
  while (!waiting.empty()) {
    const graph::Value value = waiting.back();
    waiting.pop_back();
    if (value == graph::kNoValue || seen[value]) continue;
    seen[value] = true;
    const std::uint32_t definer = definer_[value];
    if (definer != kNoWord && steps_[definer].loads) loads.insert(definer);
    const auto sources = sources_of(value);
    waiting.insert(waiting.end(), sources.begin(), sources.end());
  }
  return {loads.begin(), loads.end()};
}

} // namespace lanewise::paths
