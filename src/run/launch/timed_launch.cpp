#include "run/launch/timed_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <utility>

#include "base/text_file.h"
#include "binary/elf/image.h"
#include "chip/isa/encoding.h"
#include "chip/isa/noc_record.h"
#include "chip/isa/table.h"
#include "chip/noc/places.h"
#include "chip/riscv/address_map.h"
#include "chip/tile/run.h"
#include "chip/tile/tile_time.h"
#include "run/launch/images.h"
#include "run/section/core_program.h"
#include "run/section/device_setup.h"
#include "run/section/vector_marks.h"

namespace lanewise::launch {

namespace {

using programs::kCores;

constexpr std::string_view kLaunchData = "lanewise_launch_data";
constexpr unsigned kFeeders = kCores + 1; ///< the last one is the NoC

using Places = std::array<std::vector<std::uint32_t>, kThreads>;

Unexpected of_core(unsigned core, Fault fault) {
  fault.message = fmt::format("{}: {}", programs::core_name(core), fault.message);
  return Unexpected(std::move(fault));
}

/// The kernels' files, by core.
using Sources = std::array<std::string, kCores>;

/// The programs of the cores, by core.
using Images = std::array<std::unique_ptr<elf::Image>, kCores>;

Expected<Images> read_images(const programs::ProgramObjects& programs) {
  Images images;
  for (unsigned core = 0; core < kCores; ++core) {
    if (programs.object[core].empty()) continue;
    const auto bytes = read_text_file(programs.object[core].string());
    if (!bytes) return Unexpected(bytes.error());
    auto image = elf::read_image(*bytes, programs.object[core].string());
    if (!image) return of_core(core, image.error());
    images[core] = std::make_unique<elf::Image>(std::move(*image));
  }
  return images;
}

/// A core with its memories, ready to run.
class TimedProgram {
 public:
  TimedProgram(const programs::Program& program, const programs::Layout& layout,
               const Images& images, const Sources& sources, const LaunchOutcome& host,
               const MemoryImage* before, const Places& places)
      : program_(program),
        layout_(layout),
        l1_(arch_params(program.arch).tile.l1_bytes),
        dram_(layout.dram_bytes * noc_record(program.arch)->banks.size()),
        tile_(program.arch),
        noc_(program.arch,
             {.own = *noc::worker_place(program.arch, program.core.x, program.core.y), .grid = {}},
             {.l1 = l1_, .dram = dram_banks(program, dram_)}) {
    if (before != nullptr) {
      if (const auto found = before->l1.find(program.core); found != before->l1.end())
        std::ranges::copy(found->second, l1_.begin());
      std::ranges::copy(before->dram, dram_.begin());
    }
    fill_core(program, layout, l1_);
    fill_buffers(program, layout, only_l1(l1_), dram_);
    tile_.state().l1.use(l1_);
    tile_.noc = &noc_;
    for (unsigned core = 0; core < kCores; ++core) {
      if (images[core] == nullptr) continue;
      load(core, *images[core]);
      cores_[core] = std::make_unique<section::CoreFeeder>(*images[core], program.arch, core);
      cores_[core]->tell_lines_of(sources[core]);
      if (core >= kThreads) continue;
      marks_[core] =
          std::make_unique<section::VectorMarks>(program.arch, host.stretches[core], places[core]);
      cores_[core]->replace_marks(*marks_[core]);
    }
  }

  /// In any order; then the places of stretches are known.
  Expected<Places> count(const std::function<bool()>& stop) {
    if (auto done = section::set_device_up(tile_); !done) return Unexpected(done.error());
    std::array<tile::Feeder*, kFeeders> feeders{};
    std::ranges::transform(cores_, feeders.begin(), [](const auto& each) { return each.get(); });
    feeders[kCores] = &noc_;
    const auto result =
        tile::run(tile_, feeders, {}, {.most_steps = ~std::uint64_t{0}, .stop = stop});
    if (!result) return Unexpected(result.error());
    if (auto done = check_end(*result); !done) return Unexpected(done.error());
    Places places;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      if (marks_[thread]) places[thread] = marks_[thread]->counted();
    return places;
  }

  Expected<TimedLaunch> run(const TimedSettings& how) {
    if (auto done = section::set_device_up(tile_); !done) return Unexpected(done.error());
    noc::TimedNoc timed_noc(noc_, program_.arch, how.keeps_timeline);
    std::array<tile::ClockedFeeder*, kFeeders> feeders{};
    for (unsigned core = 0; core < kCores; ++core) {
      feeders[core] = cores_[core].get();
      if (cores_[core]) cores_[core]->set_clock(section::clock_of(core, how.gathers));
    }
    feeders[kCores] = &timed_noc;
    watch_levels();
    auto timed =
        clock::run_in_time(tile_, feeders,
                           {.keeps_timeline = how.keeps_timeline,
                            .limits = {.most_steps = ~std::uint64_t{0}, .stop = how.stop}});
    if (!timed) return Unexpected(timed.error());
    if (auto done = check_end(timed->run); !done) return Unexpected(done.error());
    return TimedLaunch{.time = std::move(*timed),
                       .noc = timed_noc.figures(),
                       .spans = timed_noc.spans(),
                       .levels = std::move(levels_)};
  }

