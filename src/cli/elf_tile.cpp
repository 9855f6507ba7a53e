#include "cli/elf_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "binary/elf/call.h"
#include "binary/elf/image.h"
#include "chip/clock/race_time.h"
#include "chip/clock/timed_run.h"
#include "chip/tile/core_hazards.h"
#include "chip/tile/program_run.h"
#include "chip/tile/races.h"
#include "chip/tile/script_mend.h"
#include "chip/tile/thread_hazards.h"
#include "cli/output.h"
#include "run/section/core_program.h"
#include "run/section/device_setup.h"

namespace lanewise::cli {

namespace {

/// The files, by thread; nothing of a thread without one.
using Images = std::array<std::optional<elf::Image>, kThreads>;

Expected<Images> read_images(const std::array<std::string, kThreads>& files) {
  Images images;
  for (unsigned i = 0; i < kThreads; ++i) {
    if (files[i].empty()) continue;
    const auto bytes = read_text(files[i]);
    if (!bytes) return Unexpected(bytes.error());
    auto image = elf::read_image(*bytes, files[i]);
    if (!image) return Unexpected(image.error());
    images[i] = std::move(*image);
  }
  return images;
}

Expected<section::CoreStart> start_of(const elf::Image& image, const std::string& entry) {
  if (entry.empty()) return section::CoreStart{};
  auto call = elf::parse_call(entry);
  if (!call) return Unexpected(call.error());
  auto function = elf::find_function(image, call->function);
  if (!function) return Unexpected(function.error());
  return section::CoreStart{std::move(*function), std::move(call->arguments)};
}

/// The cores' programs and the tile on which they run.
struct Setup {
  explicit Setup(Arch arch) : tile(arch), hazards(arch), core_hazards(tile) {}

