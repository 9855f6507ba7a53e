#include "report/tune/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "chip/timing/harness.h"
#include "report/table/table.h"
#include "study/tune/solver.h"

namespace lanewise::report {

namespace {

/// The harnesses of this chip whose constant is for bf16 tiles that are replayed or pushed.
std::vector<const timing::Harness*> harnesses_of(Arch arch) {
  std::vector<const timing::Harness*> found;
  for (const timing::Harness& each : timing::harnesses()) {
    const bool fits = each.name.starts_with("llk-bench") || each.name.starts_with("wh-");
    if (each.arch == arch && fits) found.push_back(&each);
  }
  return found;
}

std::string number(double value) {
  return fmt::format("{:.1f}", value);
}

TableRow cost_row(const std::string& name, const tune::TuneResult& result, double tile,
                  double per_row) {
  TableRow row{name, number(per_row), number(tile)};
  for (const timing::Harness* harness : harnesses_of(result.arch))
    row.emplace_back(number(tile + harness->overhead));
  return row;
}

std::string cost_table(const tune::TuneResult& result) {
  Table table{.columns = table_columns({""}), .rows = {}};
  for (const char* heading : {result.is_block ? "block" : "per row", "per tile"})
    table.columns.push_back({.heading = heading, .kind = ColumnKind::Number});
  for (const timing::Harness* harness : harnesses_of(result.arch))
    table.columns.push_back({.heading = std::string(harness->name), .kind = ColumnKind::Number});
  const double rows = result.is_block ? 1 : static_cast<double>(result.rows.addresses.size());
  table.rows.push_back(cost_row("before", result, result.plain_cycles, result.plain_cycles / rows));
  if (result.tuned)
    table.rows.push_back(cost_row("after", result, static_cast<double>(result.proof.cycles),
                                  static_cast<double>(result.interval)));
  return table_text(table);
}

std::string bounds_text(const tune::TuneResult& result) {
  const bool holds = result.plain_cycles >= static_cast<double>(result.lowest_interval) *
                                                static_cast<double>(result.rows.addresses.size());
  std::string text =
      holds ? fmt::format("No schedule of this row is below {} cycles: {}.\n",
                          result.lowest_interval, result.lowest_resource)
            : fmt::format(
                  "The kernel does what the tuner does not know, whose schedules of this "
                  "row take {} cycles or more: {}.\n",
                  result.lowest_interval, result.lowest_resource);
  for (const tune::ResourceBound& bound : result.bounds)
    text += fmt::format("  {:<12} {:>3}  {}\n", bound.resource, bound.cycles, bound.why);
  return text;
}

/// What was tried at one interval, over all forms.
struct IntervalTrials {
  bool all_exhausted = true;
  std::uint64_t steps = 0;
  std::size_t forms = 0;
  unsigned span = 0;
  std::string failure;
};

std::map<unsigned, IntervalTrials> by_interval(const tune::TuneResult& result) {
  std::map<unsigned, IntervalTrials> all;
  for (const tune::Trial& trial : result.trials) {
    IntervalTrials& at = all[trial.attempt.interval];
    at.all_exhausted = at.all_exhausted && trial.attempt.outcome == tune::Outcome::Exhausted;
    at.steps += trial.attempt.steps;
    at.span = std::max(at.span, trial.attempt.longest_span);
    ++at.forms;
    if (!trial.result.empty()) at.failure = trial.result;
  }
  return all;
}

std::string outcome_text(const IntervalTrials& at) {
  if (!at.failure.empty()) return at.failure;
  if (at.all_exhausted)
    return fmt::format("impossible for rows of up to {} cycles (exhausted)", at.span);
  return "nothing found within the limit of steps; not shown impossible";
}

std::string trials_text(const tune::TuneResult& result) {
  std::string text = "Tried:\n";
  for (const auto& [interval, at] : by_interval(result)) {
    if (result.tuned && interval > result.interval) continue;
    text += fmt::format("  {:>3} cycles per row: {} ({} steps)\n", interval, outcome_text(at),
                        at.steps);
  }
  if (result.stopped) text += "  The search was stopped before its end.\n";
  return text;
}

std::string optimal_text(const tune::TuneResult& result) {
  if (result.interval == result.lowest_interval)
    return fmt::format("{} cycles per row are optimal, by {}.\n", result.interval,
                       result.lowest_resource);
  return fmt::format("{} cycles per row; the bound is {}.\n", result.interval,
                     result.lowest_interval);
}

std::string resources_text(const tune::Tuned& tuned) {
  return fmt::format("Uses LRegs: {}, macros: {}, templates: {}, replay slots: {}.\n",
                     tuned.registers, tuned.macros, tuned.templates,
                     tuned.is_recorded ? tuned.body : 0);
}

} // namespace

std::string proved_by_text(tune::ProofKind kind) {
  if (kind == tune::ProofKind::Solver) return fmt::format(", proved by {}", tune::kSolver);
  if (kind == tune::ProofKind::DataFlow) return ", proved by its data flow";
  return kind == tune::ProofKind::Expressions ? ", proved by its expressions" : "";
}

std::string findings_text(const std::vector<std::string>& findings) {
  if (findings.empty()) return "nothing";
  return fmt::format("only what it finds of the plain kernel ({})", fmt::join(findings, ", "));
}

std::string proof_line(const tune::Proof& proof) {
  if (!proof.holds) return "Nothing was proved.\n";
  std::string text = fmt::format("Proved: {} inputs, equal bit for bit", proof.inputs);
  if (proof.kind == tune::ProofKind::Solver) {
    text = fmt::format(
        "Proved by {} over all pairs of inputs, equal bit for bit{}; {} of them were "
        "compared as well",
        tune::kSolver, proof.leaves_out ? " but for those where others are allowed" : "",
        proof.inputs);
  } else if (proof.kind == tune::ProofKind::DataFlow) {
    text =
        "Proved: same data flow: the instructions of both programs compute the same of the same, "
        "for every input; both were run on random tiles as well, with words that come late";
  } else if (proof.kind == tune::ProofKind::Expressions) {
    text = fmt::format(
        "Proved: both programs compute the same expressions of their inputs; {} "
        "inputs were compared as well",
        proof.inputs);
  } else if (proof.different != 0) {
    text += fmt::format(" but for {} that were allowed", proof.different);
  }
  return text + fmt::format("; 'check' finds {}; the clock takes {} cycles, as predicted.\n",
                            findings_text(proof.findings), proof.cycles);
}

namespace {

std::string block_text(const tune::TuneResult& result, const std::string& name) {
  std::string text =
      result.not_rows.empty()
          ? fmt::format("{}: a block, since nothing faster was found of its rows\n", name)
          : fmt::format("{}: a block, since rows are refused: {}\n", name, result.not_rows);
  text += cost_table(result);
  text += fmt::format("These instructions take {} cycles in any order, without macros: {}.\n",
                      result.lowest_interval, result.lowest_resource);
  if (!result.proof.failure.empty())
    text += "What was found is not taken: " + result.proof.failure + ".\n";
  if (!result.tuned) return text + "No faster program was found: the plain one stays.\n";
  if (result.interval == result.lowest_interval)
    text += fmt::format("{} cycles are optimal for them.\n", result.interval);
  return text + fmt::format("Uses LRegs: {}.\n", result.tuned->registers) +
         proof_line(result.proof);
}

} // namespace

std::string tune_text(const tune::TuneResult& result, const std::string& name) {
  if (result.is_block) return block_text(result, name);
  std::string text = fmt::format("{}: {} rows\n", name, result.rows.addresses.size());
  text += cost_table(result) + bounds_text(result) + trials_text(result);
  if (!result.tuned && !result.proof.failure.empty())
    text += "What was found is not proved: " + result.proof.failure + ".\n";
  if (!result.tuned) return text + "No faster program was found: the plain one stays.\n";
  text += optimal_text(result) + resources_text(*result.tuned);
  for (const std::string& each : result.proof.differences)
    text += fmt::format("  differs: {}\n", each);
  return text + proof_line(result.proof);
}

} // namespace lanewise::report
