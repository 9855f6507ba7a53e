#include "run/grid/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/memory_file.h"
#include "base/supervisor.h"
#include "run/grid/outcomes.h"
#include "run/grid/outpost.h"
#include "run/grid/race_text.h"
#include "run/grid/router.h"
#include "run/grid/trials.h"
#include "run/launch/images.h"
#include "run/launch/outcome_wire.h"
#include "run/launch/program_run.h"

namespace lanewise::grid {

namespace {

using launch::DeviceMemory;
using launch::LaunchOutcome;
using launch::LaunchSettings;
using programs::CoreProgram;

/// A program on many cores, once.
class GridRun {
 public:
  /// `mends`, by group of cores: that the kernels do not have.
  GridRun(const Prepared& prepared, const LaunchSettings& how, DeviceMemory& memory,
          const Mends& mends = {})
      : prepared_(prepared), memory_(memory), ends_(prepared.cores.size()) {
    for (std::size_t i = 0; i < prepared.cores.size(); ++i) {
      LaunchSettings& each = how_.emplace_back(how);
      each.schedule.seed += i; // or all cores would take their turns alike
      if (mends.empty()) continue;
      std::ranges::copy_if(mends[prepared.cores[i].group], std::back_inserter(each.mends),
                           [i](const launch::Mend& mend) { return mend.only.value_or(i) == i; });
    }
  }

  /// What became of each core. What is found of races is told to `races`.
  Expected<std::vector<CoreOutcome>> run(Races& races) {
    auto posts = Posts::make(prepared_.cores.size());
    if (!posts) return Unexpected(posts.error());
    for (std::size_t i = 0; i < prepared_.cores.size(); ++i) {
      auto file = launch::make_outcome_file();
      if (!file) return Unexpected(file.error());
      files_.push_back(std::move(*file));
    }
    ProcessLimits limits = launch::kernel_limits(how_.front().limits);
    limits.memory += prepared_.cores.size() * sizeof(Post);
    limits.time *= static_cast<int>(prepared_.cores.size());
    const ProcessGroup group{.count = prepared_.cores.size(),
                             .how = [&](std::size_t i) { return confinement(i, *posts); },
                             .body = [&](std::size_t i) -> int { be_a_core(i, *posts); }};
    const unsigned jobs = how_.front().jobs;
    Router router(*posts, core_places(), all_memories(), how_.front().schedule,
                  jobs != 0 ? jobs : std::max(1U, std::thread::hardware_concurrency()));
    if (prepared_.groups.front().tells_accesses) router.tell(races);
    const auto done = run_supervised_group(
        limits, group, ends_,
        [&](const std::function<bool()>& is_watched) {
          router.run({.has_ended = [this](std::size_t i) { return ends_.has_ended(i); },
                      .is_watched = is_watched});
        },
        how_.front().stop);
    if (!done) return Unexpected(done.error());
    return outcomes(router);
  }

  Races::Device device() const {
    Races::Device device{.cores = {},
                         .group = {},
                         .l1_bytes = arch_params(prepared_.program->arch).tile.l1_bytes,
                         .bank_bytes = {}};
    for (const CoreProgram& core : prepared_.cores) {
      device.cores.push_back(noc::core_number(core.program.core.x, core.program.core.y));
      device.group.push_back(core.group);
      device.own_noc.resize(prepared_.groups.size());
      for (const programs::Kernel& kernel : core.program.kernels)
        for (unsigned risc = 0; risc < programs::kCores; ++risc)
          if (programs::processor_of(risc) == kernel.processor)
            device.own_noc[core.group][risc] = kernel.noc;
    }
    for (const auto& bank : launch::dram_banks(*prepared_.program, memory_.dram()))
      device.bank_bytes.push_back(bank.size());
    add_written(device);
    add_free_words(device);
    return device;
  }

  Sources sources() const {
    return {.cores = core_places(),
            .file =
                [this](std::size_t core, unsigned risc) {
                  return prepared_.groups[prepared_.cores[core].group].source[risc];
                },
            .buffer =
                [this](const Memory& memory, std::uint64_t address) {
                  return launch::of_buffer(
                      *prepared_.program, prepared_.layout(),
                      memory.is_dram ? programs::BufferMemory::Dram : programs::BufferMemory::L1,
                      address);
                }};
  }

 private:
  Confinement confinement(std::size_t index, const Posts& posts) const {
    return launch::kernel_confinement(memory_, prepared_.cores[index].program.core,
                                      {files_[index].number(), posts.file()});
  }

