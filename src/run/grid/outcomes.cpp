#include "run/grid/outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace lanewise::grid {

namespace {

/// A fault and the cores that have it.
struct Shared {
  Fault fault;
  std::vector<programs::Core> cores;
};

/// Cores are named, but for those behind the first few.
std::string cores_text(const std::vector<programs::Core>& cores) {
  constexpr std::size_t kNamed = 4;
  std::string text = cores.size() == 1 ? "core" : fmt::format("{} cores", cores.size());
  for (std::size_t i = 0; i < std::min(cores.size(), kNamed); ++i)
    text += (i == 0 ? " " : ", ") + core_text(cores[i]);
  return cores.size() > kNamed ? text + ", ..." : text;
}

} // namespace

launch::LaunchOutcome merge_outcomes(std::span<CoreOutcome> cores) {
  launch::LaunchOutcome all;
  std::vector<Shared> faults;
  for (auto& [core, outcome] : cores) {
    for (Fault& fault : outcome.faults) {
      const auto known = std::ranges::find(faults, fault, &Shared::fault);
      if (known == faults.end()) {
        faults.push_back({.fault = std::move(fault), .cores = {core}});
      } else {
        known->cores.push_back(core);
      }
    }
    if (outcome.failure && !all.failure) {
      all.failure = std::move(outcome.failure);
      all.failure->message = fmt::format("core {}: {}", core_text(core), all.failure->message);
    }
    for (const std::string& blocked : outcome.blocked)
      all.blocked.push_back(fmt::format("core {}: {}", core_text(core), blocked));
    for (const std::string& line : outcome.prints)
      all.prints.push_back(fmt::format("{} {}", core_text(core), line));
    all.ran_out = all.ran_out || outcome.ran_out;
    all.was_stopped = all.was_stopped || outcome.was_stopped;
    for (std::size_t i = 0; i < all.executed.size(); ++i) all.executed[i] += outcome.executed[i];
    all.transactions += outcome.transactions;
    for (auto& stretches : outcome.stretches) all.stretches.push_back(std::move(stretches));
  }
  for (Shared& shared : faults) {
    shared.fault.message = fmt::format("{}: {}", cores_text(shared.cores), shared.fault.message);
    all.faults.push_back(std::move(shared.fault));
  }
  return all;
}

} // namespace lanewise::grid
