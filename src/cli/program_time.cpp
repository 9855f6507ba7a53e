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
#include "report/program/page.h"
#include "report/program/time.h"
#include "run/section/core_run.h"
#include "source/programs/own_headers.h"

namespace lanewise::cli {

namespace {

report::ProgramTime report_of(const TileTimeOptions& options, const programs::Program& program,
                              const launch::LaunchOutcome& host, launch::TimedLaunch timed,
                              const TimedProgramReport& how) {
  report::ProgramTime time{
      .tile = tile_time(options, program.arch, how.name, std::move(timed.time)),
      .noc = std::move(timed.noc),
      .spans = std::move(timed.spans),
      .levels = std::move(timed.levels)};
  std::vector<std::string>& assumed = time.tile.assumed;
  assumed.emplace_back(section::kAssumedOfCores);
  assumed.emplace_back(launch::kAssumedOfNoc);
  if (how.has_own_headers) assumed.emplace_back(programs::kAssumedOfOwnHeaders);
  if (std::ranges::any_of(host.stretches, [](const auto& each) { return !each.order.empty(); }))
    assumed.emplace_back(section::kAssumedOfVectorCode);
  for (std::string& note : gather_notes(options, program.arch)) assumed.push_back(std::move(note));
  return time;
}

} // namespace

launch::TimedSettings timed_settings(const TileTimeOptions& options, const ProcessLimits& limits) {
  const auto most = std::chrono::duration_cast<std::chrono::nanoseconds>(limits.time);
  return {.gathers = options.gathers(),
          .keeps_timeline = options.keeps_timeline(),
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
                                 const launch::LaunchOutcome& host, launch::TimedLaunch timed,
                                 const TimedProgramReport& how) {
  const report::ProgramTime time = report_of(options, program, host, std::move(timed), how);
  if (!options.perfetto.empty()) {
    auto written = write_text_file(numbered_file(options.perfetto, how.number),
                                   report::program_time_perfetto(time).dump() + "\n");
    if (!written) return written;
  }
  if (!options.html.empty()) {
    auto written = write_text_file(numbered_file(options.html, how.number),
                                   report::program_time_html(time, typed_command()));
    if (!written) return written;
  }
  if (how.is_json) {
    fmt::print("{}\n", report::program_time_json(time).dump(how.is_line ? -1 : 2));
  } else {
    fmt::print("{}", report::program_time_text(time));
  }
  return {};
}

} // namespace lanewise::cli
