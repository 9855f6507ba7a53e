#include "cli/tile_time.h"

#include <fmt/format.h>

#include <utility>

#include "cli/output.h"
#include "report/program/page.h"

namespace lanewise::cli {

void add_tile_time_options(const Command& command, TileTimeOptions& options) {
  command.flag(
      "--time", options.time,
      "Run in time: cycles, what bounds them, who waits for what (docs/timing.md, 'A whole "
      "tile')");
  command.option("--tiles", options.tiles,
                 "With --time: tiles that the program makes (default: as many as are packed)");
  command.option("--timeline", options.timeline,
                 "With --time: print so many of the last instructions, with their cycles");
  command
      .option("--perfetto", options.perfetto,
              "With --time: write a trace for ui.perfetto.dev; 1 us in it is 1 cycle")
      .value("FILE");
}

void add_time_page_option(const Command& command, TileTimeOptions& options) {
  command
      .option("--html", options.html,
              "With --time: write a page: who does what when, who waits for what, the hottest "
              "lines")
      .value("FILE");
}

void add_gather_option(const Command& command, TileTimeOptions& options) {
  command
      .option(
          "--gather", options.gather,
          "With --time, on Blackhole: whether up to four neighbouring pushes leave a core in one "
          "cycle. off (default) as tt-metal's firmware has it, on as LLK's tests had it until "
          "August 2026")
      .one_of({"on", "off"});
}

Expected<void> check_tile_time(const TileTimeOptions& options, const tile::ScheduleChoice& choice,
                               bool races) {
  if (options.asks() && !options.time)
    return bad_input("--tiles, --timeline, --perfetto, --html and --gather are for a run in time",
                     "give --time, too");
  if (options.time && races)
    return bad_input("--races tries orders of the threads, and --time has one of its own",
                     "leave one of them out");
  if (options.time && choice != tile::ScheduleChoice())
    return bad_input("--time says itself whose turn it is", "leave --order out");
  if (auto can = check_can_write(options.perfetto); !can) return can;
  return check_can_write(options.html);
}

report::TileTime tile_time(const TileTimeOptions& options, Arch arch, const std::string& program,
                           clock::TimedResult run) {
  return {.arch = arch,
          .program = program,
          .run = std::move(run),
          .tiles = options.tiles,
          .shown = options.timeline,
          .assumed = {std::string(report::kModelsCycles)}};
}

Expected<void> write_tile_trace(const TileTimeOptions& options, const report::TileTime& time) {
  if (!options.perfetto.empty()) {
    auto written =
        write_text_file(options.perfetto, report::tile_time_perfetto(time).dump() + "\n");
    if (!written) return written;
  }
  if (options.html.empty()) return {};
  return write_text_file(options.html, report::program_time_html({.tile = time}, typed_command()));
}

Expected<void> print_tile_time(const TileTimeOptions& options, const report::TileTime& time,
                               bool json) {
  if (auto written = write_tile_trace(options, time); !written) return written;
  if (json) {
    fmt::print("{}\n", report::tile_time_json(time).dump(2));
  } else {
    fmt::print("{}", report::tile_time_text(time));
  }
  return {};
}

} // namespace lanewise::cli
