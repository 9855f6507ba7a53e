#include "study/silicon/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "run/section/core_run.h"
#include "run/section/run_sections.h"
#include "study/silicon/table_kernels.h"

namespace lanewise::silicon {

namespace {

constexpr std::uint32_t kReturnBytes = 4; ///< of the instruction at a function's end

Unexpected unsupported(std::string message) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(message)});
}

Unexpected as_unsupported(Fault fault) {
  fault.kind = FaultKind::Unsupported;
  return Unexpected(std::move(fault));
}

/// The last whole zone of that name.
Expected<double> zone_cycles(const std::vector<section::Zone>& zones, std::string_view name) {
  const auto found = std::find_if(zones.rbegin(), zones.rend(), [&](const section::Zone& zone) {
    return zone.kind == section::Zone::Kind::Whole && zone.name == name;
  });
  if (found == zones.rend())
    return unsupported(fmt::format("the measured thread has no whole zone {}", name));
  return static_cast<double>(found->end - found->begin);
}

/// A test, ready to run; the sections on the host.
struct HostRun {
  section::SectionObjects objects;
  section::SectionsRun how;
  section::SectionsOutcome outcome;
};

Expected<void> check_end(const section::SectionsOutcome& outcome) {
  if (outcome.failure) return as_unsupported(*outcome.failure);
  if (!outcome.blocked.empty())
    return unsupported(fmt::format("a deadlock: {}", outcome.blocked.front()));
  if (!outcome.is_done()) return unsupported("the benchmark does not come to its end");
  const auto fault = std::ranges::find_if(
      outcome.faults, [](const Fault& one) { return !leaves_results_valid(one.kind); });
  if (fault != outcome.faults.end()) return as_unsupported(*fault);
  return {};
}

Expected<HostRun> run_on_host(const BenchTest& test) {
  HostRun run;
  auto objects = section::compile_sections(test.source);
  if (!objects) return as_unsupported(objects.error());
  run.objects = std::move(*objects);
  run.how.inputs = test.inputs;
  run.how.keeps_stretches = true;
  auto outcome = section::run_sections(test.source, run.objects, run.how);
  if (!outcome) return as_unsupported(outcome.error());
  run.outcome = std::move(*outcome);
  if (auto ended = check_end(run.outcome); !ended) return Unexpected(ended.error());
  return run;
}

/// The zones of the measured thread.
Expected<Zones> zones_of(const ClockCase& each, const HostRun& host,
                         const section::SectionsOutcome& outcome) {
  const auto thread = static_cast<unsigned>(each.engine);
  const auto markers = section::read_markers(host.objects[thread]);
  if (!markers) return as_unsupported(markers.error());
  const auto zones = section::zones_of(thread, outcome.zones, *markers);
  const auto init = zone_cycles(zones, "INIT");
  if (!init) return Unexpected(init.error());
  const auto tile_loop = zone_cycles(zones, "TILE_LOOP");
  if (!tile_loop) return Unexpected(tile_loop.error());
  return Zones{.init = *init, .tile_loop = *tile_loop};
}

/// Runs the cores' own programs in time.
class CoresMeter : public ZoneMeter {
 public:
  explicit CoresMeter(const BenchTree& tree) : tree_(tree) {}

  Expected<Zones> measure(const ClockCase& each) override {
    const auto test = bench_test(each, tree_);
    if (!test) return Unexpected(test.error());
    const auto host = run_on_host(*test);
    if (!host) return Unexpected(host.error());
    const auto programs = section::compile_for_cores(test->source);
    if (!programs) return as_unsupported(programs.error());
    const auto images = section::read_core_images(*programs);
    if (!images) return as_unsupported(images.error());
    const auto cores = section::run_cores({.source = test->source,
                                           .images = *images,
                                           .how = host->how,
                                           .stretches = host->outcome.stretches,
                                           .time = section::CoresInTime{.gathers = true}});
    if (!cores) return as_unsupported(cores.error());
    if (auto ended = check_end(cores->sections); !ended) return Unexpected(ended.error());
    auto zones = zones_of(each, *host, cores->sections);
    if (!zones) return zones;
    zones->other_loop = loop_changed_since(each, tree_).value_or("");
    if (each.init_left)
      zones->init_words = words_of_init((*images)[static_cast<unsigned>(each.engine)]);
    return zones;
  }

 private:
  BenchTree tree_;
};

} // namespace

unsigned words_of_init(const elf::Image& image) {
  const auto found = std::ranges::find(image.functions, "bench_init_left", &elf::Symbol::name);
  const bool is_there = found != image.functions.end() && found->size > kReturnBytes;
  return is_there ? (found->size - kReturnBytes) / 4 : 0;
}

std::unique_ptr<ZoneMeter> cores_meter(const BenchTree& tree) {
  return std::make_unique<CoresMeter>(tree);
}

} // namespace lanewise::silicon