  Images images;
  tile::Tile tile;
  tile::ThreadHazards hazards;
  tile::CoreHazards core_hazards;
  std::array<std::unique_ptr<section::CoreFeeder>, kThreads> cores;
};

Expected<void> prepare(Setup& setup, const ElfTileOptions& options) {
  std::array<const elf::Image*, kThreads> images{};
  for (unsigned i = 0; i < kThreads; ++i) {
    if (!setup.images[i]) continue;
    images[i] = &*setup.images[i];
    const auto start = start_of(*images[i], options.entry);
    if (!start) return Unexpected(start.error());
    setup.cores[i] =
        std::make_unique<section::CoreFeeder>(*images[i], setup.tile.arch(), i, *start);
  }
  if (auto loaded = section::load_images(setup.tile.state(), images); !loaded) return loaded;
  const auto inputs = read_l1_inputs(options.l1, setup.tile.arch());
  if (!inputs) return Unexpected(inputs.error());
  for (const tile::L1Input& input : *inputs) {
    std::ranges::transform(input.bytes, setup.tile.state().l1.bytes().begin() + input.address,
                           [](std::byte byte) { return std::to_integer<std::uint8_t>(byte); });
  }
  const auto config = parse_config(options.l1);
  if (!config) return Unexpected(config.error());
  if (auto set_up = section::set_device_up(setup.tile); !set_up) return set_up;
  return tile::set_config_of_all_threads(setup.tile.state(), *config);
}

/// The cores' programs from their start on, in an order: what the cores do. The tile's start and
/// end are left in `start` and `tile`.
Expected<tile::CoreTraces> trace_cores(Setup& setup, const ElfTileOptions& options,
                                       const tile::ScheduleChoice& choice,
                                       std::optional<tile::TileState>* start = nullptr) {
  if (auto done = prepare(setup, options); !done) return Unexpected(done.error());
  if (start != nullptr) *start = setup.tile.state();
  tile::CoreTraces traces;
  setup.tile.watch_core = [&](unsigned core, const tile::CoreAction& action) {
    traces[core].actions.push_back(action);
  };
  const auto result =
      tile::run(setup.tile, {setup.cores[0].get(), setup.cores[1].get(), setup.cores[2].get()},
                choice, {.stop = interrupted});
  if (!result) return Unexpected(result.error());
  for (unsigned i = 0; i < kThreads; ++i)
    traces[i].ended = !setup.cores[i] || setup.cores[i]->has_ended();
  return traces;
}

void set_clocks(Setup& setup, const L1Options& options) {
  const riscv::L1Ports ports;
  for (unsigned i = 0; i < kThreads; ++i) {
    if (setup.cores[i])
      setup.cores[i]->set_clock(section::clock_of(i, options.time.gathers(), ports));
  }
}

/// A race on the clock of the cores' own code.
Expected<std::vector<tile::RaceInTime>> time_race(Setup& setup, const ElfTileOptions& options,
                                                  clock::RaceOnCores race) {
  if (auto done = prepare(setup, options); !done) return Unexpected(done.error());
  set_clocks(setup, options.l1);
  setup.tile.watch_core = [&](unsigned core, const tile::CoreAction& action) {
    race.hear(core, action, setup.tile.time->cycle());
  };
  const auto timed = clock::run_in_time(
      setup.tile, {setup.cores[0].get(), setup.cores[1].get(), setup.cores[2].get()},
      {.watched = race.deeds(), .limits = {.stop = interrupted}});
  if (!timed) return Unexpected(timed.error());
  const auto times = race.times(*timed);
  if (!times) return Unexpected(times.error());
  return std::vector{*times};
}

ExitStatus search_elf_races(const Images& images, Arch arch, const ElfTileOptions& options) {
  if (schedule_choice(options.l1) != tile::ScheduleChoice())
    return fail(bad_input("--races chooses the orders by itself", "leave --order out").value());
  const auto trace = [&](const tile::ScheduleChoice& choice,
                         std::optional<tile::TileState>* start) -> Expected<tile::CoreTraces> {
    Setup setup(arch);
    setup.images = images;
    return trace_cores(setup, options, choice, start);
  };
  std::optional<tile::TileState> start;
  const auto traces = trace({}, &start);
  if (!traces) return fail(traces.error());
  tile::RaceProgram program{
      .start = std::move(*start), .script = {}, .scope = tile::RaceScope::Results};
  for (unsigned i = 0; i < kThreads; ++i) program.script[i] = tile::CoreScript((*traces)[i]);
  return search_races(
      options.l1.races, "elf", arch, options.l1.json,
      {.follow = [&](const tile::ScheduleChoice& choice) { return trace(choice, nullptr); },
       .propose = tile::script_mends,
       .time = clock::timed_on_cores([&](clock::RaceOnCores& race) {
         Setup setup(arch);
         setup.images = images;
         return time_race(setup, options, race);
       })},
      [&](const tile::RaceSearch& how) { return tile::find_races(std::move(program), how); });
}

/// Runs the cores, in time if that is asked for.
Expected<tile::RunResult> run_setup(Setup& setup, const L1Options& options,
                                    std::optional<clock::TimedResult>& time) {
  const auto& cores = setup.cores;
  if (!options.time.time) {
    return tile::run(setup.tile, {cores[0].get(), cores[1].get(), cores[2].get()},
                     schedule_choice(options), {.stop = interrupted});
  }
  set_clocks(setup, options);
  for (const auto& core : cores)
    if (core) core->count_costs();
  auto timed = clock::run_in_time(
      setup.tile, {cores[0].get(), cores[1].get(), cores[2].get()},
      {.keeps_timeline = options.time.keeps_timeline(), .limits = {.stop = interrupted}});
  if (!timed) return Unexpected(timed.error());
  time = std::move(*timed);
  return time->run;
}

/// What the functions of the cores cost, and what is not known of that.
void add_functions(report::TileTime& time, const Setup& setup) {
  for (const auto& core : setup.cores) {
    if (core) std::ranges::move(core->costs(), std::back_inserter(time.functions));
  }
  time.assumed.emplace_back(
      "cycles of a function are those of its own instructions and of what they wait for; what a "
      "compiler inlined counts for the caller, and what it called for itself; of a function that "
      "did not run, nothing is known");
  for (unsigned i = 0; i < kThreads; ++i) {
    if (!setup.cores[i])
      time.assumed.push_back(fmt::format("T{} has no file, and its core costs nothing", i));
  }
}

void print_counts(const Setup& setup) {
  for (unsigned i = 0; i < kThreads; ++i) {
    if (setup.cores[i]) {
      fmt::print("T{}: {} instructions of the core, {} of the coprocessor\n", i,
                 setup.cores[i]->instructions(), setup.tile.state().thread[i].executed);
    }
  }
}

/// What was not as it should be; true if all was.
bool report(const Setup& setup, const tile::RunResult& result) {
  bool holds = !result.ran_out && result.blocked.empty();
  std::vector<Fault> faults = setup.tile.faults();
  std::ranges::copy(setup.hazards.faults(), std::back_inserter(faults));
  std::ranges::copy(setup.core_hazards.faults(), std::back_inserter(faults));
  for (const Fault& fault : faults) {
    tell("{}\n", to_string(fault));
    holds = holds && leaves_results_valid(fault.kind);
  }
  if (result.ran_out) tell("the programs did not come to an end in {} steps\n", result.steps);
  if (!result.blocked.empty()) tell("a deadlock: nobody can go on\n");
  for (const tile::Blocked& each : result.blocked)
    tell("  {}{} {}\n", each.is_feeder ? "the core of T" : "T", each.thread, each.reason);
  return holds;
}

} // namespace

void add_elf_tile_options(const Command& command, ElfTileOptions& options) {
  command.option("--math", options.math, "With --tile: the ELF file of T1");
  command.option("--pack", options.pack, "With --tile: the ELF file of T2");
  command
      .option("--entry", options.entry,
              "With --tile: call this function of each file, as --call does (default: start at "
              "the file's entry)")
      .value("NAME");
  add_l1_options(command, options.l1);
}

ExitStatus run_elf_tile(const std::string& unpack, Arch arch, const ElfTileOptions& options) {
  if (auto checked = check_l1_options(options.l1); !checked) return fail(checked.error());
  Setup setup(arch);
  auto images = read_images({unpack, options.math, options.pack});
  if (!images) return fail(images.error());
  setup.images = std::move(*images);
  const auto outputs = parse_l1_outputs(options.l1, arch);
  if (!outputs) return fail(outputs.error());
  watch_for_interrupt();
  if (options.l1.races.races) return search_elf_races(setup.images, arch, options);
  if (auto done = prepare(setup, options); !done) return fail(done.error());
  if (options.l1.hazards) {
    setup.tile.watch = [&](const tile::Executed& each) {
      setup.hazards.observe(each);
      setup.core_hazards.observe(each);
    };
    setup.tile.watch_core = [&](unsigned core, const tile::CoreAction& action) {
      setup.core_hazards.act(core, action);
    };
  }
  std::optional<clock::TimedResult> time;
  const auto result = run_setup(setup, options.l1, time);
  if (!result) {
    print_message(to_string(result.error()) + "\n");
    return ExitStatus::FoundProblem;
  }
  const auto l1 = std::as_bytes(std::span(setup.tile.state().l1.bytes()));
  if (auto written = write_l1_outputs(*outputs, l1); !written) return fail(written.error());
  if (!options.l1.json) print_counts(setup);
  if (time) {
    auto timed = tile_time(options.l1.time, arch, unpack, std::move(*time));
    add_functions(timed, setup);
    std::ranges::move(report::gather_notes(arch, options.l1.time.gathers()),
                      std::back_inserter(timed.assumed));
    if (auto printed = print_tile_time(options.l1.time, timed, options.l1.json); !printed)
      return fail(printed.error());
  }
  return exit_status(report(setup, *result));
}

} // namespace lanewise::cli
