#include "run/grid/timed_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/processor_time.h"
#include "base/workers.h"
#include "base/zero_bytes.h"
#include "chip/isa/noc_record.h"
#include "chip/noc/network.h"
#include "chip/tile/l1.h"
#include "run/launch/images.h"

namespace lanewise::grid {

namespace {

using programs::Core;
using programs::CoreProgram;

/// What a program has been compiled to, and what its kernels were on the host; by core.
struct TimedSources {
  const Prepared& prepared;
  const std::vector<CoreImages>& groups;
  const launch::LaunchOutcome& host;

  std::size_t cores() const { return prepared.cores.size(); }
};

/// A fault of one core of many.
Unexpected of_core(const Prepared& prepared, std::size_t index, Fault fault) {
  if (prepared.cores.size() > 1)
    fault.message =
        fmt::format("core {}: {}", core_text(prepared.cores[index].program.core), fault.message);
  return Unexpected(std::move(fault));
}

/// A device in time: its memories, and the cores that run kernels.
class TimedGrid {
 public:
  TimedGrid(const TimedSources& sources, const TimedSettings& how,
            const std::vector<Places>& places)
      : sources_(sources),
        program_(*sources.prepared.program),
        dram_(sources.prepared.layout().dram_bytes * noc_record(program_.arch)->banks.size()) {
    make_memories(how.before);
    noc::WholeMemory memory{.l1 = {}, .banks = launch::dram_banks(program_, dram_.all())};
    for (auto& [core, bytes] : l1_)
      memory.l1.emplace(noc::core_number(core.x, core.y), bytes.all());
    std::vector<noc::CoreOnNoc> on_noc;
    for (std::size_t i = 0; i < sources.cores(); ++i) {
      const CoreProgram& core = sources.prepared.cores[i];
      cores_.push_back(std::make_unique<TimedCore>(
          TimedCoreParts{.core = core,
                         .images = sources.groups[core.group],
                         .stretches = sources.host.stretches[i],
                         .places = places.empty() ? Places{} : places[i],
                         .l1 = l1_.at(core.program.core).all(),
                         .banks = memory.banks,
                         .grid = grid()}));
      on_noc.push_back(cores_.back()->on_noc());
    }
    carrier_.emplace(program_.arch, std::move(on_noc), std::move(memory), how.keeps_timeline);
  }

  /// Cores go on side by side until something of the others can have reached them, and then the
  /// NoC does.
  Expected<void> run(const TimedSettings& how) {
    for (std::size_t i = 0; i < cores_.size(); ++i)
      if (auto begun = cores_[i]->begin(how.gathers, how.keeps_timeline, how.stop); !begun)
        return of_core(sources_.prepared, i, begun.error());
    Workers workers(std::min(how.jobs != 0 ? how.jobs : std::thread::hardware_concurrency(),
                             static_cast<unsigned>(cores_.size())));
    std::vector<Expected<void>> done(cores_.size());
    for (;;) {
      std::uint64_t next = carrier_->next();
      for (const auto& core : cores_) next = std::min(next, core->next());
      if (next == noc::Network::kNever) return {};
      const std::uint64_t end = next + noc::Network::kLookahead;
      carrier_->carry(end);
      std::vector<std::size_t> who;
      for (std::size_t i = 0; i < cores_.size(); ++i)
        if (cores_[i]->next() < end) who.push_back(i);
      workers.run(who.size(),
                  [&](std::size_t i) { done[who[i]] = cores_[who[i]]->run_until(end); });
      for (const std::size_t i : who) {
        if (!done[i]) return of_core(sources_.prepared, i, done[i].error());
        if (cores_[i]->has_run_out()) return {};
      }
      carrier_->collect();
    }
  }

  Expected<TimedLaunch> finish() {
    TimedLaunch launch{
        .cores = {}, .bank_busy = carrier_->bank_busy(), .link_bytes = carrier_->link_bytes()};
    for (std::size_t i = 0; i < cores_.size(); ++i) {
      auto time = cores_[i]->finish();
      if (!time) return of_core(sources_.prepared, i, time.error());
      launch.cores.push_back({.core = sources_.prepared.cores[i].program.core,
                              .time = std::move(*time),
                              .traffic = carrier_->traffic(i),
                              .spans = carrier_->spans(i),
                              .levels = cores_[i]->levels(),
                              .signals = carrier_->signals(i)});
    }
    return launch;
  }

