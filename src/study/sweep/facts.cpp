#include "study/sweep/facts.h"

#include <limits>
#include <utility>

#include "chip/isa/program_digest.h"
#include "run/execution/tile_runner.h"
#include "run/execution/unprogrammed.h"

namespace lanewise::sweep {

namespace {

/// The formats of the tiles of Dst that hold operands.
std::vector<formats::Format> filled_tiles(const SweepPlan& plan) {
  std::vector<formats::Format> filled;
  for (unsigned operand = 0; operand < plan.operands; ++operand) {
    if (!plan.options.sources.has(operand)) filled.push_back(plan.options.format);
  }
  return filled;
}

/// What a program executes; its cycles are unknown.
timing::TileCost cost_without_clock(const execution::TileMachine& machine) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  timing::TileCost cost;
  cost.is_tile = true;
  cost.init = kUnknown;
  cost.pass.slots = static_cast<double>(machine.instructions());
  cost.pass.cycles = kUnknown;
  return cost;
}

Expected<void> add_timing(const SweepPlan& plan, const SweepProgram& program, ProgramFacts& facts) {
  const auto timed = execution::schedule_on_tile(program.arch, program.program,
                                                 tile_options(program, plan.options));
  if (!timed) return Unexpected(timed.error());
  facts.cost = timing::tile_cost(timed->start, program.program, program.is_tile);
  merge_faults(facts.faults,
               execution::unprogrammed_faults(*timed, program.program, filled_tiles(plan)));
  return {};
}

} // namespace

Expected<std::vector<ProgramFacts>> facts_of(const SweepPlan& plan, SweepWorker& worker) {
  std::vector<ProgramFacts> all;
  for (std::size_t i = 0; i < plan.programs.size(); ++i) {
    const SweepProgram& program = plan.programs[i];
    const execution::TileMachine& machine = worker.programs()[i].machine();
    ProgramFacts facts{.arch = program.arch,
                       .program = isa::program_digest(program.program),
                       .cost = {},
                       .faults = {},
                       .specials = {}};
    merge_faults(facts.faults, machine.faults());
    if (!arch_params(program.arch).has_clock) {
      facts.cost = cost_without_clock(machine);
    } else if (auto done = add_timing(plan, program, facts); !done) {
      return Unexpected(done.error());
    }
    all.push_back(std::move(facts));
  }
  if (plan.reference == nullptr) return all;
  auto specials = worker.run_specials();
  if (!specials) return Unexpected(specials.error());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].specials = std::move((*specials)[i].cases);
    merge_faults(all[i].faults, (*specials)[i].faults);
  }
  return all;
}

SweepStatistics chip_result(const SweepPlan& plan, const ProgramFacts& facts,
                            const ChipTotals& totals) {
  SweepStatistics statistics = statistics_of(plan.parts, totals);
  statistics.arch = facts.arch;
  statistics.program = facts.program;
  statistics.instructions = facts.cost.pass.slots * facts.cost.passes();
  statistics.cycles = facts.cost.pass.cycles * facts.cost.passes();
  statistics.init_cycles = facts.cost.init;
  statistics.specials = facts.specials;
  statistics.faults = facts.faults;
  merge_faults(statistics.faults, totals.statistics.faults);
  const bool has_probe =
      execution::StoreProbe::suits(plan.output_format()) && !has_narrow_lanes(facts.arch);
  if (has_probe && !statistics.before_store) statistics.before_store.emplace();
  statistics.monotonicity.looked_at = plan.looks_at_monotonicity();
  statistics.symmetry.looked_at = statistics.symmetry.pairs != 0;
  return statistics;
}

} // namespace lanewise::sweep
