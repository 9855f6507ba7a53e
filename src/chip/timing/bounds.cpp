#include "chip/timing/bounds.h"

#include <algorithm>

#include "chip/isa/interlock.h"

namespace lanewise::timing {

namespace {

/// Bits of LRegMask.
constexpr unsigned kLRegBits = 17;

/// The chain of results, measured at issue: how early the last instruction of the longest chain
/// could leave the front end if everything else were free.
class ChainOfResults {
 public:
  explicit ChainOfResults(const Schedule& schedule) : schedule_(schedule) {}

  /// Takes the events of one cycle: all of them read before one of them writes (VU 5.1).
  void add_cycle(std::span<const Event* const> events) {
    std::array<std::uint64_t, kLRegBits> written = ready_;
    for (const Event* event : events) {
      const std::uint64_t start = earliest_start(event->reads);
      for (unsigned reg = 0; reg < kLRegBits; ++reg) {
        if ((event->writes >> reg & 1U) != 0) written[reg] = start + event->latency;
      }
      const std::uint64_t waited = event->cycle - schedule_.issues[event->issue].slot;
      longest_ = std::max(longest_, start + 1 - std::min(start, waited));
    }
    ready_ = written;
  }

  std::uint64_t cycles() const { return longest_; }

 private:
  std::uint64_t earliest_start(LRegMask reads) const {
    std::uint64_t start = 0;
    for (unsigned reg = 0; reg < kLRegBits; ++reg) {
      if ((reads >> reg & 1U) != 0) start = std::max(start, ready_[reg]);
    }
    return start;
  }

  const Schedule& schedule_;
  std::array<std::uint64_t, kLRegBits> ready_{}; ///< when the value in each register is there
  std::uint64_t longest_ = 0;
};

std::uint64_t chain_of_results(const Schedule& schedule, const MicroProgram& program,
                               Selection selection) {
  ChainOfResults chain(schedule);
  std::vector<const Event*> same_cycle;
  for (const Event& event : schedule.events) {
    if (!selection.contains(schedule, program, event.issue)) continue;
    if (!same_cycle.empty() && same_cycle.front()->cycle != event.cycle) {
      chain.add_cycle(same_cycle);
      same_cycle.clear();
    }
    same_cycle.push_back(&event);
  }
  chain.add_cycle(same_cycle);
  return chain.cycles();
}

/// Words that the core has pushed for these instructions.
std::uint64_t pushed_words(const Schedule& schedule, const MicroProgram& program,
                           Selection selection) {
  std::uint64_t words = 0, up_to = 0;
  for (std::size_t i = 0; i < selection.issues; ++i) {
    const std::uint64_t now = program.supply[schedule.issues[i].op].word + std::uint64_t{1};
    if (selection.contains(schedule, program, i)) words += now - up_to;
    up_to = now;
  }
  return words;
}

} // namespace

std::string_view resource_name(Resource resource) {
  switch (resource) {
    case Resource::FrontEnd: return "front end";
    case Resource::Load: return "Load";
    case Resource::Simple: return "Simple";
    case Resource::Mad: return "MAD";
    case Resource::Round: return "Round";
    case Resource::Store: return "Store";
    case Resource::Results: return "chain of results";
    case Resource::Push: return "pushed words";
  }
  return {};
}

std::array<std::uint64_t, 6> busy_cycles(const Schedule& schedule, const MicroProgram& program,
                                         Selection selection) {
  std::array<std::uint64_t, 6> busy{};
  std::array<std::uint64_t, 6> free_again{};
  for (const Event& event : schedule.events) {
    if (event.op.op == isa::Op::SFPNOP || !selection.contains(schedule, program, event.issue))
      continue;
    const auto unit = static_cast<std::size_t>(event.sub_unit);
    const std::uint64_t end = event.cycle + (isa::holds_unit(schedule.arch, event.op.word) ? 2 : 1);
    const std::uint64_t begin = std::max(event.cycle, free_again[unit]);
    if (end <= begin) continue;
    busy[unit] += end - begin;
    free_again[unit] = end;
  }
  busy[static_cast<std::size_t>(isa::SubUnit::None)] = 0;
  return busy;
}

Bounds lower_bounds(const Schedule& schedule, const MicroProgram& program, Selection selection) {
  Bounds bounds{};
  const auto bound = [&](Resource resource) -> double& {
    return bounds[static_cast<std::size_t>(resource)];
  };
  std::size_t selected = 0;
  for (std::size_t i = 0; i < selection.issues; ++i)
    selected += selection.contains(schedule, program, i) ? 1 : 0;
  if (selected == 0) return bounds;
  const auto busy = busy_cycles(schedule, program, selection);
  const auto of = [&](isa::SubUnit unit) {
    return static_cast<double>(busy[static_cast<std::size_t>(unit)]);
  };
  bound(Resource::FrontEnd) = static_cast<double>(selected);
  bound(Resource::Load) = of(isa::SubUnit::Load);
  bound(Resource::Simple) = of(isa::SubUnit::Simple);
  bound(Resource::Mad) = of(isa::SubUnit::Mad);
  bound(Resource::Round) = of(isa::SubUnit::Round);
  bound(Resource::Store) = of(isa::SubUnit::Store);
  bound(Resource::Results) = static_cast<double>(chain_of_results(schedule, program, selection));
  bound(Resource::Push) = static_cast<double>(pushed_words(schedule, program, selection));
  return bounds;
}

Resource bottleneck(const Bounds& bounds) {
  return static_cast<Resource>(std::max_element(bounds.begin(), bounds.end()) - bounds.begin());
}

} // namespace lanewise::timing
