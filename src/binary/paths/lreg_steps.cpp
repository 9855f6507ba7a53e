#include "binary/paths/lreg_steps.h"

#include <bit>

#include "binary/paths/dataflow.h"
#include "binary/paths/enabled_lanes.h"
#include "chip/isa/effects.h"
#include "chip/isa/lreg_sets.h"

namespace lanewise::paths {

namespace {

void follow_lanes(EnabledLanes& lanes, Arch arch, const Executed& words) {
  for (const auto& word : words) {
    if (word) {
      lanes.execute(isa::Effects(arch, *word));
    } else {
      lanes.forget();
    }
  }
}

LRegStep step_of(const isa::Effects& effects, const EnabledLanes& lanes) {
  const isa::LRegSet reads = effects.lregs_read(false), writes = effects.lregs_written(false);
  const isa::LRegSet keeps = keeps_old_parts(effects, lanes) ? writes & ~reads : 0;
  return {.reads = reads | keeps, .writes = writes, .keeps = keeps};
}

/// A computed word may read anything; what it may write, it need not.
constexpr LRegStep kUnknownStep{
    .reads = isa::kGeneralLRegs, .writes = isa::kGeneralLRegs, .keeps = isa::kGeneralLRegs};

LRegStep call_step(const Block& block, const Summaries& summaries) {
  const auto callee = block.callee ? summaries.find(*block.callee) : summaries.end();
  if (callee == summaries.end()) return {};
  return {.reads = callee->second.needs, .writes = callee->second.writes};
}

void add(std::vector<graph::Access>& list, isa::LRegSet set, bool defines) {
  for (; set != 0; set &= set - 1)
    list.push_back({static_cast<graph::Variable>(std::countr_zero(set)), defines});
}

} // namespace

std::vector<LRegSteps> lreg_steps(const CodeGraph& code, Arch arch,
                                  const std::vector<Executed>& executed,
                                  const Summaries& summaries) {
  const auto lanes = forward(
      code.graph, EnabledLanes{},
      [&](graph::Node node, EnabledLanes& state) {
        for (std::uint32_t i = code.blocks[node].first; i < code.blocks[node].end; ++i)
          follow_lanes(state, arch, executed[i]);
      },
      [](EnabledLanes& into, const EnabledLanes& from) { return into.join(from); });
  std::vector<LRegSteps> steps(executed.size());
  for (graph::Node node = 0; node < code.blocks.size(); ++node) {
    EnabledLanes state = lanes[node].value_or(EnabledLanes{});
    const Block& block = code.blocks[node];
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      for (const auto& word : executed[i]) {
        steps[i].push_back(word ? step_of(isa::Effects(arch, *word), state) : kUnknownStep);
        follow_lanes(state, arch, {word});
      }
    }
    if (block.calls) steps[block.end - 1].push_back(call_step(block, summaries));
  }
  return steps;
}

graph::Accesses lreg_accesses(const CodeGraph& code, const std::vector<LRegSteps>& steps) {
  graph::Accesses accesses{.variables = std::popcount(isa::kEveryLReg), .blocks = {}};
  for (const Block& block : code.blocks) {
    std::vector<graph::Access>& list = accesses.blocks.emplace_back();
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      for (const LRegStep& step : steps[i]) {
        add(list, step.reads, false);
        add(list, step.writes, true);
      }
    }
  }
  return accesses;
}

} // namespace lanewise::paths