  /// Whether buffers hold what they hold after the run on the host.
  Expected<void> agrees_with(const LaunchOutcome& host) {
    const auto contents = buffer_contents(program_, layout_, only_l1(l1_), dram_);
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (contents[i] == host.buffers[i]) continue;
      const auto [mine, other] = std::ranges::mismatch(contents[i], host.buffers[i]);
      return differs(fmt::format("buffer {} differs from byte {} on", program_.buffers[i].name,
                                 mine - contents[i].begin()));
    }
    return {};
  }

 private:
  static Unexpected differs(const std::string& message) {
    return Unexpected(Fault{.kind = FaultKind::Unsupported,
                            .message = "the program in time is not the one on the host: " + message,
                            .remedy = "it depends on the order of its cores, or on what differs "
                                      "between a host and a core: try --order random"});
  }

  /// What lies in L1: the cores' own RAM is filled by their feeders, and code is fetched from
  /// beyond it.
  void load(unsigned core, const elf::Image& image) {
    for (const elf::Segment& segment : image.segments) {
      if (segment.address >= l1_.size() || segment.bytes.size() > l1_.size() - segment.address)
        continue;
      std::ranges::copy(segment.bytes, l1_.begin() + segment.address);
    }
    const auto symbol = std::ranges::find(image.objects, kLaunchData, &elf::Symbol::name);
    if (symbol == image.objects.end()) return;
    const lanewise_launch data = launch_data(program_, layout_, programs::processor_of(core));
    if (symbol->address <= l1_.size() - sizeof data)
      std::memcpy(l1_.data() + symbol->address, &data, sizeof data);
  }

  /// Cores and threads store into the counters of circular buffers.
  void watch_levels() {
    tile_.watch_core = [this](unsigned /*core*/, const tile::CoreAction& action) {
      if (action.kind != tile::CoreAction::Kind::Store) return;
      if (riscv::find_region(program_.arch, action.address).region == riscv::Region::NocOverlay)
        note_levels();
    };
    tile_.watch = [this, store = isa::find_row(program_.arch, isa::Op::STOREREG)->opcode](
                      const tile::Executed& executed) {
      if (isa::opcode_of(executed.word.word) == store) note_levels();
    };
  }

  void note_levels() {
    const NocRecord& record = *noc_record(program_.arch);
    const tile::Overlay& overlay = tile_.state().overlay;
    for (const programs::CbPlace& cb : layout_.circular_buffers) {
      const auto count = [&](unsigned number) {
        return overlay.load(tile::Overlay::offset_of(cb.index, number));
      };
      const std::uint32_t pages = (count(record.received) - count(record.acked)) & 0xFFFF;
      if (std::exchange(held_[cb.index], pages) == pages) continue;
      levels_.push_back(
          {.cycle = tile_.time->cycle(), .index = cb.index, .pages = pages, .capacity = cb.pages});
    }
  }

  Expected<void> check_end(const tile::RunResult& result) const {
    if (result.ran_out)
      return bad_input("the kernels did not come to an end in time",
                       "allow more with --kernel-time");
    if (!result.blocked.empty()) {
      const tile::Blocked& blocked = result.blocked.front();
      return differs(fmt::format("{} {}", programs::core_name(blocked.thread), blocked.reason));
    }
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      if (!marks_[thread]) continue;
      if (auto done = marks_[thread]->ended(); !done) return of_core(thread, done.error());
    }
    return {};
  }

  const programs::Program& program_;
  const programs::Layout& layout_;
  std::vector<std::uint8_t> l1_, dram_;
  tile::Tile tile_;
  noc::Noc noc_;
  std::map<unsigned, std::uint32_t> held_; ///< pages, by circular buffer
  std::vector<CbLevel> levels_;
  std::array<std::unique_ptr<section::VectorMarks>, kThreads> marks_;
  std::array<std::unique_ptr<section::CoreFeeder>, kCores> cores_;
};

} // namespace

Expected<TimedLaunch> launch_in_time(const programs::Program& program,
                                     const programs::Layout& layout,
                                     const programs::ProgramObjects& programs,
                                     const LaunchOutcome& host, const TimedSettings& how) {
  const auto images = read_images(programs);
  if (!images) return Unexpected(images.error());
  Places places;
  const auto has_none = [](const section::Stretches& each) { return each.order.empty(); };
  if (!std::ranges::all_of(host.stretches, has_none)) {
    auto counted = TimedProgram(program, layout, *images, programs.source, host, how.before, {})
                       .count(how.stop);
    if (!counted) return Unexpected(counted.error());
    places = std::move(*counted);
  }
  TimedProgram run(program, layout, *images, programs.source, host, how.before, places);
  auto timed = run.run(how);
  if (!timed) return timed;
  if (auto same = run.agrees_with(host); !same) return Unexpected(same.error());
  return timed;
}

} // namespace lanewise::launch
