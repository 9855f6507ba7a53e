#include "run/section/core_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "base/processor_time.h"
#include "chip/tile/run.h"
#include "chip/tile/thread_hazards.h"

namespace lanewise::section {
namespace {

/// Says whose stretches an error is about.
Unexpected of_core(Fault fault, unsigned thread) {
  fault.message = fmt::format("section {}: {}", kSectionNames[thread], fault.message);
  return Unexpected(std::move(fault));
}

/// The programs' place in L1.
std::span<std::uint8_t> place_of_programs(tile::L1& l1) {
  return l1.bytes().subspan(kCoreCode, kCoreCodeEnd - kCoreCode);
}

void take_zones(const CoresRun& run, CoresOnTile& setup, SectionsOutcome& outcome) {
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    const auto buffer = zone_buffer_of(run.images[thread]);
    if (!buffer) continue;
    std::ranges::move(
        take_times(thread, *buffer, setup.tile.state().l1.bytes(), setup.tile.clock().readings()),
        std::back_inserter(outcome.zones));
  }
}

/// Runs the tile, in time if that is asked for.
Expected<tile::RunResult> run_tile(const CoresRun& run, CoresOnTile& setup,
                                   std::optional<clock::TimedResult>& time) {
  if (!run.time)
    return tile::run(setup.tile, setup.feeders(), run.how.schedule, {.stop = run.stop});
  const riscv::L1Ports ports;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    setup.cores[thread]->set_clock(clock_of(thread, run.time->gathers, ports));
  const clock::TimedOptions options{.keeps_timeline = run.time->keeps_timeline,
                                    .watched = run.time->watched,
                                    .limits = {.stop = run.stop}};
  if (run.time->hears) {
    setup.tile.watch_core = [&](unsigned core, const tile::CoreAction& action) {
      run.time->hears(core, action, setup.tile.time->cycle());
    };
  }
  auto timed = clock::run_in_time(setup.tile, setup.clocked(), options);
  if (!timed) return Unexpected(timed.error());
  time = std::move(*timed);
  return time->run;
}

bool has_some(std::span<const Stretches> stretches) {
  return std::ranges::any_of(stretches, [](const Stretches& each) { return !each.order.empty(); });
}

const Stretches& stretches_of(const CoresRun& run, unsigned thread) {
  static const Stretches kNone;
  return run.stretches.empty() ? kNone : run.stretches[thread];
}

/// Whether every core that has ended came through all stretches.
Expected<void> check_stretches(const CoresOnTile& setup) {
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (!setup.cores[thread]->has_ended()) continue;
    if (auto done = setup.marks[thread]->ended(); !done) return of_core(done.error(), thread);
  }
  return {};
}

/// Where a section notes its times up to, if it does so at an address; else the address.
std::size_t behind_zones(const CoreImages& images, std::size_t address) {
  for (const elf::Image& image : images) {
    const auto buffer = zone_buffer_of(image);
    if (!buffer || address < buffer->address) continue;
    const std::size_t end = buffer->address + sizeof(std::uint32_t) * buffer->words;
    if (address < end) return end;
  }
  return address;
}

/// The first address at which two L1s differ, but for times, which only cores in time know; nothing
/// if there is none.
std::optional<std::size_t> first_difference(std::span<const std::byte> one,
                                            std::span<const std::byte> other,
                                            const CoreImages& images) {
  constexpr std::size_t kBlock = 4096; // of which most are the same, also where there are times
  const std::size_t size = std::min(one.size(), other.size());
  for (std::size_t at = 0; at < size;) {
    const std::size_t block = std::min(kBlock, size - at);
    if (std::memcmp(one.data() + at, other.data() + at, block) == 0) {
      at += block;
      continue;
    }
    const auto [first, ignored] =
        std::ranges::mismatch(one.subspan(at, block), other.subspan(at, block));
    const auto found = static_cast<std::size_t>(std::to_address(first) - one.data());
    at = behind_zones(images, found);
    if (at == found) return found;
  }
  return std::nullopt;
}

/// In time, programs without SFPI code that came to their end, or until the user had enough;
/// nothing where the host is needed.
std::optional<Expected<CoresOutcome>> run_without_host(const BothRun& run,
                                                       const CoreImages& images) {
  if (std::ranges::any_of(images, has_marks)) return std::nullopt;
  const auto end = own_processor_time() + run.source.limits.time;
  const auto is_stopped = [&run] { return run.stop && run.stop(); };
  auto cores = run_cores({.source = run.source,
                          .images = images,
                          .how = run.how,
                          .stop = [&] { return is_stopped() || own_processor_time() >= end; },
                          .time = run.time});
  if (!cores) return std::nullopt;
  cores->sections.was_stopped = !cores->sections.is_done() && is_stopped();
  if (!cores->sections.was_stopped && !cores->sections.is_done()) return std::nullopt;
  return cores;
}

} // namespace

std::array<tile::Feeder*, kThreads> CoresOnTile::feeders() const {
  return {cores[0].get(), cores[1].get(), cores[2].get()};
}

std::array<tile::ClockedFeeder*, kThreads> CoresOnTile::clocked() const {
  return {cores[0].get(), cores[1].get(), cores[2].get()};
}