  std::vector<Places> counted() const {
    std::vector<Places> places;
    for (const auto& core : cores_) places.push_back(core->counted());
    return places;
  }

  /// Whether buffers hold what they hold after the run on the host.
  Expected<void> agrees_with_host() {
    const auto contents =
        launch::buffer_contents(program_, sources_.prepared.layout(), l1_of_cores(), dram_.all());
    for (std::size_t i = 0; i < contents.size(); ++i) {
      const auto& expected = sources_.host.buffers[i];
      if (contents[i] == expected) continue;
      const auto [mine, other] = std::ranges::mismatch(contents[i], expected);
      return differs_from_host(fmt::format("buffer {} differs from byte {} on",
                                           program_.buffers[i].name, mine - contents[i].begin()));
    }
    return {};
  }

 private:
  void make_memories(const launch::MemoryImage* before) {
    const std::size_t bytes = arch_params(program_.arch).tile.l1_bytes;
    for_memories(sources_.prepared, [&](const Core& core) { l1_.emplace(core, bytes); });
    if (before != nullptr) {
      for (auto& [core, l1] : l1_) {
        const auto found = before->l1.find(core);
        if (found != before->l1.end()) std::ranges::copy(found->second, l1.all().begin());
      }
      std::ranges::copy(before->dram, dram_.all().begin());
    }
    launch::fill_buffers(program_, sources_.prepared.layout(), l1_of_cores(), dram_.all());
  }

  launch::L1OfCore l1_of_cores() {
    return [this](const Core& core) { return l1_.at(core).all(); };
  }

  std::optional<NocPlace> grid() const {
    if (!sources_.prepared.is_on_many()) return std::nullopt;
    const Core grid = programs::grid_of(program_);
    return NocPlace{static_cast<std::uint8_t>(grid.x), static_cast<std::uint8_t>(grid.y)};
  }

  const TimedSources& sources_;
  const programs::Program& program_;
  std::map<Core, ZeroBytes> l1_;
  ZeroBytes dram_;
  std::vector<std::unique_ptr<TimedCore>> cores_;
  std::optional<noc::Carrier> carrier_;
};

} // namespace

std::function<bool()> stop_in_time(const ProcessLimits& limits, std::size_t cores,
                                   std::function<bool()> also) {
  const auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(limits.time) * cores;
  return [end = own_processor_time() + most, also = std::move(also)] {
    return also() || own_processor_time() >= end;
  };
}

std::uint64_t TimedLaunch::cycles() const {
  std::uint64_t last = 0;
  for (const CoreInTime& core : cores) last = std::max(last, core.time.cycles);
  return last;
}

bool has_vector_code(const launch::LaunchOutcome& host) {
  return std::ranges::any_of(host.stretches, [](const CoreStretches& core) {
    return std::ranges::any_of(core, [](const auto& each) { return !each.order.empty(); });
  });
}

Expected<TimedLaunch> launch_in_time(const Prepared& prepared,
                                     const std::vector<programs::ProgramObjects>& objects,
                                     const launch::LaunchOutcome& host, const TimedSettings& how) {
  std::vector<CoreImages> groups;
  for (const programs::ProgramObjects& each : objects) {
    auto images = CoreImages::read(each);
    if (!images) return Unexpected(images.error());
    groups.push_back(std::move(*images));
  }
  const TimedSources sources{prepared, groups, host};
  std::vector<Places> places;
  if (has_vector_code(host)) {
    // Once without the places of its words, which are known once all is over.
    TimedSettings once = how;
    once.keeps_timeline = false;
    TimedGrid count(sources, once, {});
    if (auto done = count.run(once); !done) return Unexpected(done.error());
    if (auto ended = count.finish(); !ended) return Unexpected(ended.error());
    places = count.counted();
  }
  TimedGrid run(sources, how, places);
  if (auto done = run.run(how); !done) return Unexpected(done.error());
  auto launch = run.finish();
  if (!launch) return launch;
  if (auto same = run.agrees_with_host(); !same) return Unexpected(same.error());
  return launch;
}

} // namespace lanewise::grid
