#include "run/grid/trials.h"

#include <algorithm>

namespace lanewise::grid {

namespace {

using launch::Mend;
using launch::Mendable;

bool is_of(const Mendable& mendable, const Fault& fault) {
  return fault.file == mendable.file && fault.line == mendable.line && fault.rule == mendable.rule;
}

bool has(const launch::LaunchOutcome& outcome, const auto& is_so) {
  return std::ranges::any_of(outcome.faults, is_so) || (outcome.failure && is_so(*outcome.failure));
}

/// Whether a core has a fault in the trial where it had none.
bool has_new(const launch::LaunchOutcome& before, const launch::LaunchOutcome& tried) {
  return has(tried, [&](const Fault& fault) {
    return !has(before, [&](const Fault& each) {
      return each.file == fault.file && each.line == fault.line && each.rule == fault.rule;
    });
  });
}

void say(launch::LaunchOutcome& outcome, const Mendable& mendable, Trial trial) {
  if (mendable.blocked) {
    outcome.blocked[*mendable.blocked] += trial_text(trial);
    return;
  }
  const auto say_of = [&](Fault& fault) {
    if (is_of(mendable, fault)) fault.remedy += trial_text(trial);
  };
  std::ranges::for_each(outcome.faults, say_of);
  if (outcome.failure) say_of(*outcome.failure);
}

} // namespace

std::string_view trial_text(Trial trial) {
  switch (trial) {
    case Trial::Untried: break;
    case Trial::Helps: return " (tried: with it, this is gone)";
    case Trial::Fails: return " (tried: by itself, it is not enough)";
  }
  return "";
}

bool are_done(std::span<const CoreOutcome> cores) {
  return std::ranges::all_of(cores, [](const CoreOutcome& each) { return each.outcome.is_done(); });
}

std::vector<std::vector<Mend>> mends_to_try(std::span<const CoreOutcome> cores,
                                            std::span<const std::size_t> group_of,
                                            const Races& races) {
  std::vector<std::vector<Mend>> all(std::ranges::max(group_of) + 1);
  bool any = are_done(cores); // who lacks barriers only, and goes no further, is not run again
  for (std::size_t group = 0; group < all.size(); ++group) {
    all[group] = races.lacking(group);
    any = any || std::ranges::any_of(
                     all[group], [](const Mend& each) { return each.kind != Mend::Kind::Barrier; });
  }
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const launch::LaunchOutcome& outcome = cores[i].outcome;
    if (outcome.ran_out) return {};
    std::vector<Mend>& of_group = all[group_of[i]];
    for (const Mendable& each : outcome.mends)
      if (std::ranges::find(of_group, each.mend) == of_group.end()) of_group.push_back(each.mend);
    any = any || !outcome.mends.empty();
  }
  const bool are_none =
      std::ranges::all_of(all, [](const std::vector<Mend>& each) { return each.empty(); });
  return any && !are_none ? all : std::vector<std::vector<Mend>>{};
}

void judge(std::span<CoreOutcome> cores, Races& races, std::span<const CoreOutcome> tried,
           const Races& races_tried) {
  if (!races_tried.missed().empty()) return;
  const bool is_done = are_done(tried);
  bool is_clean = is_done && !races.are_new(races_tried);
  for (std::size_t i = 0; i < cores.size(); ++i)
    is_clean = is_clean && !has_new(cores[i].outcome, tried[i].outcome);
  races.judge(races_tried, {.is_done = is_done, .is_clean = is_clean});
  for (std::size_t i = 0; i < cores.size(); ++i) {
    launch::LaunchOutcome& outcome = cores[i].outcome;
    for (const Mendable& each : outcome.mends) {
      const bool is_left = !each.blocked && has(tried[i].outcome, [&](const Fault& fault) {
        return is_of(each, fault);
      });
      say(outcome, each, is_clean && !is_left ? Trial::Helps : Trial::Fails);
    }
  }
}

} // namespace lanewise::grid