  [[noreturn]] void be_a_core(std::size_t index, const Posts& posts) {
    const CoreProgram& core = prepared_.cores[index];
    Outpost outpost(posts.of(index));
    launch::be_the_kernels(
        {core.program, core.layout, prepared_.groups[core.group], how_[index], memory_},
        files_[index].number(), &outpost);
  }

  std::vector<programs::Core> core_places() const {
    std::vector<programs::Core> places;
    for (const CoreProgram& core : prepared_.cores) places.push_back(core.program.core);
    return places;
  }

  /// By the host, and by whoever has put arguments and semaphores into L1.
  void add_written(Races::Device& device) const {
    const programs::Program& program = *prepared_.program;
    const auto l1_of = [](const programs::Core& core) {
      return Memory{.is_dram = false, .number = noc::core_number(core.x, core.y)};
    };
    for_memories(prepared_, [&](const programs::Core& core) {
      device.written[l1_of(core)].add(0, noc_record(program.arch)->l1_begin);
    });
    launch::for_written_pages(program, prepared_.layout(), [&](const launch::WrittenPage& page) {
      Memory memory{.is_dram = true, .number = page.place.bank};
      if (page.buffer->memory == programs::BufferMemory::L1) memory = l1_of(page.place.core);
      device.written[memory].add(page.place.address, page.end);
    });
  }

  /// Semaphores that the program has on no core.
  void add_free_words(Races::Device& device) const {
    for (unsigned id = 0; id < programs::kMostSemaphores; ++id) {
      const bool is_free = std::ranges::none_of(prepared_.program->semaphores,
                                                [id](const auto& each) { return each.id == id; });
      if (is_free)
        device.free_words.push_back(programs::kSemaphores + id * programs::kSemaphoreBytes);
    }
  }

  AllMemories all_memories() const {
    AllMemories all{.l1 = {}, .banks = launch::dram_banks(*prepared_.program, memory_.dram())};
    for_memories(prepared_, [&](const programs::Core& core) {
      all.l1.emplace(noc::core_number(core.x, core.y), memory_.l1(core));
    });
    return all;
  }

  /// Of those whose process has left none, what is known.
  std::vector<CoreOutcome> outcomes(const Router& router) const {
    std::vector<CoreOutcome> all;
    for (std::size_t i = 0; i < prepared_.cores.size(); ++i) {
      auto decoded = launch::decode_outcome(contents(files_[i].number()));
      if (!decoded) {
        decoded = LaunchOutcome{};
        decoded->failure = launch::no_outcome(ends_.end_of(i), how_.front().limits).value();
      }
      if (std::ranges::find(router.broken(), i) != router.broken().end() && !decoded->failure)
        decoded->failure = Fault{.kind = FaultKind::UndefinedBehavior,
                                 .message = "the kernels have asked for what no core asks for",
                                 .remedy = "look for stores to addresses that are nobody's"};
      all.push_back({.core = prepared_.cores[i].program.core, .outcome = std::move(*decoded)});
    }
    return all;
  }

