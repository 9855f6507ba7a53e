#include "study/tune/block_order.h"

#include <algorithm>
#include <map>
#include <set>

#include "chip/isa/effects.h"
#include "chip/isa/interlock.h"

namespace lanewise::tune {

namespace {

/// A step that must come at least `distance` cycles later.
struct Follower {
  std::uint32_t step = 0;
  unsigned distance = 1;
};

/// What the order must know of an instruction.
struct Timing {
  unsigned latency = 1; ///< until everything that it writes can be read
  unsigned cycles = 1;  ///< for which nothing else is issued
};

Timing timing_of(Arch arch, const BlockStep& step) {
  const bool is_single = isa::Effects(arch, step.word).pace() == isa::Pace::Single;
  return {.latency = is_single ? 1U : 2U, .cycles = isa::holds_unit(arch, step.word) ? 2U : 1U};
}

/// Whether an instruction would wait in the cycle behind another, or must not be there, though it
/// reads nothing of it: Blackhole's stall logic has holes, and Wormhole's results share a port.
bool disturbs(Arch arch, std::uint32_t before, std::uint32_t next) {
  if (arch_params(arch).vector.has_result_interlock)
    return isa::is_mad_class(arch, before) &&
           (isa::believed_writes(arch, before) & isa::believed_reads(arch, next)) != 0;
  return isa::takes_two_cycles(arch, before) && isa::shares_result_port(arch, next);
}

/// Cycles from a store to a load of the same place: four lie between (VU 5.6).
constexpr unsigned kFromStoreToLoad = 5;

/// The last writer of a part of the state, and who has read it since.
struct History {
  std::uint32_t writer = kEmptySlot;
  std::vector<std::uint32_t> readers;
};

class Dependences {
 public:
  Dependences(Arch arch, std::span<const BlockStep> steps) : followers_(steps.size()) {
    for (const BlockStep& step : steps) timings_.push_back(timing_of(arch, step));
    std::vector<History> state(state_part::kCount);
    std::map<CellPlace, History> cells;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      const BlockStep& step = steps[i];
      for (unsigned part = 0; part < state_part::kCount; ++part)
        use(state[part], i, (step.reads >> part & 1U) != 0, (step.writes >> part & 1U) != 0);
      for (const CellPlace place : step.cells) {
        const std::uint32_t before = cells[place].writer;
        use(cells[place], i, !step.is_store, step.is_store);
        if (before != kEmptySlot && !step.is_store)
          followers_[before].push_back({i, kFromStoreToLoad});
      }
    }
  }

  const std::vector<Follower>& of(std::uint32_t step) const { return followers_[step]; }
  const Timing& timing(std::uint32_t step) const { return timings_[step]; }

 private:
  void use(History& history, std::uint32_t step, bool reads, bool writes) {
    if (!reads && !writes) return;
    if (history.writer != kEmptySlot && history.writer != step)
      followers_[history.writer].push_back({step, timings_[history.writer].latency});
    if (!writes) {
      history.readers.push_back(step);
      return;
    }
    for (const std::uint32_t reader : history.readers)
      if (reader != step) followers_[reader].push_back({step, timings_[reader].cycles});
    history = {.writer = step, .readers = {}};
  }

  std::vector<std::vector<Follower>> followers_;
  std::vector<Timing> timings_;
};

class ListOrder {
 public:
  ListOrder(Arch arch, std::span<const BlockStep> steps, const Dependences& dependences)
      : arch_(arch),
        steps_(steps),
        dependences_(dependences),
        ways_(steps.size()),
        earliest_(steps.size()),
        waits_for_(steps.size()) {
    for (std::uint32_t i = static_cast<std::uint32_t>(steps.size()); i-- > 0;) {
      ways_[i] = dependences.timing(i).latency;
      for (const Follower& each : dependences.of(i)) {
        ways_[i] = std::max(ways_[i], ways_[each.step] + each.distance);
        ++waits_for_[each.step];
      }
    }
    for (std::uint32_t i = 0; i < steps.size(); ++i)
      if (waits_for_[i] == 0) ready_.insert({ways_[i], i});
  }

  BlockOrder run() {
    BlockOrder order;
    std::uint64_t end = 0; // of all results
    while (!ready_.empty()) {
      const auto next = std::ranges::find_if(
          ready_, [&](const Ready& each) { return can_follow(order, each.step); });
      if (next == ready_.end()) {
        order.slots.push_back(kEmptySlot);
        ++order.cycles;
        continue;
      }
      const std::uint32_t step = next->step;
      ready_.erase(next);
      const Timing& timing = dependences_.timing(step);
      end = std::max(end, order.cycles + timing.latency);
      for (const Follower& each : dependences_.of(step)) {
        earliest_[each.step] = std::max(earliest_[each.step], order.cycles + each.distance);
        if (--waits_for_[each.step] == 0) ready_.insert({ways_[each.step], each.step});
      }
      order.slots.push_back(step);
      order.cycles += timing.cycles;
    }
    for (; order.cycles < end; ++order.cycles) order.slots.push_back(kEmptySlot);
    return order;
  }

 private:
  /// The longest way to the end first, then the order of the author.
  struct Ready {
    std::uint64_t way = 0;
    std::uint32_t step = 0;
    bool operator<(const Ready& other) const {
      return way != other.way ? way > other.way : step < other.step;
    }
  };

  bool can_follow(const BlockOrder& order, std::uint32_t step) const {
    if (earliest_[step] > order.cycles) return false;
    const std::uint32_t before = order.slots.empty() ? kEmptySlot : order.slots.back();
    return before == kEmptySlot || !disturbs(arch_, steps_[before].word, steps_[step].word);
  }

  Arch arch_;
  std::span<const BlockStep> steps_;
  const Dependences& dependences_;
  std::vector<std::uint64_t> ways_; ///< cycles from here to the end of what depends on it
  std::vector<std::uint64_t> earliest_;
  std::vector<unsigned> waits_for_;
  std::set<Ready> ready_;
};

} // namespace

BlockOrder order_block(Arch arch, std::span<const BlockStep> steps) {
  const Dependences dependences(arch, steps);
  return ListOrder(arch, steps, dependences).run();
}

std::uint64_t issue_cycles(Arch arch, std::span<const BlockStep> steps) {
  std::uint64_t cycles = 0;
  for (const BlockStep& step : steps) cycles += timing_of(arch, step).cycles;
  return cycles;
}

std::vector<BlockStep> without_useless_steps(std::span<const BlockStep> steps, StateSet kept) {
  StateSet live = ~state_part::kValueLRegs | kept;
  std::set<CellPlace> lost; // what lies there is overwritten before anybody loads it
  std::vector<BlockStep> useful;
  for (std::size_t i = steps.size(); i-- > 0;) {
    const BlockStep& step = steps[i];
    const bool is_seen =
        std::ranges::any_of(step.cells, [&](CellPlace place) { return !lost.contains(place); });
    const bool is_useful = step.is_store ? is_seen : (step.writes & live) != 0;
    if (!step.changes_something || !is_useful) continue;
    live = (live & ~step.kills) | step.reads;
    for (const CellPlace place : step.cells) {
      if (!step.is_store) lost.erase(place);
      if (step.overwrites_cells) lost.insert(place);
    }
    useful.push_back(step);
  }
  std::ranges::reverse(useful);
  return useful;
}

} // namespace lanewise::tune
