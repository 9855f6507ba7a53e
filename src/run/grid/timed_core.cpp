#include "run/grid/timed_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/text_file.h"
#include "chip/isa/encoding.h"
#include "chip/isa/noc_record.h"
#include "chip/isa/table.h"
#include "chip/noc/places.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/tile_time.h"
#include "run/launch/images.h"
#include "run/section/device_setup.h"

namespace lanewise::grid {

namespace {

using programs::kCores;

constexpr std::string_view kLaunchData = "lanewise_launch_data";

Unexpected of_core(unsigned core, Fault fault) {
  fault.message = fmt::format("{}: {}", programs::core_name(core), fault.message);
  return Unexpected(std::move(fault));
}

} // namespace

Unexpected differs_from_host(const std::string& how) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported,
                          .message = "the program in time is not the one on the host: " + how,
                          .remedy = "it depends on the order of its cores, or on what differs "
                                    "between a host and a core: try --order random"});
}

Expected<CoreImages> CoreImages::read(const programs::ProgramObjects& objects) {
  CoreImages all;
  all.sources_ = objects.source;
  for (unsigned core = 0; core < kCores; ++core) {
    if (objects.object[core].empty()) continue;
    const auto bytes = read_text_file(objects.object[core].string());
    if (!bytes) return Unexpected(bytes.error());
    auto image = elf::read_image(*bytes, objects.object[core].string());
    if (!image) return of_core(core, image.error());
    all.images_[core] = std::make_unique<elf::Image>(std::move(*image));
  }
  return all;
}

TimedCore::TimedCore(TimedCoreParts parts)
    : parts_(std::move(parts)),
      arch_(parts_.core.program.arch),
      tile_(arch_, parts_.l1),
      noc_(
          arch_,
          {.own = *noc::worker_place(arch_, parts_.core.program.core.x, parts_.core.program.core.y),
           .grid = parts_.grid},
          {.l1 = parts_.l1, .dram = parts_.banks}) {
  launch::fill_core(parts_.core.program, parts_.core.layout, parts_.l1);
  tile_.noc = &noc_;
  for (unsigned core = 0; core < kCores; ++core) {
    const elf::Image* const image = parts_.images.of(core);
    if (image == nullptr) continue;
    load(core, *image);
    cores_[core] = std::make_unique<section::CoreFeeder>(*image, arch_, core);
    cores_[core]->tell_lines_of(parts_.images.source(core));
    if (core >= kThreads) continue;
    marks_[core] =
        std::make_unique<section::VectorMarks>(arch_, parts_.stretches[core], parts_.places[core]);
    cores_[core]->replace_marks(*marks_[core]);
  }
}

/// What lies in L1: the cores' own RAM is filled by their feeders, and code is fetched from beyond
/// it.
void TimedCore::load(unsigned core, const elf::Image& image) {
  const std::span<std::uint8_t> l1 = parts_.l1;
  for (const elf::Segment& segment : image.segments) {
    if (segment.address >= l1.size() || segment.bytes.size() > l1.size() - segment.address)
      continue;
    std::ranges::copy(segment.bytes, l1.begin() + segment.address);
  }
  const auto symbol = std::ranges::find(image.objects, kLaunchData, &elf::Symbol::name);
  if (symbol == image.objects.end()) return;
  const lanewise_launch data =
      launch::launch_data(parts_.core.program, parts_.core.layout, programs::processor_of(core));
  if (symbol->address <= l1.size() - sizeof data)
    std::memcpy(l1.data() + symbol->address, &data, sizeof data);
}

Expected<void> TimedCore::begin(bool gathers, bool keeps_timeline, std::function<bool()> stop) {
  if (auto done = section::set_device_up(tile_); !done) return done;
  std::array<tile::ClockedFeeder*, kFeeders> feeders{};
  const riscv::L1Ports ports;
  for (unsigned core = 0; core < kCores; ++core) {
    feeders[core] = cores_[core].get();
    if (cores_[core]) cores_[core]->set_clock(section::clock_of(core, gathers, ports));
  }
  feeders[kCores] = &timed_noc_;
  watch_levels();
  tile_in_time_ = std::make_unique<clock::TimedTile>(
      tile_, feeders,
      clock::TimedOptions{.keeps_timeline = keeps_timeline,
                          .keeps_core_spans = parts_.grid.has_value(),
                          .limits = {.most_steps = ~std::uint64_t{0}, .stop = std::move(stop)}});
  return {};
}

std::uint64_t TimedCore::next() const {
  return std::min(tile_in_time_->next(), timed_noc_.next());
}

Expected<void> TimedCore::run_until(std::uint64_t cycle) {
  if (timed_noc_.next() < cycle) tile_in_time_->wake(kCores);
  return tile_in_time_->run_until(cycle);
}

Expected<clock::TimedResult> TimedCore::finish() {
  clock::TimedResult result = tile_in_time_->finish();
  if (result.run.ran_out)
    return bad_input("the kernels did not come to an end in time", "allow more with --kernel-time");
  if (!result.run.blocked.empty()) {
    const tile::Blocked& blocked = result.run.blocked.front();
    return differs_from_host(
        fmt::format("{} {}", programs::core_name(blocked.thread), blocked.reason));
  }
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    if (!marks_[thread]) continue;
    if (auto done = marks_[thread]->ended(); !done) return of_core(thread, done.error());
  }
  return result;
}

Places TimedCore::counted() const {
  Places places;
  for (unsigned thread = 0; thread < kThreads; ++thread)
    if (marks_[thread]) places[thread] = marks_[thread]->counted();
  return places;
}

/// Cores and threads store into the counters of circular buffers.
void TimedCore::watch_levels() {
  tile_.watch_core = [this](unsigned /*core*/, const tile::CoreAction& action) {
    if (action.kind != tile::CoreAction::Kind::Store) return;
    if (riscv::find_region(arch_, action.address).region == riscv::Region::NocOverlay)
      note_levels();
  };
  tile_.watch = [this, store = isa::find_row(arch_, isa::Op::STOREREG)->opcode](
                    const tile::Executed& executed) {
    if (isa::opcode_of(executed.word.word) == store) note_levels();
  };
}

void TimedCore::note_levels() {
  const NocRecord& record = *noc_record(arch_);
  const tile::Overlay& overlay = tile_.state().overlay;
  for (const programs::CbPlace& cb : parts_.core.layout.circular_buffers) {
    const auto count = [&](unsigned number) {
      return overlay.load(tile::Overlay::offset_of(cb.index, number));
    };
    const std::uint32_t pages = (count(record.received) - count(record.acked)) & 0xFFFF;
    if (std::exchange(held_[cb.index], pages) == pages) continue;
    levels_.push_back(
        {.cycle = tile_.time->cycle(), .index = cb.index, .pages = pages, .capacity = cb.pages});
  }
}

} // namespace lanewise::grid
