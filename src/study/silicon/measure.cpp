#include "study/silicon/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "run/section/run_sections.h"

namespace lanewise::silicon {

namespace {

Unexpected unsupported(std::string message) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(message)});
}

Unexpected as_unsupported(Fault fault) {
  fault.kind = FaultKind::Unsupported;
  return Unexpected(std::move(fault));
}

/// A zone of the measured thread that has begun and ended.
Expected<double> zone_cycles(const section::SectionsOutcome& outcome,
                             const std::vector<section::Marker>& markers, unsigned thread,
                             std::string_view name) {
  using Kind = section::ZoneEvent::Kind;
  std::array<const section::ZoneEvent*, 2> sides{};
  for (const section::ZoneEvent& event : outcome.zones) {
    const auto marker = std::ranges::find(markers, event.marker, &section::Marker::number);
    if (event.thread != thread || marker == markers.end() || marker->name != name) continue;
    if (event.kind == Kind::Start) sides[0] = &event;
    if (event.kind == Kind::End) sides[1] = &event;
  }
  if (sides[0] == nullptr || sides[1] == nullptr)
    return unsupported(fmt::format("the measured thread has no whole zone {}", name));
  if (!sides[0]->cycle || !sides[1]->cycle) return unsupported(std::string(kNoCycles));
  return static_cast<double>(*sides[1]->cycle - *sides[0]->cycle);
}

class HostMeter : public ZoneMeter {
 public:
  HostMeter(const BenchTree& tree, bool runs) : tree_(tree), runs_(runs) {}

  Expected<Zones> measure(const ClockCase& each) override {
    const auto test = bench_test(each, tree_);
    if (!test) return Unexpected(test.error());
    if (!runs_) return unsupported(std::string(kNoCycles));
    const auto objects = section::compile_sections(test->source);
    if (!objects) return as_unsupported(objects.error());
    section::SectionsRun how;
    how.inputs = test->inputs;
    const auto outcome = section::run_sections(test->source, *objects, how);
    if (!outcome) return as_unsupported(outcome.error());
    if (outcome->failure) return as_unsupported(*outcome->failure);
    if (!outcome->blocked.empty())
      return unsupported(fmt::format("a deadlock: {}", outcome->blocked.front()));
    if (!outcome->is_done()) return unsupported("the benchmark does not come to its end");
    const auto fault = std::ranges::find_if(
        outcome->faults, [](const Fault& one) { return !leaves_results_valid(one.kind); });
    if (fault != outcome->faults.end()) return as_unsupported(*fault);
    return zones(*outcome, (*objects)[static_cast<unsigned>(each.engine)],
                 static_cast<unsigned>(each.engine));
  }

 private:
  static Expected<Zones> zones(const section::SectionsOutcome& outcome,
                               const std::filesystem::path& object, unsigned thread) {
    const auto markers = section::read_markers(object);
    if (!markers) return as_unsupported(markers.error());
    const auto init = zone_cycles(outcome, *markers, thread, "INIT");
    if (!init) return Unexpected(init.error());
    const auto tile_loop = zone_cycles(outcome, *markers, thread, "TILE_LOOP");
    if (!tile_loop) return Unexpected(tile_loop.error());
    return Zones{.init = *init, .tile_loop = *tile_loop};
  }

  BenchTree tree_;
  bool runs_;
};

} // namespace

std::unique_ptr<ZoneMeter> host_meter(const BenchTree& tree, bool runs) {
  return std::make_unique<HostMeter>(tree, runs);
}

} // namespace lanewise::silicon
