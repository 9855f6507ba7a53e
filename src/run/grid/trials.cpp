#include "run/grid/trials.h"

#include <algorithm>

namespace lanewise::grid {

namespace {

using launch::Mend;
using launch::Mendable;
using Which = Races::Which;

constexpr std::size_t kMostAlone = 8; ///< runs with one mend

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

void say_of(launch::LaunchOutcome& outcome, const Mendable& mendable) {
  const Trial trial = mendable.trial;
  if (mendable.blocked) {
    outcome.blocked[*mendable.blocked] += trial_text(trial);
    return;
  }
  const auto say = [&](Fault& fault) {
    if (is_of(mendable, fault)) fault.remedy += trial_text(trial);
  };
  std::ranges::for_each(outcome.faults, say);
  if (outcome.failure) say(*outcome.failure);
}

} // namespace

std::string_view trial_text(Trial trial) {
  switch (trial) {
    case Trial::Untried: break;
    case Trial::Helps: return " (tried: with it, this is gone)";
    case Trial::HelpsAlone: return " (tried alone: with it, this is gone)";
    case Trial::Fails: return " (tried: by itself, it is not enough)";
  }
  return "";
}

bool are_done(std::span<const CoreOutcome> cores) {
  return std::ranges::all_of(cores, [](const CoreOutcome& each) { return each.outcome.is_done(); });
}

Trials::Trials(std::span<CoreOutcome> cores, std::span<const std::size_t> group_of, Races& races)
    : cores_(cores), group_of_(group_of), races_(races) {
  add_races();
  add_cores();
}

void Trials::add_races() {
  for (const Race& race : races_.found()) {
    std::vector<GroupMend> first = races_.mends_of(race, Which::First);
    std::vector<GroupMend> second = races_.mends_of(race, Which::Second);
    const bool has_second = !second.empty();
    if (!first.empty())
      candidates_.push_back({.mends = std::move(first),
                             .trial = race.trial.data(),
                             .has_second = has_second,
                             .is_barrier = race.cause == Race::Cause::Overtaken});
    if (has_second)
      candidates_.push_back({.mends = std::move(second),
                             .trial = &race.trial[1],
                             .is_second = true,
                             .is_barrier = race.cause == Race::Cause::Overtaken});
  }
}

void Trials::add_cores() {
  for (std::size_t i = 0; i < cores_.size(); ++i)
    for (const Mendable& each : cores_[i].outcome.mends)
      candidates_.push_back(
          {.mends = {{.group = group_of_[i], .mend = each.mend}}, .trial = &each.trial});
}

/// Who lacks barriers only, and goes no further, is not run again.
bool Trials::is_worth_it() const {
  if (std::ranges::any_of(cores_, [](const CoreOutcome& each) { return each.outcome.ran_out; }))
    return false;
  return !candidates_.empty() &&
         (are_done(cores_) || !std::ranges::all_of(candidates_, &Candidate::is_barrier));
}

void Trials::take(const Candidate& candidate) {
  for (const GroupMend& each : candidate.mends) {
    std::vector<Mend>& of_group = with_[each.group];
    if (std::ranges::find(of_group, each.mend) == of_group.end()) of_group.push_back(each.mend);
  }
}

bool Trials::begin(Round round) {
  round_ = round;
  const bool is_second = round == Round::Seconds;
  if (is_second && std::ranges::none_of(candidates_, &Candidate::is_second)) return false;
  for (const Candidate& each : candidates_)
    if (is_second ? !each.has_second : !each.is_second) take(each);
  return true;
}

bool Trials::begin_alone() {
  const auto is_other = [this](const Candidate& each) {
    return each.mends != candidates_[0].mends;
  };
  if (alone_ == kMostAlone || std::ranges::none_of(candidates_, is_other)) return false;
  const auto next = std::ranges::find_if(
      candidates_, [](const Candidate& each) { return !each.was_alone && !helps(*each.trial); });
  if (next == candidates_.end()) return false;
  ++alone_;
  for (Candidate& each : candidates_)
    if (each.mends == next->mends) each.was_alone = true;
  take(*next);
  return true;
}

const Mends* Trials::next() {
  if (!is_worth_it()) return nullptr;
  with_.assign(std::ranges::max(group_of_) + 1, {});
  switch (round_) {
    case Round::Before: begin(Round::Firsts); return &with_;
    case Round::Firsts:
      if (begin(Round::Seconds)) return &with_;
      round_ = Round::Alone;
      break;
    case Round::Seconds: round_ = Round::Alone; break;
    case Round::Alone: break;
  }
  return begin_alone() ? &with_ : nullptr;
}

void Trials::judge(std::span<const CoreOutcome> tried, const Races& races_tried) {
  if (!races_tried.missed().empty()) return;
  const bool is_alone = round_ == Round::Alone;
  bool is_clean = are_done(tried) && !races_.are_new(races_tried);
  for (std::size_t i = 0; i < cores_.size(); ++i)
    is_clean = is_clean && !has_new(cores_[i].outcome, tried[i].outcome);
  races_.judge(races_tried,
               {.is_done = are_done(tried), .is_clean = is_clean, .is_alone = is_alone}, with_);
  for (std::size_t i = 0; i < cores_.size(); ++i) {
    for (Mendable& each : cores_[i].outcome.mends) {
      const std::vector<Mend>& with = with_[group_of_[i]];
      if (helps(each.trial) || std::ranges::find(with, each.mend) == with.end()) continue;
      const bool is_left = !each.blocked && has(tried[i].outcome, [&](const Fault& fault) {
        return is_of(each, fault);
      });
      const bool helps = is_clean && !is_left;
      each.trial = !helps ? Trial::Fails : is_alone ? Trial::HelpsAlone : Trial::Helps;
    }
  }
}

void Trials::say() {
  for (CoreOutcome& core : cores_)
    for (const Mendable& each : core.outcome.mends) say_of(core.outcome, each);
}

} // namespace lanewise::grid
