#include "report/sweep/gates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "report/sweep/errors.h"
#include "report/sweep/headline.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using lab::SweepStatistics;
using Sentences = std::vector<std::string>;

/// Why no gate can hold, whatever the errors are.
Sentences obstacles(const lab::SweepResult& result) {
  Sentences sentences;
  if (!result.complete())
    sentences.push_back(
        fmt::format("the sweep stopped after {} of {} inputs", result.done, result.total));
  if (result.chips.empty()) sentences.emplace_back("there are no results");
  for (const SweepStatistics& chip : result.chips) {
    const auto fault = std::find_if(chip.faults.begin(), chip.faults.end(), [](const Fault& each) {
      return !leaves_results_valid(each.kind);
    });
    if (fault != chip.faults.end())
      sentences.push_back(fmt::format("{}: a fault makes results worthless: {}",
                                      chip_name(chip.arch), fault->message));
  }
  return sentences;
}

/// A lost result has no error that could be within a bound.
void add_lost(Sentences& sentences, const lab::SweepResult& result, const SweepStatistics& chip) {
  if (chip.error.lost == 0) return;
  const auto first =
      std::find_if(chip.worst.begin(), chip.worst.end(), [&](const lab::SweepCase& at) {
        return lab::distance_of(result.measure, result.output_format, at) == lab::kLost;
      });
  sentences.push_back(fmt::format(
      "{}: {} lost{}", chip_name(chip.arch), counted(chip.error.lost, "result"),
      first == chip.worst.end() ? "" : ", for instance at " + place_text(result, *first)));
}

/// Nothing that was compared is nothing that holds.
void add_nothing(Sentences& sentences, const SweepStatistics& chip) {
  if (chip.error.count() == 0)
    sentences.push_back(fmt::format("{}: no result was compared", chip_name(chip.arch)));
}

void add_ulp(Sentences& sentences, const lab::SweepResult& result, const SweepStatistics& chip,
             double limit) {
  add_nothing(sentences, chip);
  // A NaN holds no bound.
  if (!(chip.error.largest <= limit))
    sentences.push_back(fmt::format("{}: the largest is {} at {}", chip_name(chip.arch),
                                    ulp_count_text(chip.error.largest),
                                    place_text(result, chip.error.worst)));
  add_lost(sentences, result, chip);
}

void add_exact(Sentences& sentences, const lab::SweepResult& result, const SweepStatistics& chip,
               double limit) {
  add_nothing(sentences, chip);
  if (!(chip.error.largest_exact <= limit))
    sentences.push_back(fmt::format("{}: the largest is {:.6g} at {}", chip_name(chip.arch),
                                    chip.error.largest_exact,
                                    place_text(result, chip.error.worst_exact)));
  add_lost(sentences, result, chip);
}

void add_specials(Sentences& sentences, const lab::SweepResult& result,
                  const SweepStatistics& chip) {
  const auto add = [&](std::string_view kind, const lab::ClassStatistics& of) {
    if (of.differ == 0) return;
    sentences.push_back(fmt::format("{}: {} of {} {} differ, the first at {}: {} instead of {}",
                                    chip_name(chip.arch), of.differ, of.inputs, kind,
                                    place_text(result, of.first),
                                    value_text(result.output_format, of.first.found),
                                    value_text(result.output_format, of.first.expected)));
  };
  add("NaN inputs", chip.nan);
  add("infinite inputs", chip.infinite);
  add("denormal inputs", chip.denormal);
  add("inputs with NaN as the reference", chip.expected_nan);
  if (chip.zero_signs != 0)
    sentences.push_back(
        fmt::format("{}: {} with another sign than the reference", chip_name(chip.arch),
                    chip.zero_signs == 1 ? "1 zero" : fmt::format("{} zeros", chip.zero_signs)));
}

/// What --max-ulp and --max-exact-ulp leave to --specials.
Sentences not_gated(const lab::SweepResult& result) {
  std::vector<std::pair<Arch, std::string>> sentences;
  for (const SweepStatistics& chip : result.chips) {
    for (const std::string& text : apart(chip)) sentences.emplace_back(chip.arch, text);
  }
  return by_chip(sentences);
}

} // namespace

std::vector<std::string> verdict_lines(const GateVerdict& verdict) {
  std::vector<std::string> lines;
  for (const std::string& miss : verdict.misses)
    lines.push_back(fmt::format("gate {}: missed: {}", verdict.option, miss));
  if (!lines.empty()) return lines;
  std::string holds = fmt::format("gate {}: holds", verdict.option);
  if (!verdict.not_gated.empty())
    holds += fmt::format("; without --specials it does not look at {}",
                         fmt::join(verdict.not_gated, "; "));
  return {std::move(holds)};
}

std::vector<GateVerdict> gate_verdicts(const SweepReport& report) {
  const SweepGates& gates = report.gates;
  std::vector<GateVerdict> verdicts;
  const Sentences common = obstacles(report.result);
  const auto add = [&](std::string option, const auto& look_at) {
    GateVerdict verdict{std::move(option), common, {}};
    for (const SweepStatistics& chip : report.result.chips) look_at(verdict.misses, chip);
    verdicts.push_back(std::move(verdict));
  };
  if (gates.max_ulp)
    add(fmt::format("--max-ulp {}", ulp_count_text(*gates.max_ulp)),
        [&](Sentences& misses, const SweepStatistics& chip) {
          add_ulp(misses, report.result, chip, *gates.max_ulp);
        });
  if (gates.max_exact_ulp)
    add(fmt::format("--max-exact-ulp {}", *gates.max_exact_ulp),
        [&](Sentences& misses, const SweepStatistics& chip) {
          add_exact(misses, report.result, chip, *gates.max_exact_ulp);
        });
  for (GateVerdict& verdict : verdicts) {
    if (!gates.specials) verdict.not_gated = not_gated(report.result);
  }
  if (gates.specials)
    add("--specials", [&](Sentences& misses, const SweepStatistics& chip) {
      add_specials(misses, report.result, chip);
    });
  return verdicts;
}

} // namespace lanewise::report
