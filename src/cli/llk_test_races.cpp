// The orders of a test's cores: --races, and the look at some of them without it.
#include "cli/llk_test_races.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "chip/clock/race_time.h"
#include "chip/tile/race_orders.h"
#include "chip/tile/script_mend.h"
#include "cli/output.h"
#include "report/tile/races.h"
#include "run/section/core_run.h"
#include "run/section/run_sections.h"

namespace lanewise::cli {

namespace {

/// Cores of a test in another order, for what they do where they find other values.
auto follower(const RacedTest& test) {
  return [&test](const tile::ScheduleChoice& choice) -> Expected<tile::CoreTraces> {
    section::SectionsRun other = test.how;
    other.schedule = choice;
    auto outcome = section::run_sections(test.source, test.objects, other);
    if (!outcome) return Unexpected(outcome.error());
    return std::move(outcome->traces);
  };
}

/// A race on the clock of the sections as programs of the cores.
Expected<std::vector<tile::RaceInTime>> time_race(const RacedTest& test, clock::RaceOnCores race) {
  const auto programs = section::compile_for_cores(test.source);
  if (!programs) return Unexpected(programs.error());
  const auto images = section::read_core_images(*programs);
  if (!images) return Unexpected(images.error());
  section::SectionsRun how = test.how;
  how.traces_cores = false;
  how.keeps_stretches = true;
  const auto host = section::run_sections(test.source, test.objects, how);
  if (!host) return Unexpected(host.error());
  const auto cores = section::run_cores(
      {.source = test.source,
       .images = *images,
       .how = how,
       .stretches = host->stretches,
       .stop = interrupted,
       .time = section::CoresInTime{
           .gathers = test.l1.time.gathers(),
           .watched = race.deeds(),
           .hears = [&](unsigned core, const tile::CoreAction& action, std::uint64_t cycle) {
             race.hear(core, action, cycle);
           }}});
  if (!cores) return Unexpected(cores.error());
  const auto times = race.times(*cores->time);
  if (!times) return Unexpected(times.error());
  return std::vector{*times};
}

} // namespace

bool holds_in_other_orders(const RacedTest& test) {
  constexpr std::uint64_t kMostInstructions = 100'000;
  std::uint64_t executed = 0;
  for (const std::uint64_t each : test.outcome.executed) executed += each;
  if (executed > kMostInstructions) return true;
  auto program = section::race_program(test.source, test.how, test.outcome);
  if (!program) return true; // --races says why
  const auto races = tile::find_races(
      std::move(*program),
      {.orders = static_cast<unsigned>(tile::first_orders().size()), .follow = follower(test)});
  if (!races || !races->differs) return true;
  tell("{}: {}", test.file, report::race_text(test.arch, *races));
  tell("{}: --races looks for the wait that is missing\n", test.file);
  return false;
}

ExitStatus look_for_races(const RacedTest& test) {
  auto program = section::race_program(test.source, test.how, test.outcome);
  if (!program) return fail(program.error());
  watch_for_interrupt();
  return search_races(test.l1.races, "llk-test", test.arch, test.l1.json,
                      {.follow = follower(test),
                       .propose = tile::script_mends,
                       .time = clock::timed_on_cores(
                           [&test](clock::RaceOnCores& race) { return time_race(test, race); })},
                      [&](const tile::RaceSearch& search) {
                        return tile::find_races(std::move(*program), search);
                      });
}

} // namespace lanewise::cli
