#include "binary/paths/tensix_paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <functional>

#include "base/graph/liveness.h"
#include "binary/paths/dataflow.h"
#include "binary/paths/lreg_steps.h"
#include "binary/paths/tensix_state.h"
#include "chip/isa/effects.h"
#include "chip/isa/encoding.h"
#include "chip/isa/replay.h"

namespace lanewise::paths {

namespace {

std::string lregs_text(isa::LRegSet set) {
  std::vector<std::string> names;
  for (unsigned lreg = 0; lreg < 16; ++lreg) {
    if ((set >> lreg & 1U) != 0) names.push_back(fmt::format("L{}", lreg));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What is told of a path as it is followed; nothing while states are still changing.
struct Listener {
  std::function<void(Finding)> finding = [](const Finding&) {};
  std::function<void(ResourceUse)> use = [](const ResourceUse&) {};
  /// What some path to a place lacks that is read or used there.
  std::function<void(isa::LRegSet, Resources)> need = [](isa::LRegSet, Resources) {};
  /// What a word executes.
  std::function<void(std::uint32_t, std::optional<std::uint32_t>)> execute =
      [](std::uint32_t, std::optional<std::uint32_t>) {};
};

/// Executes blocks on states.
class Walker {
 public:
  Walker(const elf::Function& function, const CodeGraph& code, Arch arch,
         const Summaries& summaries)
      : function_(function), code_(code), arch_(arch), summaries_(summaries) {}

  void execute(graph::Node node, TensixState& state, const Listener& to) const {
    const Block& block = code_.blocks[node];
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const elf::CodeWord& word = function_.words[i];
      if (!word.pushes()) continue;
      if (word.tensix) {
        receive(i, *word.tensix, state, to);
      } else {
        forget(i, state, to);
      }
    }
    if (state.to_record != 0 && code_.graph.successors(node).size() != 1) {
      to.finding({FindingKind::CutRecording, block.end - 1,
                  fmt::format("control flow comes before the last {} words that a REPLAY records",
                              state.to_record)});
      state.to_record = 0;
    }
    if (block.calls) call(block, state, to);
  }

 private:
  /// A word as it comes to the replay expander.
  void receive(std::uint32_t at, std::uint32_t word, TensixState& state, const Listener& to) const {
    if (state.to_record > 0) {
      --state.to_record;
      state.program(state.next_slot++ % resource::kReplaySlots, at);
      if (state.executes_recorded) perform(at, word, state, to);
      return;
    }
    const auto replay = isa::replay_command(word);
    if (!replay) return perform(at, word, state, to);
    if (replay->load) {
      state.to_record = replay->count;
      state.next_slot = replay->index;
      state.executes_recorded = replay->execute;
      return;
    }
    tell_uses(at, isa_uses(word), state, to);
    for (unsigned i = 0; i < replay->count; ++i)
      play(at, (replay->index + i) % resource::kReplaySlots, state, to);
  }

  /// A word that nobody knows.
  static void forget(std::uint32_t at, TensixState& state, const Listener& to) {
    to.execute(at, std::nullopt);
    state.forget();
  }

  Resources isa_uses(std::uint32_t word) const { return resources_used(arch_, word); }

  void play(std::uint32_t at, unsigned slot, TensixState& state, const Listener& to) const {
    const Setters& recorded = state.setters[slot];
    const auto word = recorded.size() == 1 && recorded[0] != kBefore
                          ? function_.words[recorded[0]].tensix
                          : std::nullopt;
    if (!word) return forget(at, state, to);
    perform(at, *word, state, to);
  }

  /// A word that executes, at the place of the word that brought it.
  void perform(std::uint32_t at, std::uint32_t word, TensixState& state, const Listener& to) const {
    const isa::Effects effects(arch_, word);
    if (effects.row() == nullptr) return;
    to.execute(at, word);
    tell_uses(at, isa_uses(word), state, to);
    read_lregs(at, effects.lregs_read() & isa::kGeneralLRegs, state, to);
    change_stack(at, effects.stack_use(), state, to);
    state.unwritten &= ~effects.lregs_written(false);
    const Resources set = resources_set(arch_, word);
    for (unsigned i = 0; i < resource::kCount; ++i) {
      if ((set >> i & 1U) != 0) state.program(i, at);
    }
  }

  void read_lregs(std::uint32_t at, isa::LRegSet read, const TensixState& state,
                  const Listener& to) const {
    const isa::LRegSet missing = read & state.unwritten;
    if (missing == 0) return;
    to.need(missing, 0);
    to.finding(
        {FindingKind::UnwrittenLReg, at,
         fmt::format("reads {}, which a path to here has not written", lregs_text(missing))});
  }

  void tell_uses(std::uint32_t at, Resources used, const TensixState& state,
                 const Listener& to) const {
    Resources on_some_paths = 0;
    for (unsigned i = 0; i < resource::kCount; ++i) {
      if ((used >> i & 1U) == 0) continue;
      to.use({at, i, state.setters[i]});
      if ((state.unset >> i & 1U) != 0) on_some_paths |= resource_bit(i);
    }
    if (on_some_paths == 0) return;
    to.need(0, on_some_paths);
    // What no path programs is the caller's business; on some paths only is a mistake of this
    // function.
    const Resources forgotten = programmed_here(on_some_paths, state);
    if (forgotten != 0)
      to.finding({FindingKind::Unprogrammed, at,
                  fmt::format("uses {}, which one path to here has programmed and another has not",
                              resources_text(forgotten))});
  }

  static Resources programmed_here(Resources resources, const TensixState& state) {
    Resources programmed = 0;
    for (unsigned i = 0; i < resource::kCount; ++i) {
      if ((resources >> i & 1U) != 0 && state.setters[i].front() != kBefore)
        programmed |= resource_bit(i);
    }
    return programmed;
  }

  void change_stack(std::uint32_t at, isa::StackUse use, TensixState& state,
                    const Listener& to) const {
    if (use == isa::StackUse::Push) return move_stack(1, 1, state);
    if (use != isa::StackUse::Pop) return;
    if (state.least_pushed <= 0)
      to.finding({FindingKind::EmptyStack, at,
                  "pops an entry of the predicate stack that a path to here has not pushed"});
    move_stack(-1, -1, state);
  }

  static void move_stack(int least, int most, TensixState& state) {
    state.least_pushed = std::clamp(state.least_pushed + least, -kMostPushed, kMostPushed);
    state.most_pushed = std::clamp(state.most_pushed + most, -kMostPushed, kMostPushed);
  }

  void call(const Block& block, TensixState& state, const Listener& to) const {
    const auto found = block.callee ? summaries_.find(*block.callee) : summaries_.end();
    if (found == summaries_.end()) return state.forget();
    const Summary& callee = found->second;
    const std::uint32_t at = block.end - 1;
    read_lregs(at, callee.needs, state, to);
    tell_uses(at, callee.uses, state, to);
    state.is_known &= callee.is_known;
    state.unwritten &= ~callee.writes;
    for (unsigned i = 0; i < resource::kCount; ++i) {
      if ((callee.programs >> i & 1U) != 0) state.program(i, at);
    }
    move_stack(callee.least_pushed, callee.most_pushed, state);
  }

  const elf::Function& function_;
  const CodeGraph& code_;
  Arch arch_;
  const Summaries& summaries_;
};

using States = std::vector<std::optional<TensixState>>;

States states_of(const CodeGraph& code, const Walker& walker) {
  const Listener nobody;
  return forward(
      code.graph, TensixState{},
      [&](graph::Node node, TensixState& state) { walker.execute(node, state, nobody); },
      [](TensixState& into, const TensixState& from) { return join(into, from); });
}

/// Collects what the final states say.
class Collector {
 public:
  Collector(const elf::Function& function, const CodeGraph& code, const Walker& walker,
            const States& states)
      : code_(code), walker_(walker), states_(states) {
    result_.executed.resize(function.words.size());
  }

  TensixPaths collect() {
    Listener listener{
        .finding = [this](Finding each) { result_.findings.push_back(std::move(each)); },
        .use = [this](ResourceUse each) { result_.uses.push_back(std::move(each)); },
        .need =
            [this](isa::LRegSet lregs, Resources resources) {
              result_.summary.needs |= lregs;
              result_.summary.uses |= resources;
            },
        .execute =
            [this](std::uint32_t at, std::optional<std::uint32_t> word) {
              result_.executed[at].push_back(word);
            }};
    for (graph::Node node = 0; node < code_.blocks.size(); ++node) {
      if (!states_[node]) continue;
      check_join(node);
      TensixState state = *states_[node];
      walker_.execute(node, state, listener);
      leave(node, state);
    }
    if (!returns_) result_.summary.writes = 0, result_.summary.programs = 0;
    return std::move(result_);
  }

 private:
  /// Whether some path comes with a known number of entries: where none does, they have parted
  /// before.
  bool has_even_path(graph::Node node) const {
    return node == code_.graph.entry() ||
           std::ranges::any_of(code_.graph.predecessors(node), [&](graph::Node from) {
             if (!states_[from]) return false;
             TensixState before = *states_[from];
             walker_.execute(from, before, {});
             return before.least_pushed == before.most_pushed;
           });
  }

  void check_join(graph::Node node) {
    const TensixState& state = *states_[node];
    if (state.least_pushed == state.most_pushed || !has_even_path(node)) return;
    result_.findings.push_back(
        {FindingKind::UnevenStack, code_.blocks[node].first,
         fmt::format("paths come together here with {} to {} entries pushed on the predicate stack",
                     state.least_pushed, state.most_pushed)});
  }

  void leave(graph::Node node, const TensixState& state) {
    const Block& block = code_.blocks[node];
    if (block.leaving != Leaving::Return && block.leaving != Leaving::TailJump) return;
    Summary& summary = result_.summary;
    summary.is_known &= state.is_known;
    summary.writes &= ~state.unwritten;
    summary.programs &= ~state.unset;
    summary.least_pushed =
        returns_ ? std::min(summary.least_pushed, state.least_pushed) : state.least_pushed;
    summary.most_pushed =
        returns_ ? std::max(summary.most_pushed, state.most_pushed) : state.most_pushed;
    returns_ = true;
    if (state.most_pushed != 0 || state.least_pushed != 0)
      result_.findings.push_back({FindingKind::StackAtReturn, block.end - 1,
                                  fmt::format("returns with {} to {} entries more on the predicate "
                                              "stack than it began with",
                                              state.least_pushed, state.most_pushed)});
  }

  const CodeGraph& code_;
  const Walker& walker_;
  const States& states_;
  TensixPaths result_;
  bool returns_ = false;
};

/// Pushes of words that only the program knows when it runs.
std::size_t count_unknown(const elf::Function& function) {
  return static_cast<std::size_t>(std::ranges::count_if(
      function.words, [](const elf::CodeWord& word) { return word.pushes() && !word.tensix; }));
}

/// LRegs of which a value is read behind some call that came before it.
isa::LRegSet live_across_calls(const CodeGraph& code, const std::vector<LRegSteps>& steps,
                               const Summaries& summaries) {
  const graph::Liveness liveness(code.graph, lreg_accesses(code, steps));
  constexpr auto kLRegs = static_cast<graph::Variable>(std::popcount(isa::kGeneralLRegs));
  isa::LRegSet live = 0;
  for (graph::Node node = 0; node < code.blocks.size(); ++node) {
    const Block& block = code.blocks[node];
    if (!block.calls) continue;
    const auto callee = block.callee ? summaries.find(*block.callee) : summaries.end();
    const isa::LRegSet given_back = callee == summaries.end() ? 0 : callee->second.writes;
    for (graph::Variable lreg = 0; lreg < kLRegs; ++lreg)
      live |= liveness.out.contains(node, lreg) ? isa::lreg_set(lreg) & ~given_back : 0;
  }
  return live;
}

} // namespace

std::string_view finding_id(FindingKind kind) {
  switch (kind) {
    case FindingKind::UnwrittenLReg: return "unwritten-lreg";
    case FindingKind::Unprogrammed: return "unprogrammed";
    case FindingKind::UnevenStack: return "uneven-stack";
    case FindingKind::EmptyStack: return "empty-stack";
    case FindingKind::StackAtReturn: return "stack-at-return";
    case FindingKind::CutRecording: return "cut-recording";
  }
  return "";
}

TensixPaths follow_paths(const elf::Function& function, const CodeGraph& code, Arch arch,
                         const Summaries& summaries) {
  const Walker walker(function, code, arch, summaries);
  TensixPaths result = Collector(function, code, walker, states_of(code, walker)).collect();
  result.live_across_calls =
      live_across_calls(code, lreg_steps(code, arch, result.executed, summaries), summaries);
  result.unknown_words = count_unknown(function);
  return result;
}

std::set<std::uint32_t> called_addresses(const std::vector<elf::Function>& functions) {
  std::set<std::uint32_t> addresses;
  for (const elf::Function& each : functions) {
    if (each.words.empty()) continue;
    for (const Block& block : graph_of(each).blocks) {
      if (block.callee) addresses.insert(*block.callee);
    }
  }
  return addresses;
}

bool is_for_callers(FindingKind kind) {
  switch (kind) {
    case FindingKind::UnwrittenLReg:
    case FindingKind::EmptyStack:
    case FindingKind::StackAtReturn: return true;
    case FindingKind::Unprogrammed:
    case FindingKind::UnevenStack:
    case FindingKind::CutRecording: return false;
  }
  return false;
}

Summaries summarise(const std::vector<elf::Function>& functions, Arch arch) {
  // The best that can be: nothing needed, everything done. Each round takes back what does not
  // hold, until all holds.
  Summaries summaries;
  std::vector<std::pair<const elf::Function*, CodeGraph>> graphs;
  for (const elf::Function& each : functions) {
    if (each.words.empty()) continue;
    summaries[each.symbol.address] = {};
    graphs.emplace_back(&each, graph_of(each));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [function, code] : graphs) {
      const Summary now = follow_paths(*function, code, arch, summaries).summary;
      Summary& known = summaries[function->symbol.address];
      changed |= now != known;
      known = now;
    }
  }
  return summaries;
}

} // namespace lanewise::paths
