// From a run in time to its report.
#include <utility>

#include "report/grid/time.h"
#include "run/section/core_run.h"
#include "source/programs/own_headers.h"

namespace lanewise::report {

namespace {

std::vector<std::string> assumed_of(const programs::Program& program,
                                    const launch::LaunchOutcome& host,
                                    const GridTimeSettings& settings) {
  std::vector<std::string> assumed;
  for (const std::string_view each : {kModelsCycles, section::kAssumedOfCores, grid::kAssumedOfNoc})
    assumed.emplace_back(each);
  if (settings.has_own_headers) assumed.emplace_back(programs::kAssumedOfOwnHeaders);
  if (grid::has_vector_code(host)) assumed.emplace_back(section::kAssumedOfVectorCode);
  for (std::string& note : gather_notes(program.arch, settings.gathers))
    assumed.push_back(std::move(note));
  return assumed;
}

} // namespace

GridTime grid_time(const programs::Program& program, const launch::LaunchOutcome& host,
                   grid::TimedLaunch timed, const GridTimeSettings& settings) {
  GridTime all{.bank_busy = timed.bank_busy, .link_bytes = std::move(timed.link_bytes)};
  const std::vector<std::string> assumed = assumed_of(program, host, settings);
  for (grid::CoreInTime& core : timed.cores)
    all.cores.push_back({.core = core.core,
                         .signals = std::move(core.signals),
                         .time = {.tile = {.arch = program.arch,
                                           .program = settings.name,
                                           .run = std::move(core.time),
                                           .tiles = settings.tiles,
                                           .shown = settings.shown,
                                           .assumed = assumed},
                                  .traffic = core.traffic,
                                  .bank_busy = timed.bank_busy,
                                  .spans = std::move(core.spans),
                                  .levels = std::move(core.levels)}});
  return all;
}

} // namespace lanewise::report