Expected<std::unique_ptr<CoresOnTile>> set_up_cores(const CoresRun& run,
                                                    const StretchPlaces& places) {
  auto setup = std::make_unique<CoresOnTile>(run.source.arch);
  if (auto done = start_tile(setup->tile, run.how); !done) return Unexpected(done.error());
  const auto programs = place_of_programs(setup->tile.state().l1);
  setup->before_programs.assign(programs.begin(), programs.end());
  std::array<const elf::Image*, kThreads> images{};
  std::ranges::transform(run.images, images.begin(), [](const auto& image) { return &image; });
  if (auto done = load_images(setup->tile.state(), images); !done) return Unexpected(done.error());
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    setup->marks[thread] =
        std::make_unique<VectorMarks>(run.source.arch, stretches_of(run, thread), places[thread]);
    setup->cores[thread] =
        std::make_unique<CoreFeeder>(run.images[thread], run.source.arch, thread);
    if (has_marks(run.images[thread])) setup->cores[thread]->replace_marks(*setup->marks[thread]);
  }
  return setup;
}

Expected<StretchPlaces> count_places(const CoresRun& run) {
  StretchPlaces places;
  if (!has_some(run.stretches)) return places;
  auto setup = set_up_cores(run, {});
  if (!setup) return Unexpected(setup.error());
  const auto result =
      tile::run((*setup)->tile, (*setup)->feeders(), run.how.schedule, {.stop = run.stop});
  if (!result) return Unexpected(result.error());
  if (auto done = check_stretches(**setup); !done) return Unexpected(done.error());
  for (unsigned thread = 0; thread < kThreads; ++thread)
    places[thread] = (*setup)->marks[thread]->counted();
  return places;
}

Expected<CoresOutcome> run_cores(const CoresRun& run) {
  const auto places = count_places(run);
  if (!places) return Unexpected(places.error());
  auto made = set_up_cores(run, *places);
  if (!made) return Unexpected(made.error());
  CoresOnTile& setup = **made;
  tile::ThreadHazards hazards(run.source.arch);
  if (run.how.finds_hazards)
    setup.tile.watch = [&](const tile::Executed& each) { hazards.observe(each); };
  CoresOutcome all;
  const auto result = run_tile(run, setup, all.time);
  SectionsOutcome& outcome = all.sections;
  outcome.faults = setup.tile.faults();
  std::ranges::move(hazards.faults(), std::back_inserter(outcome.faults));
  for (unsigned thread = 0; thread < kThreads; ++thread)
    outcome.executed[thread] = setup.tile.state().thread[thread].executed;
  if (run.how.keeps_state) outcome.state = end_state(setup.tile.state());
  take_zones(run, setup, outcome);
  std::ranges::copy(setup.before_programs, place_of_programs(setup.tile.state().l1).begin());
  outcome.l1 = std::move(setup.l1);
  if (!result) {
    outcome.failure = result.error();
    return all;
  }
  if (auto done = check_stretches(setup); !done) return Unexpected(done.error());
  for (const tile::Blocked& blocked : result->blocked) outcome.blocked.push_back(text_of(blocked));
  outcome.ran_out = result->ran_out;
  return all;
}

Expected<HostAndCores> run_host_and_cores(const BothRun& run) {
  HostAndCores both;
  const auto read = [&]() -> Expected<void> {
    auto images = read_core_images(run.objects.programs);
    if (!images) return Unexpected(images.error());
    both.images = std::move(*images);
    return {};
  };
  if (run.time) {
    if (auto done = read(); !done) return Unexpected(done.error());
    both.cores = run_without_host(run, both.images);
    if (both.cores) return both;
  }
  CoresRun of_cores{.source = run.source,
                    .images = both.images,
                    .how = run.how,
                    .stop = run.stop,
                    .time = run.time};
  Expected<void> is_read;
  const auto beside = [&](const std::function<bool()>& are_well) {
    if (!run.time) is_read = read();
    if (!is_read || std::ranges::any_of(both.images, has_marks)) return;
    CoresRun until_host_fails = of_cores;
    until_host_fails.stop = [&] { return (run.stop && run.stop()) || !are_well(); };
    both.cores = run_cores(until_host_fails);
  };
  auto host = run_sections(run.source, run.objects.sections, run.how, beside);
  if (!is_read) return Unexpected(is_read.error());
  if (!host) return Unexpected(host.error());
  if (!host->is_done()) {
    both.cores.reset();
  } else if (!both.cores || has_some(host->stretches)) {
    of_cores.stretches = host->stretches;
    both.cores = run_cores(of_cores);
  }
  both.host = std::move(*host);
  return both;
}

Expected<void> agree(const SectionsOutcome& host, const SectionsOutcome& cores,
                     const CoreImages& images) {
  const auto differs = [](std::string message) {
    return Unexpected(
        Fault{.kind = FaultKind::Unsupported,
              .message = std::move(message),
              .remedy = "the test depends on what differs between a host and a core, or on the "
                        "order of the threads: try --order random on the host"});
  };
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (host.executed[thread] == cores.executed[thread]) continue;
    return differs(
        fmt::format("the thread of {} executes {} instructions by the cores' code, and "
                    "{} by its section on the host",
                    kSectionNames[thread], cores.executed[thread], host.executed[thread]));
  }
  const auto first = first_difference(host.l1, cores.l1, images);
  if (!first) return {};
  return differs(fmt::format(
      "the cores' code leaves 0x{:02X} at 0x{:X} of L1, and the sections on the host 0x{:02X}",
      std::to_integer<unsigned>(cores.l1[*first]), *first,
      std::to_integer<unsigned>(host.l1[*first])));
}

} // namespace lanewise::section
