#include "cli/program_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/text_file.h"
#include "cli/command.h"
#include "cli/output.h"
#include "report/grid/time.h"

namespace lanewise::cli {

grid::TimedSettings timed_settings(const TileTimeOptions& options,
                                   const launch::LaunchSettings& how, std::size_t cores) {
  return {.gathers = options.gathers(),
          .keeps_timeline = options.keeps_timeline(),
          .jobs = how.jobs,
          .stop = grid::stop_in_time(how.limits, cores, interrupted)};
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
  const report::GridTime all = report::grid_time(program, host, std::move(timed),
                                                 {.name = how.name,
                                                  .tiles = options.tiles,
                                                  .shown = options.timeline,
                                                  .gathers = options.gathers(),
                                                  .has_own_headers = how.has_own_headers});
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
