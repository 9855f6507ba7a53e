// lanewise tile PROGRAM: a program of three threads on a whole tile, from L1 to L1.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "chip/clock/program_core.h"
#include "chip/clock/timed_run.h"
#include "chip/tile/program_run.h"
#include "chip/tile/races.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/tile_images.h"
#include "cli/tile_time.h"
#include "report/tile/races.h"
#include "report/tile/report.h"
#include "source/assembly/assembly.h"

namespace lanewise::cli {

namespace {

struct TileOptions {
  std::string program;
  Arch arch = kDefaultArch;
  TileImageOptions images;
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  std::uint64_t most_steps = tile::RunLimits().most_steps;
  std::size_t shown = 16;
  bool trace = false, json = false, races = false;
  TileTimeOptions time;
  unsigned schedules = tile::RaceSearch().orders; ///< beside round robin, that --races runs
};

tile::ScheduleChoice chosen_schedule(const TileOptions& options) {
  return {.order = tile::order_named(options.order), .seed = options.seed};
}

tile::RunLimits run_limits(const TileOptions& options) {
  return {.most_steps = options.most_steps, .stop = interrupted};
}

/// Counts what is executed, and tells or keeps the trace.
void watch_tile(tile::Tile& tile, const TileOptions& options, tile::ExecutionCounts& counts,
                report::TileReport& report) {
  tile.watch = [&, arch = options.arch,
                number = std::size_t{0}](const tile::Executed& executed) mutable {
    ++counts[executed.thread][executed.word.line];
    ++report.executed[executed.thread];
    ++number;
    if (!options.trace) return;
    if (options.json) {
      report.trace.push_back(executed);
    } else {
      fmt::print("{}", report::tile_trace_line(arch, number, executed));
    }
  };
}

/// The program's words, in time if that is asked for.
Expected<tile::RunResult> run_words(tile::Tile& tile, const TileProgram& program,
                                    const TileOptions& options,
                                    std::optional<report::TileTime>& time) {
  if (!options.time.time)
    return tile::run_program(tile, program, chosen_schedule(options), run_limits(options));
  clock::ProgramCore unpack(program.thread[0], 0), math(program.thread[1], 1),
      pack(program.thread[2], 2);
  auto timed = clock::run_in_time(
      tile, {&unpack, &math, &pack},
      {.keeps_timeline = options.time.keeps_timeline(), .limits = run_limits(options)});
  if (!timed) return Unexpected(timed.error());
  time = tile_time(options.time, options.arch, options.program, std::move(*timed));
  time->assumed.emplace_back(clock::kAssumedOfLists);
  return time->run.run;
}

/// Runs the program once; the report lacks its outputs.
Expected<report::TileReport> run_once(tile::Tile& tile, const TileProgram& program,
                                      const TileOptions& options,
                                      std::optional<report::TileTime>& time) {
  report::TileReport report{
      .arch = options.arch, .program = options.program, .schedule = chosen_schedule(options)};
  tile::ExecutionCounts counts;
  watch_tile(tile, options, counts, report);
  const auto result = run_words(tile, program, options, time);
  tile.watch = nullptr;
  if (!result) return Unexpected(result.error());
  report.ran_out = result->ran_out;
  report.blocked = tile::explain_blocked(tile.state(), program, result->blocked, counts);
  report.faults = tile.faults();
  for (Fault& fault : report.faults)
    if (fault.file.empty()) fault.file = program.name;
  return report;
}

/// Says what is wrong with the run. Whether its results hold.
bool tell_tile_faults(const report::TileReport& report, const TileOptions& options) {
  bool valid = report.blocked.empty() && !report.ran_out;
  for (const Fault& fault : report.faults) {
    tell("{}: {}\n", arch_params(report.arch).names.id, to_string(fault));
    valid = valid && leaves_results_valid(fault.kind);
  }
  if (report.ran_out && !interrupted())
    tell("{}: the program did not end within {} steps; allow more with --steps\n", options.program,
         options.most_steps);
  return valid;
}

/// --races: whether the end depends on the order.
ExitStatus search_races(const TileOptions& options, const tile::TileState& start,
                        const TileProgram& program) {
  auto progress = std::make_unique<ProgressLine>();
  const auto races = tile::find_races(
      start, program,
      {.orders = options.schedules,
       .limits = run_limits(options),
       .progress = [&](std::string_view what, unsigned number) {
         progress->show(fmt::format("order {} of {}: {}", number, options.schedules, what));
       }});
  progress.reset(); // wipes the line
  if (!races) return fail(races.error());
  if (options.json) {
    fmt::print("{}\n", report::race_json(options.arch, *races).dump(2));
  } else {
    fmt::print("{}", report::race_text(options.arch, *races));
  }
  if (interrupted())
    tell("stopped after {} of {} orders\n", races->schedules, options.schedules + 1);
  return exit_status(!races->differs && !interrupted());
}

ExitStatus run_tile(const TileOptions& options) {
  if (auto checked = check_tile_time(options.time, chosen_schedule(options), options.races);
      !checked)
    return fail(checked.error());
  const auto text = read_text(options.program);
  if (!text) return fail(text.error());
  const auto program = assembly::assemble_tile(options.arch, *text, options.program);
  if (!program) return fail(program.error());
  auto start = tile::start_state(options.arch, *program);
  if (!start) return fail(start.error());
  if (auto filled = fill_l1(start->l1, *program, options.images); !filled)
    return fail(filled.error());
  const auto outputs = chosen_outputs(start->l1, *program, options.images);
  if (!outputs) return fail(outputs.error());
  if (auto possible = check_can_write(options.images.save_l1); !possible)
    return fail(possible.error());

  watch_for_interrupt();
  if (options.races) return search_races(options, *start, *program);
  tile::Tile tile(options.arch);
  tile.state() = std::move(*start);
  std::optional<report::TileTime> time;
  auto report = run_once(tile, *program, options, time);
  if (!report) return fail(report.error());
  auto taken = take_outputs(tile.state().l1, *outputs, options.images);
  if (!taken) return fail(taken.error());
  report->outputs = std::move(*taken);
  if (time) {
    if (auto written = write_tile_trace(options.time, *time); !written)
      return fail(written.error());
  }
  if (options.json) {
    nlohmann::json document = report::tile_json(*report);
    if (time) document["time"] = report::tile_time_json(*time);
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{}", report::tile_text(*report, options.shown));
    if (time) fmt::print("\n{}", report::tile_time_text(*time));
  }
  return exit_status(tell_tile_faults(*report, options));
}

} // namespace

void add_tile(CommandLine& line) {
  const Command command =
      line.add_command("tile", "Execute a program of three threads on a whole tile: L1 to L1");
  auto options = std::make_shared<TileOptions>();
  command
      .option("program", options->program,
              "Assembly with .thread lines (docs/tile.md); - for standard input")
      .required();
  add_arch_option(command, options->arch);
  add_tile_image_options(command, options->images);
  command
      .option("--order", options->order,
              "Which thread goes next: round-robin (default), random, or adversarial: one as long "
              "as it can go, then another")
      .one_of({"round-robin", "random", "adversarial"});
  command.option("--seed", options->seed, "Of the orders random and adversarial (default 0)");
  command.option("--steps", options->most_steps,
                 "End after so many instructions and pushes (default 200000000)");
  command.option("--show", options->shown,
                 "Elements of an output that is printed, spread evenly (default 16); 0 for all");
  command.flag("--trace", options->trace,
               "Print what was executed, in order: thread, line, word, instruction");
  command.flag("--races", options->races,
               "Look whether the end depends on the order of the threads, on which two "
               "instructions, and what would mend it");
  command
      .option("--schedules", options->schedules,
              "Orders that --races runs beside round robin, at most (default 1000)")
      .range(std::uint64_t{1}, std::uint64_t{100'000});
  add_tile_time_options(command, options->time);
  command.flag("--json", options->json, "Print the result as JSON, with --trace the trace in it");
  command.footer(
      "Exit status 1 after a deadlock or a race, and if the program did something whose result "
      "cannot be "
      "relied on.");
  command.action([options] { return run_tile(*options); });
}

} // namespace lanewise::cli
