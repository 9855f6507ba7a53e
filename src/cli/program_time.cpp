#include "cli/program_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "base/processor_time.h"
#include "base/text_file.h"
#include "cli/command.h"
#include "cli/output.h"
#include "report/grid/time.h"
#include "report/program/page.h"
#include "run/section/core_run.h"
#include "source/programs/own_headers.h"

namespace lanewise::cli {

namespace {

report::ProgramTime report_of(const TileTimeOptions& options, const programs::Program& program,
                              const launch::LaunchOutcome& host, grid::CoreInTime&& core,
                              const std::vector<double>& bank_busy, const TimedProgramReport& how) {
  report::ProgramTime time{.tile = tile_time(options, program.arch, how.name, std::move(core.time)),
                           .traffic = core.traffic,
                           .bank_busy = bank_busy,
                           .spans = std::move(core.spans),
                           .levels = std::move(core.levels)};
  std::vector<std::string>& assumed = time.tile.assumed;
  assumed.emplace_back(section::kAssumedOfCores);
  assumed.emplace_back(grid::kAssumedOfNoc);
  if (how.has_own_headers) assumed.emplace_back(programs::kAssumedOfOwnHeaders);
  if (grid::has_vector_code(host)) assumed.emplace_back(section::kAssumedOfVectorCode);
  for (std::string& note : gather_notes(options, program.arch)) assumed.push_back(std::move(note));
  return time;
}

} // namespace

grid::TimedSettings timed_settings(const TileTimeOptions& options,
                                   const launch::LaunchSettings& how, std::size_t cores) {
  const auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(how.limits.time) * cores;
  return {.gathers = options.gathers(),
          .keeps_timeline = options.keeps_timeline(),
          .jobs = how.jobs,
          .stop = [end = own_processor_time() + most] {
            return interrupted() || own_processor_time() >= end;
          }};
}

std::string numbered_file(const std::string& file, std::size_t number) {
  if (file.empty() || number == 1) return file;
  const std::filesystem::path path(file);
  return (path.parent_path() /
          fmt::format("{}-{}{}", path.stem().string(), number, path.extension().string()))
      .string();
}

Expected<void> tell_program_time(const TileTimeOptions& options, const programs::Program& program,
                                 const launch::LaunchOutcome& host, grid::TimedLaunch timed,
                                 const TimedProgramReport& how) {
  report::GridTime all{.bank_busy = timed.bank_busy, .link_bytes = std::move(timed.link_bytes)};
  for (grid::CoreInTime& core : timed.cores) {
    all.cores.push_back({.core = core.core, .signals = std::move(core.signals), .time = {}});
    all.cores.back().time =
        report_of(options, program, host, std::move(core), timed.bank_busy, how);
  }
  if (!options.perfetto.empty()) {
    auto written = write_text_file(numbered_file(options.perfetto, how.number),
                                   report::grid_time_perfetto(all).dump() + "\n");
    if (!written) return written;
  }
  if (!options.html.empty()) {
    auto written = write_text_file(numbered_file(options.html, how.number),
                                   report::grid_time_html(all, typed_command()));
    if (!written) return written;
  }
  if (how.is_json) {
    fmt::print("{}\n", report::grid_time_json(all).dump(how.is_line ? -1 : 2));
  } else {
    fmt::print("{}", report::grid_time_text(all));
  }
  return {};
}

} // namespace lanewise::cli
