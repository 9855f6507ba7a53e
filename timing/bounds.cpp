#include "timing/bounds.h"

#include <algorithm>

#include "isa/interlock.h"

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

std::uint64_t chain_of_results(const Schedule& schedule, std::size_t issues) {
  ChainOfResults chain(schedule);
  std::vector<const Event*> same_cycle;
  for (const Event& event : schedule.events) {
    if (event.issue >= issues) continue;
    if (!same_cycle.empty() && same_cycle.front()->cycle != event.cycle) {
      chain.add_cycle(same_cycle);
      same_cycle.clear();
    }
    same_cycle.push_back(&event);
  }
  chain.add_cycle(same_cycle);
  return chain.cycles();
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

std::array<std::uint64_t, 6> busy_cycles(const Schedule& schedule, std::size_t issues) {
  std::array<std::uint64_t, 6> busy{};
  std::array<std::uint64_t, 6> free_again{};
  for (const Event& event : schedule.events) {
    if (event.issue >= issues || event.op.op == isa::Op::SFPNOP) continue;
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

Bounds lower_bounds(const Schedule& schedule, const MicroProgram& program, std::size_t issues) {
  Bounds bounds{};
  if (issues == 0) return bounds;
  const auto bound = [&](Resource resource) -> double& {
    return bounds[static_cast<std::size_t>(resource)];
  };
  const auto busy = busy_cycles(schedule, issues);
  const auto of = [&](isa::SubUnit unit) {
    return static_cast<double>(busy[static_cast<std::size_t>(unit)]);
  };
  bound(Resource::FrontEnd) = static_cast<double>(issues);
  bound(Resource::Load) = of(isa::SubUnit::Load);
  bound(Resource::Simple) = of(isa::SubUnit::Simple);
  bound(Resource::Mad) = of(isa::SubUnit::Mad);
  bound(Resource::Round) = of(isa::SubUnit::Round);
  bound(Resource::Store) = of(isa::SubUnit::Store);
  bound(Resource::Results) = static_cast<double>(chain_of_results(schedule, issues));
  bound(Resource::Push) = static_cast<double>(program.supply[issues - 1].word + std::uint64_t{1});
  return bounds;
}

Resource bottleneck(const Bounds& bounds) {
  return static_cast<Resource>(std::max_element(bounds.begin(), bounds.end()) - bounds.begin());
}

} // namespace lanewise::timing
