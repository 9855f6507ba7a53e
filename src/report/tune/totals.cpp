#include "report/tune/totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace lanewise::report {

namespace {

using corpus::TuneOutcome;
using corpus::TuneVerdict;

/// The same text for "row 3 lies..." and "row 5 lies..."; digits in names stay.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    const bool in_name =
        !result.empty() && (std::isalnum(static_cast<unsigned char>(result.back())) != 0);
    if (!is_digit || in_name) {
      result += text[i++];
      continue;
    }
    result += 'N';
    while (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0) ++i;
  }
  return result;
}

/// Sentences that are the same but for their numbers.
struct Alike {
  std::string text; ///< the sentence, without numbers if they differ
  std::size_t count = 0;
};

std::vector<std::pair<std::string, std::size_t>> by_frequency(
    std::span<const corpus::TunedCase> cases) {
  std::map<std::string, Alike> all;
  for (const corpus::TunedCase& each : cases) {
    const TuneOutcome& outcome = each.outcome;
    if (outcome.verdict != TuneVerdict::Refused && outcome.verdict != TuneVerdict::NotCompiled)
      continue;
    const std::string reason =
        (outcome.verdict == TuneVerdict::NotCompiled ? "does not compile: " : "") + outcome.why;
    const std::string key = without_numbers(reason);
    Alike& alike = all[key];
    if (alike.count++ == 0) alike.text = reason;
    if (alike.text != reason) alike.text = key;
  }
  std::vector<std::pair<std::string, std::size_t>> reasons;
  reasons.reserve(all.size());
  for (const auto& [key, alike] : all) reasons.emplace_back(alike.text, alike.count);
  std::ranges::stable_sort(reasons, std::greater<>(), &std::pair<std::string, std::size_t>::second);
  return reasons;
}

/// Of a case that was searched.
double ratio_of(const TuneOutcome& outcome) {
  return outcome.is_faster() ? static_cast<double>(outcome.cycles) / outcome.plain_cycles : 1;
}

void count(TuneTotals& totals, const TuneOutcome& outcome) {
  const auto add = [](std::size_t& number, bool is_one) { number += is_one ? 1 : 0; };
  add(totals.not_compiled, outcome.verdict == TuneVerdict::NotCompiled);
  add(totals.failed, outcome.verdict == TuneVerdict::Failed);
  add(totals.refused, outcome.verdict == TuneVerdict::Refused);
  add(totals.taken, outcome.was_taken());
  add(totals.blocks, outcome.was_taken() && outcome.is_block);
  add(totals.not_proved, outcome.verdict == TuneVerdict::NotProved);
  if (!outcome.was_searched()) return;
  ++totals.searched;
  add(totals.faster, ratio_of(outcome) < 1);
  add(totals.best, outcome.is_best());
  add(totals.slower, ratio_of(outcome) > 1);
  add(totals.optimal, outcome.verdict == TuneVerdict::Optimal);
  if (outcome.is_faster()) {
    add(totals.by_solver, outcome.proved_by == tune::ProofKind::Solver);
    add(totals.by_expressions, outcome.proved_by == tune::ProofKind::Expressions);
  }
  add(totals.was_stopped, outcome.was_stopped);
}

} // namespace

TuneTotals tune_totals(std::span<const corpus::TunedCase> cases) {
  TuneTotals totals{.cases = cases.size()};
  double logarithms = 0;
  for (const corpus::TunedCase& each : cases) {
    count(totals, each.outcome);
    if (each.outcome.was_searched()) logarithms += std::log(ratio_of(each.outcome));
  }
  if (totals.searched != 0)
    totals.ratio = std::exp(logarithms / static_cast<double>(totals.searched));
  totals.reasons = by_frequency(cases);
  return totals;
}

} // namespace lanewise::report
