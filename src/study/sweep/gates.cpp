#include "study/sweep/gates.h"

#include <algorithm>
#include <array>

namespace lanewise::sweep {

namespace {

using Misses = std::vector<GateMiss>;
using MissKind = GateMiss::Kind;

/// In the order in which they are reported.
constexpr std::array kGatedClasses{&SweepStatistics::nan, &SweepStatistics::infinite,
                                   &SweepStatistics::denormal, &SweepStatistics::expected_nan};

bool has_worthless_results(const SweepStatistics& chip) {
  return std::ranges::any_of(chip.faults,
                             [](const Fault& fault) { return !leaves_results_valid(fault.kind); });
}

/// Why no gate can hold, whatever the errors are.
Misses obstacles(const SweepResult& result) {
  Misses misses;
  if (!result.complete()) misses.push_back({MissKind::Stopped});
  if (result.chips.empty()) misses.push_back({MissKind::NoResults});
  for (std::size_t chip = 0; chip < result.chips.size(); ++chip) {
    if (has_worthless_results(result.chips[chip])) misses.push_back({MissKind::Fault, chip});
  }
  return misses;
}

/// `largest` is the error that the gate bounds.
Misses missed_bound(const UlpStatistics& error, double largest, double limit, std::size_t chip) {
  Misses misses;
  if (error.count() == 0) misses.push_back({MissKind::NothingCompared, chip});
  if (!(largest <= limit)) misses.push_back({MissKind::TooFar, chip}); // a NaN holds no bound
  if (error.lost != 0) misses.push_back({MissKind::Lost, chip});
  return misses;
}

Misses missed_specials(const SweepStatistics& statistics, std::size_t chip) {
  Misses misses;
  for (const auto inputs : kGatedClasses) {
    if ((statistics.*inputs).differ != 0) misses.push_back({MissKind::Class, chip, inputs});
  }
  if (statistics.zero_signs != 0) misses.push_back({MissKind::ZeroSigns, chip});
  return misses;
}

/// `missed` gets the statistics of each chip, and its number.
template <class Missed>
GateVerdict verdict_of(Gate gate, const SweepResult& result, const Missed& missed) {
  GateVerdict verdict{gate, obstacles(result)};
  for (std::size_t chip = 0; chip < result.chips.size(); ++chip) {
    const Misses of_chip = missed(result.chips[chip], chip);
    verdict.misses.insert(verdict.misses.end(), of_chip.begin(), of_chip.end());
  }
  return verdict;
}

} // namespace

bool leave_results_valid(const std::vector<Fault>& faults) {
  return std::ranges::all_of(faults, [](const Fault& fault) {
    return leaves_results_valid(fault.kind) || fault.kind == FaultKind::Hazard;
  });
}

std::vector<GateVerdict> gate_verdicts(const SweepResult& result, const SweepGates& gates) {
  std::vector<GateVerdict> verdicts;
  if (gates.max_ulp) {
    verdicts.push_back(
        verdict_of(Gate::MaxUlp, result, [&](const SweepStatistics& of, std::size_t chip) {
          return missed_bound(of.error, of.error.largest, *gates.max_ulp, chip);
        }));
  }
  if (gates.max_exact_ulp) {
    verdicts.push_back(
        verdict_of(Gate::MaxExactUlp, result, [&](const SweepStatistics& of, std::size_t chip) {
          return missed_bound(of.error, of.error.largest_exact, *gates.max_exact_ulp, chip);
        }));
  }
  if (gates.specials) verdicts.push_back(verdict_of(Gate::Specials, result, missed_specials));
  return verdicts;
}

bool sweep_holds(const SweepResult& result, const SweepGates& gates) {
  const auto is_valid = [](const SweepStatistics& chip) {
    return leave_results_valid(chip.faults);
  };
  return result.complete() && std::ranges::all_of(result.chips, is_valid) &&
         std::ranges::all_of(gate_verdicts(result, gates), &GateVerdict::holds);
}

} // namespace lanewise::sweep
