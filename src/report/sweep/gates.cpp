#include "report/sweep/gates.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "report/plain_number.h"
#include "report/sweep/errors.h"
#include "report/sweep/headline.h"
#include "report/sweep/values.h"

namespace lanewise::report {

namespace {

using sweep::Gate;
using sweep::SweepStatistics;

std::string fault_sentence(const SweepStatistics& chip) {
  const auto fault = std::ranges::find_if(
      chip.faults, [](const Fault& each) { return !leaves_results_valid(each.kind); });
  return "a fault makes results worthless: " + fault->message;
}

std::string lost_sentence(const sweep::SweepResult& result, const SweepStatistics& chip) {
  const auto first = std::ranges::find_if(chip.worst, [&](const sweep::SweepCase& at) {
    return sweep::distance_of(result.measure, result.output_format, at) == formats::kLost;
  });
  return fmt::format(
      "{} lost{}", counted(chip.error.lost, "result"),
      first == chip.worst.end() ? "" : ", for instance at " + place_text(result, *first));
}

/// The largest error of those that the gate bounds.
std::string largest_sentence(Gate gate, const sweep::SweepResult& result,
                             const sweep::UlpStatistics& error) {
  if (gate == Gate::MaxExactUlp)
    return fmt::format("the largest is {:.6g} at {}", error.largest_exact,
                       place_text(result, error.worst_exact));
  return fmt::format("the largest is {} at {}", ulp_count_text(error.largest),
                     place_text(result, error.worst));
}

std::string class_sentence(const sweep::SweepResult& result, const SweepStatistics& chip,
                           sweep::ClassStatistics SweepStatistics::*inputs) {
  constexpr std::array kNames{
      std::pair{&SweepStatistics::nan, "NaN inputs"},
      std::pair{&SweepStatistics::infinite, "infinite inputs"},
      std::pair{&SweepStatistics::denormal, "denormal inputs"},
      std::pair{&SweepStatistics::expected_nan, "inputs with NaN as the reference"}};
  const auto name = std::ranges::find(kNames, inputs, [](const auto& each) { return each.first; });
  const sweep::ClassStatistics& of = chip.*inputs;
  return fmt::format("{} of {} {} differ, the first at {}: {} instead of {}", of.differ, of.inputs,
                     name->second, place_text(result, of.first),
                     value_text(result.output_format, of.first.found),
                     value_text(result.output_format, of.first.expected));
}

std::string miss_sentence(Gate gate, const sweep::SweepResult& result,
                          const sweep::GateMiss& miss) {
  using Kind = sweep::GateMiss::Kind;
  if (miss.kind == Kind::Stopped)
    return fmt::format("the sweep stopped after {} of {} inputs", result.done, result.total);
  if (miss.kind == Kind::NoResults) return "there are no results";
  const SweepStatistics& chip = result.chips[miss.chip];
  const auto sentence = [&]() -> std::string {
    switch (miss.kind) {
      case Kind::Stopped:
      case Kind::NoResults: break; // of no chip
      case Kind::Fault: return fault_sentence(chip);
      case Kind::NothingCompared: return "no result was compared";
      case Kind::TooFar: return largest_sentence(gate, result, chip.error);
      case Kind::Lost: return lost_sentence(result, chip);
      case Kind::Class: return class_sentence(result, chip, miss.inputs);
      case Kind::ZeroSigns:
        return counted(chip.zero_signs, "zero") + " with another sign than the reference";
    }
    return "";
  };
  return fmt::format("{}: {}", chip_name(chip.arch), sentence());
}

/// What --max-ulp and --max-exact-ulp leave to --specials.
std::vector<std::string> not_gated(const sweep::SweepResult& result) {
  std::vector<std::pair<Arch, std::string>> sentences;
  for (const SweepStatistics& chip : result.chips) {
    for (const std::string& text : apart(chip)) sentences.emplace_back(chip.arch, text);
  }
  return by_chip(sentences);
}

/// As the user writes it.
std::string gate_option(Gate gate, const sweep::SweepGates& gates) {
  switch (gate) {
    case Gate::MaxUlp: return "--max-ulp " + ulp_count_text(*gates.max_ulp);
    case Gate::MaxExactUlp: return fmt::format("--max-exact-ulp {}", *gates.max_exact_ulp);
    case Gate::Specials: return "--specials";
  }
  return "";
}

} // namespace

std::vector<std::string> gate_lines(const GateText& gate) {
  std::vector<std::string> lines;
  for (const std::string& miss : gate.misses)
    lines.push_back(fmt::format("gate {}: missed: {}", gate.option, miss));
  if (!lines.empty()) return lines;
  std::string holds = fmt::format("gate {}: holds", gate.option);
  if (!gate.not_gated.empty())
    holds +=
        fmt::format("; without --specials it does not look at {}", fmt::join(gate.not_gated, "; "));
  return {std::move(holds)};
}

std::vector<GateText> gate_texts(const SweepReport& report) {
  std::vector<GateText> texts;
  for (const sweep::GateVerdict& verdict : sweep::gate_verdicts(report.result, report.gates)) {
    GateText text{.option = gate_option(verdict.gate, report.gates), .misses = {}, .not_gated = {}};
    for (const sweep::GateMiss& miss : verdict.misses)
      text.misses.push_back(miss_sentence(verdict.gate, report.result, miss));
    if (!report.gates.specials) text.not_gated = not_gated(report.result);
    texts.push_back(std::move(text));
  }
  return texts;
}

} // namespace lanewise::report
