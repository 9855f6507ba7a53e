#include "study/sweep/diff.h"

#include <algorithm>
#include <utility>

#include "study/sweep/engine.h"
#include "study/sweep/facts.h"
#include "study/sweep/gates.h"
#include "study/sweep/resume.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

namespace {

Expected<void> check_pairs(std::span<const SweepProgram> first,
                           std::span<const SweepProgram> second) {
  bool are_pairs = first.size() == second.size();
  for (std::size_t i = 0; are_pairs && i < first.size(); ++i)
    are_pairs = first[i].arch == second[i].arch;
  if (are_pairs) return {};
  return bad_input("the programs to be compared are not for the same chips",
                   "give both programs for the same chips, in the same order");
}

DiffStatistics::Side side_of(const SweepProgram& program, const ProgramFacts& facts,
                             const SweepStatistics& statistics) {
  return {.instructions = statistics.instructions,
          .cycles = statistics.cycles,
          .init_cycles = statistics.init_cycles,
          .words = static_cast<double>(program.program.words.size()),
          .rows = facts.cost.rows,
          .faults = statistics.faults};
}

DiffResult result_of(const SweepPlan& plan, const std::vector<ProgramFacts>& facts,
                     const SweepTotals& totals) {
  DiffResult result{.format = plan.options.format,
                    .output_format = plan.output_format(),
                    .measure = plan.options.measure,
                    .operands = plan.operands,
                    .space = plan.options.space,
                    .total = plan.inputs(),
                    .done = inputs_done(plan, totals),
                    .chips = {},
                    .distances = {},
                    .first_errors = {},
                    .second_errors = {}};
  std::vector<SweepStatistics> errors;
  for (std::size_t i = 0; i < plan.programs.size(); ++i)
    errors.push_back(chip_result(plan, facts[i], totals.chips[i]));
  const std::size_t pairs = totals.diffs.size();
  for (std::size_t i = 0; i < pairs; ++i) {
    const DiffCounts& counts = totals.diffs[i].counts;
    SweepStatistics distance = statistics_of(plan.parts, totals.diffs[i].distance);
    distance.arch = plan.programs[i].arch;
    result.chips.push_back(
        {.arch = plan.programs[i].arch,
         .inputs = counts.inputs,
         .changed = counts.changed,
         .distance = distance.error,
         .worst = counts.worst,
         .first = side_of(plan.programs[i], facts[i], errors[i]),
         .second = side_of(plan.programs[pairs + i], facts[pairs + i], errors[pairs + i])});
    result.distances.push_back(std::move(distance));
  }
  if (plan.reference == nullptr) return result;
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(pairs);
  result.first_errors.assign(errors.begin(), middle);
  result.second_errors.assign(middle, errors.end());
  return result;
}

/// What a program makes of inputs, none of which is a statistic.
Expected<FoundBits> results_of(const SweepProgram& program, const ChunkInputs& inputs,
                               const SweepOptions& options) {
  auto runner = ChunkRunner::prepare(program, options, false, false);
  if (!runner) return Unexpected(runner.error());
  FoundBits results;
  runner->run(inputs, results);
  return results;
}

} // namespace

bool is_same(const DiffResult& result) {
  return result.done == result.total &&
         std::ranges::all_of(result.chips, [](const DiffStatistics& chip) {
           return chip.changed == 0 && leave_results_valid(chip.first.faults) &&
                  leave_results_valid(chip.second.faults);
         });
}

Expected<DiffResult> diff_programs(std::span<const SweepProgram> first,
                                   std::span<const SweepProgram> second, unsigned operands,
                                   const references::Reference* reference,
                                   const SweepOptions& options) {
  if (auto fits = check_pairs(first, second); !fits) return Unexpected(fits.error());
  std::vector<SweepProgram> programs(first.begin(), first.end());
  programs.insert(programs.end(), second.begin(), second.end());
  if (reference != nullptr) operands = reference->operands();
  auto plan = make_plan(std::move(programs), reference, operands, options);
  if (!plan) return Unexpected(plan.error());
  plan->is_comparison = true;
  parts::SharedWork all;
  parts::SharedWork& work = options.work != nullptr ? *options.work : all;
  auto totals = begin_totals(*plan, work, "comparison");
  if (!totals) return Unexpected(totals.error());
  auto worker = SweepWorker::prepare(*plan);
  if (!worker) return Unexpected(worker.error());
  const auto facts = facts_of(*plan, *worker);
  if (!facts) return Unexpected(facts.error());

  const std::uint64_t resumed = inputs_done(*plan, *totals);
  const auto go_on = [&] {
    std::uint64_t changed = 0;
    for (const DiffTotals& pair : totals->diffs) changed += pair.counts.changed;
    return !options.progress || options.progress({.done = inputs_done(*plan, *totals),
                                                  .total = plan->inputs(),
                                                  .resumed = resumed,
                                                  .changed = changed});
  };
  if (auto done = run_kept(*plan, std::move(*worker), work, *totals, go_on); !done)
    return Unexpected(done.error());
  return result_of(*plan, *facts, *totals);
}

Expected<std::vector<SweepCase>> find_changes(const SweepProgram& first, const SweepProgram& second,
                                              const ChunkInputs& inputs,
                                              const SweepOptions& options) {
  const auto expected = results_of(first, inputs, options);
  if (!expected) return Unexpected(expected.error());
  const auto found = results_of(second, inputs, options);
  if (!found) return Unexpected(found.error());
  std::vector<SweepCase> changes;
  for (std::size_t i = 0; i < inputs.x.size(); ++i) {
    if (found->found[i] == expected->found[i]) continue;
    changes.push_back({.x = inputs.x[i],
                       .y = inputs.y.empty() ? 0 : inputs.y[i],
                       .expected = expected->found[i],
                       .found = found->found[i]});
  }
  return changes;
}

} // namespace lanewise::sweep
