#include "binary/paths/push_interval.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "base/graph/dominators.h"
#include "binary/paths/forward_order.h"
#include "chip/timing/schedule.h"

namespace lanewise::paths {

namespace {

/// A cost in parts of a cycle, ArchParams::cores.fused_pushes of them, so that it is a whole
/// number.
struct Ticks {
  std::int64_t ticks = 0;
  std::uint32_t words = 0, instructions = 0;
  bool calls = false;

  Ticks& operator+=(const Ticks& other) {
    ticks += other.ticks;
    words += other.words;
    instructions += other.instructions;
    calls |= other.calls;
    return *this;
  }
};

/// Goes through a block.
class BlockClock {
 public:
  BlockClock(const elf::Function& function, Arch arch)
      : function_(function), per_cycle_(arch_params(arch).cores.fused_pushes) {}

  Ticks count(const Block& block) const {
    Ticks total{.calls = block.calls};
    std::uint32_t run = 0; // `.ttinsn`s side by side
    bool at_begin = true;
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const elf::CodeWord& word = function_.words[i];
      ++total.instructions;
      if (word.pushes()) ++total.words;
      if (word.kind == elf::WordKind::Tensix) {
        ++run;
        continue;
      }
      total.ticks += of_run(run, at_begin) + per_cycle_;
      run = 0;
      at_begin = false;
    }
    total.ticks += of_run(run, true);
    return total;
  }

 private:
  /// A run at an end of the block may be executed together with that of the next one, so that only
  /// its share of a cycle is certain.
  std::int64_t of_run(std::uint32_t run, bool may_go_on) const {
    return may_go_on ? run : (run + per_cycle_ - 1) / per_cycle_ * per_cycle_;
  }

  const elf::Function& function_;
  std::int64_t per_cycle_;
};

/// One pass through a loop.
using Way = std::vector<graph::Node>;

class LoopPasses {
 public:
  LoopPasses(const graph::Graph& graph, const graph::LoopForest& loops, graph::LoopNumber loop,
             const std::vector<Ticks>& blocks)
      : graph_(graph), loops_(loops), loop_(loop), blocks_(blocks), order_(forward_order(graph)) {}

  Way least() const {
    return cheapest([](const Ticks& each) { return each.ticks; });
  }

  /// Begins with the pass of the most words; as long as another one has fewer ticks per word than
  /// the last, that is taken (Dinkelbach's method for ratios).
  Way densest() const {
    Way best = cheapest([](const Ticks& each) { return -std::int64_t{each.words}; });
    for (Ticks of_best = total(best); of_best.words != 0;) {
      Way next = cheapest([&](const Ticks& each) {
        return each.ticks * of_best.words - of_best.ticks * each.words;
      });
      const Ticks of_next = total(next);
      if (of_next.ticks * of_best.words >= of_best.ticks * of_next.words) break;
      best = std::move(next);
      of_best = of_next;
    }
    return best;
  }

  Ticks total(const Way& way) const {
    Ticks sum;
    for (const graph::Node node : way) sum += blocks_[node];
    return sum;
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  /// The pass whose blocks cost least together; costs may be negative.
  Way cheapest(const std::function<std::int64_t(const Ticks&)>& cost) const {
    const graph::Loop& loop = loops_.loops()[loop_];
    std::vector<std::int64_t> best(graph_.size(), kNever); // up to the block, itself included
    std::vector<graph::Node> from(graph_.size(), graph::kNoNode);
    std::vector<bool> passed(graph_.size(), false);
    best[loop.head] = cost(blocks_[loop.head]);
    for (const graph::Node node : order_) {
      passed[node] = true;
      if (best[node] == kNever) continue;
      for (const graph::Node next : graph_.successors(node)) {
        if (passed[next] || !loops_.contains(loop_, next)) continue;
        const std::int64_t there = best[node] + cost(blocks_[next]);
        if (there < best[next]) best[next] = there, from[next] = node;
      }
    }
    Way way;
    const auto end =
        std::ranges::min_element(loop.latches, {}, [&](graph::Node latch) { return best[latch]; });
    for (graph::Node node = *end; node != graph::kNoNode; node = from[node]) way.push_back(node);
    std::ranges::reverse(way);
    return way;
  }

  const graph::Graph& graph_;
  const graph::LoopForest& loops_;
  graph::LoopNumber loop_;
  const std::vector<Ticks>& blocks_;
  std::vector<graph::Node> order_;
};

PushCost cost_of(const Ticks& ticks, Arch arch) {
  return {.words = ticks.words,
          .instructions = ticks.instructions,
          .cycles = static_cast<double>(ticks.ticks) / arch_params(arch).cores.fused_pushes,
          .calls = ticks.calls};
}

/// What another pass adds in the steady state, if the core were always ahead.
double steady_cycles(const ProgramGraph& graph, const StraightCode& code, std::uint32_t function,
                     const Way& way) {
  constexpr unsigned kPasses = 4;
  const StartState start = code.before({function, way.front()});
  std::vector<WordPlace> words;
  const auto cycles_with_another_pass = [&] {
    for (const graph::Node node : way) {
      for (const WordPlace each : graph.pushes({function, node})) words.push_back(each);
    }
    FrontEnd front_end = start.front_end;
    return timing::schedule(start.machine, front_end.expand(code.program_of(words))).cycles;
  };
  const std::uint64_t first = cycles_with_another_pass();
  std::uint64_t last = first;
  for (unsigned pass = 0; pass < kPasses; ++pass) last = cycles_with_another_pass();
  return static_cast<double>(last - first) / kPasses;
}

} // namespace

PushIntervals find_push_intervals(const ProgramGraph& graph, const StraightCode& code,
                                  std::uint32_t function, Arch arch) {
  const CodeGraph& blocks = graph.code(function);
  const BlockClock clock(graph.functions()[function], arch);
  PushIntervals intervals;
  std::vector<Ticks> ticks;
  for (const Block& each : blocks.blocks) {
    ticks.push_back(clock.count(each));
    intervals.blocks.push_back(cost_of(ticks.back(), arch));
  }
  const graph::LoopForest loops(blocks.graph, graph::DominatorTree(blocks.graph));
  for (graph::LoopNumber i = 0; i < loops.loops().size(); ++i) {
    const LoopPasses passes(blocks.graph, loops, i, ticks);
    const Way densest = passes.densest();
    LoopPushes loop{.head = loops.loops()[i].head,
                    .depth = loops.loops()[i].depth,
                    .least = cost_of(passes.total(passes.least()), arch),
                    .densest = cost_of(passes.total(densest), arch)};
    if (loop.densest.words != 0) loop.unit_cycles = steady_cycles(graph, code, function, densest);
    intervals.loops.push_back(loop);
  }
  return intervals;
}

} // namespace lanewise::paths
