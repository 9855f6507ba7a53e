// What races say is missing, and whether it is.
#include <algorithm>

#include "run/grid/races.h"

namespace lanewise::grid {

std::vector<launch::Mend> Races::lacking(std::size_t group) const {
  using Kind = launch::Mend::Kind;
  std::vector<launch::Mend> all;
  for (const Race& race : found_) {
    const bool lacks_barrier = race.cause == Race::Cause::Overtaken;
    if (!lacks_barrier && race.cause != Race::Cause::Passed) continue;
    const Access& who = lacks_barrier ? race.change : race.other;
    if (device_.group[who.core] != group) continue;
    launch::Mend mend{.kind = lacks_barrier ? Kind::Barrier : Kind::AtLeast,
                      .core = who.risc,
                      .noc = lacks_barrier ? who.noc : 0U,
                      .line = who.line,
                      .file = name_of(who.core, who.line),
                      .is_atomic = lacks_barrier && who.how == How::Incremented};
    if (std::ranges::find(all, mend) == all.end()) all.push_back(std::move(mend));
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

bool Races::has(const Races& other, const Race& of_other) const {
  return std::ranges::any_of(found_, [&](const Race& each) {
    return is_same(each.change, other, of_other.change) &&
           is_same(each.other, other, of_other.other);
  });
}

bool Races::are_new(const Races& tried) const {
  return std::ranges::any_of(tried.found_, [&](const Race& each) { return !has(tried, each); });
}

void Races::judge(const Races& tried, const Ending& ending) {
  for (Race& race : found_) {
    const bool lacks_barrier = race.cause == Race::Cause::Overtaken;
    if (lacks_barrier ? !ending.is_done : race.cause != Race::Cause::Passed) continue;
    const bool helps = !tried.has(*this, race) && (lacks_barrier || ending.is_clean);
    race.trial = helps ? Trial::Helps : Trial::Fails;
  }
}

} // namespace lanewise::grid
