#include "study/sweep/sweep.h"

#include <utility>

#include "study/sweep/engine.h"
#include "study/sweep/facts.h"
#include "study/sweep/remembered.h"
#include "study/sweep/resume.h"
#include "study/sweep/worker.h"

namespace lanewise::sweep {

namespace {

/// What is said of the sweep when so much of it is done.
SweepResult result_of(const SweepPlan& plan, const std::vector<ProgramFacts>& facts,
                      const SweepTotals& totals) {
  SweepResult result{.format = plan.options.format,
                     .output_format = plan.output_format(),
                     .measure = plan.options.measure,
                     .operands = plan.operands,
                     .space = plan.options.space,
                     .total = plan.inputs(),
                     .done = inputs_done(plan, totals),
                     .chips = {}};
  for (std::size_t i = 0; i < plan.programs.size(); ++i)
    result.chips.push_back(chip_result(plan, facts[i], totals.chips[i]));
  return result;
}

/// Of totals that are there: nothing is run but what facts need, for which no code is generated.
Expected<SweepResult> result_without_a_run(const SweepPlan& plan, const SweepTotals& totals) {
  SweepOptions options = plan.options;
  options.generation = Generation::Never;
  const auto quick = make_plan(plan.programs, plan.reference, plan.operands, options);
  if (!quick) return Unexpected(quick.error());
  auto worker = SweepWorker::prepare(*quick);
  if (!worker) return Unexpected(worker.error());
  const auto facts = facts_of(*quick, *worker);
  if (!facts) return Unexpected(facts.error());
  return result_of(*quick, *facts, totals);
}

} // namespace

SweepProgram sweep_program(const execution::LoadedProgram& loaded) {
  return {loaded.arch, loaded.program, loaded.as_kernel(), loaded.kernel.has_value()};
}

Expected<SweepResult> sweep(std::span<const SweepProgram> programs,
                            const references::Reference& reference, const SweepOptions& options) {
  auto plan =
      make_plan({programs.begin(), programs.end()}, &reference, reference.operands(), options);
  if (!plan) return Unexpected(plan.error());
  const RememberedSweep remembered(*plan);
  if (const auto whole = remembered.find()) return result_without_a_run(*plan, *whole);
  parts::SharedWork all;
  parts::SharedWork& work = options.work != nullptr ? *options.work : all;
  auto totals = begin_totals(*plan, work, "sweep");
  if (!totals) return Unexpected(totals.error());
  SweepProgress progress{.done = inputs_done(*plan, *totals),
                         .total = plan->inputs(),
                         .resumed = inputs_done(*plan, *totals)};
  const auto report = [&] {
    progress.done = inputs_done(*plan, *totals);
    return !options.progress || options.progress(progress);
  };
  report(); // making a loop of native code takes seconds, in which somebody may be waiting
  auto worker = SweepWorker::prepare(*plan);
  if (!worker) return Unexpected(worker.error());
  const auto facts = facts_of(*plan, *worker);
  if (!facts) return Unexpected(facts.error());

  if (auto done = run_kept(*plan, std::move(*worker), work, *totals, report); !done)
    return Unexpected(done.error());
  remembered.keep(*totals);
  return result_of(*plan, *facts, *totals);
}

} // namespace lanewise::sweep
