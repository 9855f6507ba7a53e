#include "chip/timing/tile_cost.h"

#include <algorithm>
#include <set>
#include <utility>

#include "chip/machine/frontend/front_end.h"
#include "chip/timing/access.h"

namespace lanewise::timing {

namespace {

/// Passes are taken until so many instructions have gone by, so that rates of a fraction of a cycle
/// per word come out to three digits; two are enough to see what the second adds.
constexpr std::size_t kSteadyInstructions = 4000;
constexpr std::size_t kFewestPasses = 2, kMostPasses = 128;
/// Half of what the front end expands.
constexpr std::size_t kLongProgram = 5'000'000;

std::size_t words_per_pass(const Program& program) {
  const std::vector<ProgramPart> parts = parts_of(program);
  return parts.size() - static_cast<std::size_t>(std::ranges::count(parts, ProgramPart::Init));
}

/// Instructions of the first so many words.
std::size_t issues_of_words(const MicroProgram& program, std::size_t words) {
  const auto end = std::ranges::partition_point(
      program.supply, [words](const Supply& supply) { return supply.word < words; });
  return static_cast<std::size_t>(end - program.supply.begin());
}

/// Different rows of Dst that the first `issues` instructions store, even and odd columns apart.
/// Only the first pass finds the counters as it wants them.
std::size_t rows_stored(const Schedule& schedule, std::size_t issues) {
  std::set<std::pair<std::int32_t, bool>> rows;
  for (const Event& event : schedule.events) {
    const bool stores = is_store(event.op) && event.reads != 0; // VU C13
    if (stores && event.issue < issues) rows.emplace(event.dst_row, event.dst_odd);
  }
  return rows.size();
}

/// Stalls of the kernel itself that a further pass adds, on average: those of `all` instructions
/// without those of the `earlier` ones.
LineStalls stalls_per_pass(const Schedule& schedule, const MicroProgram& program, Selection all,
                           Selection earlier, std::size_t passes) {
  LineStalls stalls = stalls_by_line(schedule, program, all);
  for (const auto& [where, cycles] : stalls_by_line(schedule, program, earlier))
    stalls[where] -= cycles;
  for (auto& [where, cycles] : stalls) cycles /= static_cast<double>(passes);
  std::erase_if(stalls, [](const auto& each) { return each.second == 0; });
  return stalls;
}

} // namespace

std::optional<double> TileCost::cycles() const {
  if (!is_tile && rows == 0) return std::nullopt;
  return pass.cycles * passes();
}

double TileCost::passes() const {
  return is_tile || rows == 0 ? 1 : kRowsPerTile / rows;
}

std::optional<double> TileCost::cycles_per_row() const {
  if (rows == 0) return std::nullopt;
  return pass.cycles / rows;
}

Program on_tiles(const Program& program, std::size_t passes) {
  const std::vector<ProgramPart> parts = parts_of(program);
  Program result = program;
  result.words.reserve(program.words.size() + (passes - 1) * words_per_pass(program));
  for (std::size_t pass = 1; pass < passes; ++pass) {
    deal_out(program, [&](std::size_t i) -> DealtTo {
      return {result, i < parts.size() && parts[i] != ProgramPart::Init};
    });
  }
  return result;
}

TileCost tile_cost(const MachineState& start, const Program& program, bool is_kernel,
                   const ScheduleOptions& options) {
  const Arch arch = start.config.arch();
  const std::size_t once = FrontEnd(arch).expand(program).ops.size();
  std::size_t passes =
      std::clamp(kSteadyInstructions / std::max<std::size_t>(1, once), kFewestPasses, kMostPasses);
  if (once > kLongProgram) passes = 1;
  const Program steady = on_tiles(program, passes);
  const std::vector<ProgramPart> parts = parts_of(steady);
  const MicroProgram prepared = FrontEnd(arch).expand(steady);
  const Schedule schedule = timing::schedule(start, prepared, options);
  const auto end_of = [&](std::size_t pass) {
    if (pass == 0) return std::size_t{0};
    return issues_of_words(prepared, program.words.size() + (pass - 1) * words_per_pass(program));
  };
  const std::size_t earlier = passes / 2, all = schedule.issues.size();
  const auto per_pass = [&](ProgramPart part) {
    return (count(schedule, prepared, {all, part, parts}) -
            count(schedule, prepared, {end_of(earlier), part, parts})) /
           static_cast<double>(passes - earlier);
  };
  TileCost cost;
  cost.init = count(schedule, prepared, {all, ProgramPart::Init, parts}).cycles;
  cost.around = per_pass(ProgramPart::Around).cycles;
  cost.pass = per_pass(ProgramPart::Tile);
  cost.stalls = stalls_per_pass(schedule, prepared, {all, ProgramPart::Tile, parts},
                                {end_of(earlier), ProgramPart::Tile, parts}, passes - earlier);
  const std::size_t rows = rows_stored(schedule, end_of(1));
  cost.rows = static_cast<double>(std::min<std::size_t>(kRowsPerTile, rows));
  cost.is_tile = is_kernel;
  return cost;
}

std::optional<std::array<TileCost, 2>> pushed_tile_cost(const MachineState& start,
                                                        const Program& program, bool is_kernel,
                                                        const TileCost& replayed) {
  const ArchParams& chip = arch_params(start.config.arch());
  if (chip.cores.slowest_push <= 1) return std::nullopt;
  const auto at = [&](double interval) {
    return tile_cost(start, program, is_kernel, {.push_interval = interval});
  };
  const std::array band{at(chip.cores.fastest_push), at(chip.cores.slowest_push)};
  if (band[1].pass.cycles <= replayed.pass.cycles) return std::nullopt;
  return band;
}

std::optional<TileCost> computed_tile_cost(const MachineState& start, const Program& program,
                                           bool is_kernel, const TileCost& constant) {
  if (computed_words(program) == 0) return std::nullopt;
  const TileCost computed = tile_cost(start, program, is_kernel, {.computed_push = kComputedPush});
  if (computed.pass.cycles <= constant.pass.cycles) return std::nullopt;
  return computed;
}

std::size_t computed_words(const Program& program) {
  return static_cast<std::size_t>(std::ranges::count_if(program.words, [](const ProgramWord& word) {
    return word.computed && part_of_line(word.line) == ProgramPart::Tile;
  }));
}

Timing time_program(const MachineState& start, const Program& program, bool is_kernel,
                    const MicroProgram& prepared, Schedule schedule) {
  Timing timing{.schedule = std::move(schedule),
                .total = {},
                .tile = tile_cost(start, program, is_kernel),
                .pushed = {},
                .computed = {}};
  timing.total = count(timing.schedule, prepared);
  timing.pushed = pushed_tile_cost(start, program, is_kernel, timing.tile);
  timing.computed = computed_tile_cost(start, program, is_kernel, timing.tile);
  return timing;
}

} // namespace lanewise::timing