  const Prepared& prepared_;
  DeviceMemory& memory_;
  std::vector<LaunchSettings> how_; ///< by core
  std::vector<FileDescriptor> files_;
  GroupEnds ends_;
};

/// Puts into memory what a program begins with.
void fill(const Prepared& prepared, const programs::Program& program, DeviceMemory& memory) {
  launch::fill_buffers(program, prepared.layout(), memory.l1_of_cores(), memory.dram());
  for (const CoreProgram& core : prepared.cores)
    launch::fill_core(core.program, core.layout, memory.l1(core.program.core));
}

/// Runs it again, with mends of what was found, and says what became of that. Buffers begin with
/// what they had in the end: most of that are inputs. Where it cannot be run, as for lack of
/// memory, nothing is said.
void try_mends(const Prepared& prepared, const LaunchSettings& how, const DeviceMemory& memory,
               std::vector<CoreOutcome>& cores, Races& races) {
  Trials trials(cores, races.groups(), races);
  std::optional<programs::Program> program;
  LaunchSettings settings = how;
  settings.keeps_stretches = false;
  for (const Mends* with = trials.next(); with != nullptr; with = trials.next()) {
    auto own = DeviceMemory::make(prepared.program->arch, prepared.layout().dram_bytes);
    if (!own || !add_memories(prepared, *own)) break;
    if (!program) {
      program = *prepared.program;
      auto contents =
          launch::buffer_contents(*program, prepared.layout(), memory.l1_of_cores(), memory.dram());
      for (std::size_t i = 0; i < contents.size(); ++i)
        program->buffers[i].contents = std::move(contents[i]);
    }
    fill(prepared, *program, *own);
    GridRun trial(prepared, settings, *own, *with);
    Races races_tried(trial.device());
    if (const auto tried = trial.run(races_tried)) trials.judge(*tried, races_tried);
  }
  trials.say();
}

Expected<LaunchOutcome> run_on_many(const Prepared& prepared, const LaunchSettings& how,
                                    DeviceMemory& memory) {
  fill(prepared, *prepared.program, memory);
  GridRun grid(prepared, how, memory);
  Races races(grid.device());
  auto cores = grid.run(races);
  if (!cores) return Unexpected(cores.error());
  try_mends(prepared, how, memory, *cores, races);
  LaunchOutcome outcome = merge_outcomes(*cores);
  std::ranges::move(race_faults(races, grid.sources()), std::back_inserter(outcome.faults));
  return outcome;
}

} // namespace

bool Prepared::is_on_many() const {
  if (cores.size() > 1) return true;
  const programs::Core& own = cores.front().program.core;
  if (layout().l1_banks.size() > 1) return true;
  return std::ranges::any_of(program->buffers, [&own](const programs::Buffer& buffer) {
    return buffer.memory == programs::BufferMemory::L1 && buffer.shards &&
           std::ranges::any_of(buffer.shards->cores,
                               [&own](const auto& core) { return core != own; });
  });
}

Expected<Prepared> prepare(const programs::Program& program, std::vector<CoreProgram> cores,
                           const programs::CompileSettings& settings) {
  auto groups = programs::compile_groups(cores, settings);
  if (!groups) return Unexpected(groups.error());
  return Prepared{.program = &program, .cores = std::move(cores), .groups = std::move(*groups)};
}

Expected<Prepared> prepare(const programs::Program& program,
                           const programs::CompileSettings& settings) {
  auto cores = programs::lay_out_on_cores(program);
  if (!cores) return Unexpected(cores.error());
  return prepare(program, std::move(*cores), settings);
}

void for_memories(const Prepared& prepared,
                  const std::function<void(const programs::Core&)>& each) {
  if (!prepared.is_on_many()) return each(prepared.cores.front().program.core);
  const programs::Core grid = programs::grid_of(*prepared.program);
  for (unsigned y = 0; y < grid.y; ++y)
    for (unsigned x = 0; x < grid.x; ++x) each({x, y});
}

Expected<void> add_memories(const Prepared& prepared, DeviceMemory& memory) {
  Expected<void> all;
  for_memories(prepared, [&](const programs::Core& core) {
    if (all) all = memory.add(core);
  });
  return all;
}

Expected<LaunchOutcome> run(const Prepared& prepared, const LaunchSettings& how,
                            DeviceMemory& memory) {
  if (auto added = add_memories(prepared, memory); !added) return Unexpected(added.error());
  if (!prepared.is_on_many())
    return launch::launch_program(prepared.cores.front().program, prepared.layout(),
                                  prepared.objects(), how, memory);
  return run_on_many(prepared, how, memory);
}

Expected<LaunchOutcome> run(const Prepared& prepared, const LaunchSettings& how) {
  auto memory = DeviceMemory::make(prepared.program->arch, prepared.layout().dram_bytes);
  if (!memory) return Unexpected(memory.error());
  auto outcome = run(prepared, how, *memory);
  if (outcome)
    outcome->buffers = launch::buffer_contents(*prepared.program, prepared.layout(),
                                               memory->l1_of_cores(), memory->dram());
  return outcome;
}

Expected<launch::ComparedOrders> run_in_orders(const Prepared& prepared,
                                               std::span<const tile::ScheduleChoice> orders,
                                               const LaunchSettings& how,
                                               std::span<const unsigned> elements,
                                               DeviceMemory& memory) {
  if (auto added = add_memories(prepared, memory); !added) return Unexpected(added.error());
  const auto once = [&](const tile::ScheduleChoice& order) -> Expected<LaunchOutcome> {
    if (how.stop && how.stop()) {
      LaunchOutcome stopped;
      stopped.ran_out = stopped.was_stopped = true;
      return stopped;
    }
    LaunchSettings each = how;
    each.schedule = order;
    return run(prepared, each, memory);
  };
  return launch::compare_orders(*prepared.program, prepared.layout(), once, orders, elements,
                                memory);
}

Expected<launch::ComparedOrders> run_in_orders(const Prepared& prepared,
                                               std::span<const tile::ScheduleChoice> orders,
                                               const LaunchSettings& how,
                                               std::span<const unsigned> elements) {
  auto memory = DeviceMemory::make(prepared.program->arch, prepared.layout().dram_bytes);
  if (!memory) return Unexpected(memory.error());
  return run_in_orders(prepared, orders, how, elements, *memory);
}

} // namespace lanewise::grid
