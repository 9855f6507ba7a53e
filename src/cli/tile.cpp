// lanewise tile PROGRAM [OTHER]: a program of three threads on a whole tile, from L1 to L1; in
// time, what a change from one program to the other gives.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "chip/clock/program_core.h"
#include "chip/clock/race_time.h"
#include "chip/clock/timed_run.h"
#include "chip/tile/program_run.h"
#include "chip/tile/races.h"
#include "chip/timing/schedule.h"
#include "cli/chips.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/race_options.h"
#include "cli/tile_images.h"
#include "cli/tile_time.h"
#include "report/plain_number.h"
#include "report/tile/report.h"
#include "source/assembly/assembly.h"

namespace lanewise::cli {

namespace {

struct TileOptions {
  std::string program, other;
  Arch arch = kDefaultArch;
  TileImageOptions images;
  std::string order = "round-robin";
  std::uint64_t seed = 0;
  std::uint64_t most_steps = tile::RunLimits().most_steps;
  std::size_t shown = 16;
  bool trace = false, json = false;
  TileTimeOptions time;
  RaceOptions races;
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

Expected<clock::TimedResult> run_words_in_time(tile::Tile& tile, const TileProgram& program,
                                               std::uint64_t interval,
                                               const clock::TimedOptions& options) {
  clock::ProgramCore unpack(program.thread[0], 0, interval), math(program.thread[1], 1, interval),
      pack(program.thread[2], 2, interval);
  return clock::run_in_time(tile, {&unpack, &math, &pack}, options);
}

/// The program's words, in time if that is asked for: then also with cores that compute each word,
/// on a tile of its own.
Expected<tile::RunResult> run_words(tile::Tile& tile, const TileProgram& program,
                                    const TileOptions& options,
                                    std::optional<report::TileTime>& time) {
  if (!options.time.time)
    return tile::run_program(tile, program, chosen_schedule(options), run_limits(options));
  tile::Tile other(options.arch);
  other.state() = tile.state();
  auto timed = run_words_in_time(
      tile, program, 1,
      {.keeps_timeline = options.time.keeps_timeline(), .limits = run_limits(options)});
  if (!timed) return Unexpected(timed.error());
  auto slow =
      run_words_in_time(other, program, timing::kComputedPush, {.limits = run_limits(options)});
  if (!slow) return Unexpected(slow.error());
  time = tile_time(options.time, options.arch, options.program, std::move(*timed));
  time->slow = report::SlowPushes{timing::kComputedPush, std::move(*slow)};
  time->assumed.emplace_back(clock::kAssumedOfLists);
  time->assumed.emplace_back(clock::kAssumedOfSlowLists);
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

/// A program, the tile that it starts on, and what of L1 is its result.
struct LoadedTile {
  TileProgram program;
  tile::TileState start;
  std::vector<tensors::L1Output> outputs;
};

Expected<LoadedTile> load_tile(const TileOptions& options, const std::string& file) {
  const auto text = read_text(file);
  if (!text) return Unexpected(text.error());
  auto program = assembly::assemble_tile(options.arch, *text, file);
  if (!program) return Unexpected(program.error());
  const auto has_no_word = [](const Program& thread) { return thread.words.empty(); };
  if (std::ranges::all_of(program->thread, has_no_word)) {
    Unexpected fault =
        bad_input("there is no instruction in it", "check that this is the right file");
    fault.value().file = file;
    return fault;
  }
  auto start = tile::start_state(options.arch, *program);
  if (!start) return Unexpected(start.error());
  if (auto filled = fill_l1(start->l1, *program, options.images); !filled)
    return Unexpected(filled.error());
  auto outputs = chosen_outputs(start->l1, *program, options.images);
  if (!outputs) return Unexpected(outputs.error());
  return LoadedTile{std::move(*program), std::move(*start), std::move(*outputs)};
}

/// A race in time: with cores that push a word in a cycle, and with those that compute each word.
Expected<std::vector<tile::RaceInTime>> time_race(const LoadedTile& loaded,
                                                  const TileOptions& options,
                                                  const tile::Race& race) {
  std::vector<tile::RaceInTime> times;
  for (const std::uint64_t interval : {std::uint64_t{1}, std::uint64_t{timing::kComputedPush}}) {
    tile::Tile tile(options.arch);
    tile.restart(loaded.start);
    const auto timed =
        run_words_in_time(tile, loaded.program, interval,
                          {.watched = clock::deeds_of(race), .limits = run_limits(options)});
    if (!timed) return Unexpected(timed.error());
    times.push_back(clock::race_in_time(
        fmt::format("cores push a word in {}", report::counted(interval, "cycle")), *timed));
  }
  return times;
}

/// Prints what became of a run, and writes what was asked for.
ExitStatus deliver_run(const TileOptions& options, const report::TileReport& report,
                       const std::optional<report::TileTime>& time) {
  if (time) {
    if (auto written = write_tile_trace(options.time, *time); !written)
      return fail(written.error());
  }
  if (options.json) {
    nlohmann::json document = report::tile_json(report);
    if (time) document["time"] = report::tile_time_json(*time);
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{}", report::tile_text(report, options.shown));
    if (time) fmt::print("\n{}", report::tile_time_text(*time));
  }
  return exit_status(tell_tile_faults(report, options));
}

/// A run in time of one of two programs that are compared, with its L1 at the end.
struct TimedTile {
  report::TileReport report;
  report::TileTime time;
  std::vector<std::uint8_t> l1;
};

Expected<TimedTile> run_timed(TileOptions options, const std::string& file) {
  options.program = file;
  auto loaded = load_tile(options, file);
  if (!loaded) return Unexpected(loaded.error());
  tile::Tile tile(options.arch);
  tile.state() = std::move(loaded->start);
  std::optional<report::TileTime> time;
  auto report = run_once(tile, loaded->program, options, time);
  if (!report) return Unexpected(report.error());
  const auto bytes = tile.state().l1.bytes();
  return TimedTile{std::move(*report), std::move(*time), {bytes.begin(), bytes.end()}};
}

Expected<void> check_change(const TileOptions& options) {
  if (!options.time.time)
    return bad_input("two programs are compared in time", "give --time, or name one only");
  if (options.time.keeps_timeline() || options.trace || options.races.races)
    return bad_input("--timeline, --perfetto, --html, --trace and --races show one program",
                     "leave them out, or name one only");
  if (options.program == "-" && options.other == "-")
    return bad_input("standard input is one program", "name a file for the other");
  return {};
}

/// What a change from the one program to the other gives.
ExitStatus show_change(const TileOptions& options) {
  if (auto checked = check_change(options); !checked) return fail(checked.error());
  watch_for_interrupt();
  const auto before = run_timed(options, options.program);
  if (!before) return fail(before.error());
  const auto after = run_timed(options, options.other);
  if (!after) return fail(after.error());
  report::Change change = report::tile_time_change(before->time, after->time);
  const bool is_same = before->l1 == after->l1;
  change.sentences.push_back(is_same ? "L1 at the end has the same bits."
                                     : "L1 at the end has other bits.");
  if (options.json) {
    nlohmann::ordered_json document{{"arch", arch_params(options.arch).names.id}};
    document.update(report::change_json(change));
    document["same_l1"] = is_same;
    document["assumed"] = before->time.assumed;
    fmt::print("{}\n", document.dump(2));
  } else {
    fmt::print("{}: what the change gives\n{}", arch_params(options.arch).names.id,
               report::change_text(change));
    for (const std::string& sentence : before->time.assumed) fmt::print("note: {}\n", sentence);
  }
  const bool first_holds = tell_tile_faults(before->report, options);
  return exit_status(tell_tile_faults(after->report, options) && first_holds);
}

ExitStatus run_tile(const TileOptions& options) {
  if (auto checked = check_race_options(options.races); !checked) return fail(checked.error());
  if (auto checked = check_tile_time(options.time, chosen_schedule(options), options.races.races);
      !checked)
    return fail(checked.error());
  if (!options.other.empty()) return show_change(options);
  auto loaded = load_tile(options, options.program);
  if (!loaded) return fail(loaded.error());
  if (auto possible = check_can_write(options.images.save_l1); !possible)
    return fail(possible.error());

  watch_for_interrupt();
  if (options.races.races) {
    const auto time = [&](const tile::RaceProgram&, const tile::Race& race,
                          const tile::RaceReference&) { return time_race(*loaded, options, race); };
    return search_races(options.races, "tile", options.arch, options.json,
                        {.limits = run_limits(options), .time = time},
                        [&](const tile::RaceSearch& how) {
                          return tile::find_races(loaded->start, loaded->program, how);
                        });
  }
  tile::Tile tile(options.arch);
  tile.state() = std::move(loaded->start);
  std::optional<report::TileTime> time;
  auto report = run_once(tile, loaded->program, options, time);
  if (!report) return fail(report.error());
  auto taken = take_outputs(tile.state().l1, loaded->outputs, options.images);
  if (!taken) return fail(taken.error());
  report->outputs = std::move(*taken);
  return deliver_run(options, *report, time);
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
  command.option("other", options->other,
                 "With --time, another program: what the change from the one to the other gives");
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
  add_race_options(command, options->races);
  add_tile_time_options(command, options->time);
  add_time_page_option(command, options->time);
  command.flag("--json", options->json, "Print the result as JSON, with --trace the trace in it");
  command.footer(
      "Exit status 1 after a deadlock or a race, and if the program did something whose result "
      "cannot be "
      "relied on.");
  command.action([options] { return run_tile(*options); });
}

} // namespace lanewise::cli
