#include "report/tune/corpus_table.h"

#include <fmt/format.h>

#include "report/tune/text.h"
#include "report/tune/totals.h"
#include "study/tune/solver.h"

namespace lanewise::report {

namespace {

using corpus::TunedCase;
using corpus::TuneOutcome;
using corpus::TuneVerdict;

std::string cycles_text(double cycles) {
  return cycles == 0 ? "" : fmt::format("{:.0f}", cycles);
}

std::string plain_row_text(const TuneOutcome& outcome) {
  return outcome.rows == 0 ? "" : fmt::format("{:.1f}", outcome.plain_cycles / outcome.rows);
}

std::string because(const char* verdict, const std::string& why) {
  return why.empty() ? verdict : fmt::format("{}: {}", verdict, why);
}

const char* plain_stays_text(const TuneOutcome& outcome) {
  if (outcome.is_best()) return "nothing faster";
  return outcome.is_below_bound() ? "nothing faster found, shipped is below the bound"
                                  : "nothing faster found";
}

/// "bound 7, proved by z3, stopped at the limit of time".
std::string result_text(const TuneOutcome& outcome) {
  std::string text;
  switch (outcome.verdict) {
    case TuneVerdict::Optimal: text = "optimal"; break;
    case TuneVerdict::Bounded: text = fmt::format("bound {}", outcome.lowest_interval); break;
    case TuneVerdict::NothingFaster: text = because(plain_stays_text(outcome), outcome.why); break;
    case TuneVerdict::NotProved: return because("not proved here", outcome.why);
    case TuneVerdict::Refused: return because("refused", outcome.why);
    case TuneVerdict::NotCompiled: return because("does not compile", outcome.why);
    case TuneVerdict::Failed: return because("failed", outcome.why);
  }
  if (outcome.is_faster()) text += proved_by_text(outcome.proved_by);
  if (outcome.is_block) text = "as a block: " + text;
  if (outcome.was_stopped) text += ", stopped at the limit of time";
  return text;
}

/// In a cell of Markdown, where a | or an end of a line would end it.
std::string in_cell(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string markdown_of(Table table) {
  for (TableRow& row : table.rows) {
    for (TableCell& cell : row) cell.text = in_cell(cell.text);
  }
  return table_markdown(table);
}

nlohmann::ordered_json totals_json(std::span<const TunedCase> cases) {
  const TuneTotals totals = tune_totals(cases);
  nlohmann::ordered_json reasons = nlohmann::ordered_json::array();
  for (const auto& [reason, count] : totals.reasons)
    reasons.push_back({{"reason", reason}, {"kernels", count}});
  return {{"kernels", totals.cases},
          {"not_compiled", totals.not_compiled},
          {"failed", totals.failed},
          {"refused", totals.refused},
          {"taken", totals.taken},
          {"not_proved", totals.not_proved},
          {"searched", totals.searched},
          {"faster", totals.faster},
          {"proved_best", totals.best},
          {"slower", totals.slower},
          {"optimal", totals.optimal},
          {"proved_by_z3", totals.by_solver},
          {"proved_by_expressions", totals.by_expressions},
          {"blocks", totals.blocks},
          {"stopped_by_time", totals.was_stopped},
          {"geometric_mean", totals.ratio},
          {"reasons", std::move(reasons)}};
}

} // namespace

Table tuned_corpus_table(std::span<const TunedCase> cases) {
  Table table{.columns = table_columns({"kernel", "tiles", "chip"})};
  for (const char* heading : {"row", "tile", "row tuned", "tile tuned", "bound"})
    table.columns.push_back({.heading = heading, .kind = ColumnKind::Number});
  for (const char* heading : {"set by", "result"}) table.columns.push_back({.heading = heading});
  for (const TunedCase& each : cases) {
    const TuneOutcome& outcome = each.outcome;
    table.rows.push_back(
        {each.kernel, each.variant, std::string(arch_params(each.arch).names.id),
         plain_row_text(outcome), cycles_text(outcome.plain_cycles), cycles_text(outcome.interval),
         cycles_text(static_cast<double>(outcome.cycles)), cycles_text(outcome.lowest_interval),
         outcome.resource, result_text(outcome)});
  }
  return table;
}

std::vector<std::string> tune_total_sentences(std::span<const TunedCase> cases) {
  const TuneTotals totals = tune_totals(cases);
  std::vector<std::string> sentences{fmt::format(
      "Of {} kernels, in their configurations, {} are taken; {} are refused, {} do not compile.",
      totals.cases, totals.taken, totals.refused, totals.not_compiled)};
  if (totals.blocks != 0)
    sentences.push_back(fmt::format(
        "Of those that are taken, {} were tuned as a block, since they are no equal rows, or since "
        "nothing faster was found of their rows.",
        totals.blocks));
  if (totals.failed != 0)
    sentences.push_back(fmt::format("Of {} the process was ended.", totals.failed));
  if (totals.not_proved != 0)
    sentences.push_back(
        fmt::format("Of those that are taken, {} have faster programs whose proof over all inputs "
                    "would take minutes: --prove all does it, and of an operation 'lanewise tune "
                    "--metal DIR --op NAME' by itself.",
                    totals.not_proved));
  sentences.push_back(fmt::format(
      "Of {} that were searched, {} are faster ({} at their bound, {} proved by their expressions, "
      "{} by {}), {} slower.",
      totals.searched, totals.faster, totals.optimal, totals.by_expressions, totals.by_solver,
      tune::kSolver, totals.slower == 0 ? "none is" : fmt::format("{} are", totals.slower)));
  sentences.push_back(
      fmt::format("Of {} kernels {} are faster or proved best: of {} the bound says that nothing "
                  "is faster than "
                  "what is shipped.",
                  totals.cases, totals.faster + totals.best, totals.best));
  if (totals.was_stopped != 0)
    sentences.push_back(fmt::format(
        "The limit of time ended {} searches: another machine may find more.", totals.was_stopped));
  sentences.push_back(
      fmt::format("Geometric mean of tuned to shipped cycles of a tile: {:.3f}, where a kernel "
                  "without a faster program counts as 1.",
                  totals.ratio));
  return sentences;
}

Table tune_reasons_table(std::span<const TunedCase> cases) {
  Table table{.columns = {{.heading = "kernels", .kind = ColumnKind::Number},
                          {.heading = "why they are not tuned"}}};
  for (const auto& [reason, count] : tune_totals(cases).reasons)
    table.rows.push_back({std::to_string(count), reason});
  return table;
}

std::string tuned_corpus_markdown(std::span<const TunedCase> cases) {
  std::string text = markdown_of(tuned_corpus_table(cases)) + "\n";
  for (const std::string& sentence : tune_total_sentences(cases)) text += sentence + "\n";
  const Table reasons = tune_reasons_table(cases);
  return reasons.rows.empty() ? text : text + "\n" + markdown_of(reasons);
}

nlohmann::ordered_json tuned_corpus_json(std::span<const TunedCase> cases) {
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const TunedCase& each : cases) {
    nlohmann::ordered_json kernel{{"kernel", each.kernel},
                                  {"header", each.header},
                                  {"tiles", each.variant},
                                  {"chip", arch_params(each.arch).names.id}};
    kernel.update(corpus::outcome_json(each.outcome));
    kernels.push_back(std::move(kernel));
  }
  return {{"kernels", std::move(kernels)}, {"totals", totals_json(cases)}};
}

} // namespace lanewise::report
