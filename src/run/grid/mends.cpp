// Barriers that races say are missing, and whether they are what was missing.
#include <algorithm>

#include "run/grid/races.h"

namespace lanewise::grid {

std::vector<launch::AddedBarrier> Races::lacking(std::size_t group) const {
  std::vector<launch::AddedBarrier> all;
  for (const Race& race : found_) {
    const Access& data = race.change;
    if (race.cause != Race::Cause::Overtaken || device_.group[data.core] != group) continue;
    const launch::AddedBarrier barrier{.core = data.risc,
                                       .noc = data.noc,
                                       .line = data.line,
                                       .file = name_of(data.core, data.line),
                                       .is_atomic = data.how == How::Incremented};
    if (std::ranges::find(all, barrier) == all.end()) all.push_back(barrier);
  }
  return all;
}

/// Of two runs: numbers of lines of other files are those of one.
bool Races::is_same(const Access& access, const Races& other, const Access& of_other) const {
  const std::string name = name_of(access.core, access.line);
  return access.how == of_other.how && access.risc == of_other.risc &&
         device_.group[access.core] == device_.group[of_other.core] &&
         name == other.name_of(of_other.core, of_other.line) &&
         (!name.empty() || access.line == of_other.line);
}

void Races::judge(const Races& tried) {
  for (Race& race : found_) {
    if (race.cause != Race::Cause::Overtaken) continue;
    const bool is_left = std::ranges::any_of(tried.found_, [&](const Race& each) {
      return is_same(race.change, tried, each.change) && is_same(race.other, tried, each.other);
    });
    race.barrier = is_left ? Race::Barrier::Fails : Race::Barrier::Helps;
  }
}

} // namespace lanewise::grid
