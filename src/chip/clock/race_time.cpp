#include "chip/clock/race_time.h"

#include <fmt/format.h>

#include <utility>

namespace lanewise::clock {

namespace {

Unexpected not_known(std::string message) {
  return Unexpected(Fault{.kind = FaultKind::Unsupported, .message = std::move(message)});
}

/// Whether a run that has come to its end has another number of such accesses.
bool is_another(const tile::AccessFinder& finder, const TimedResult& run) {
  if (finder.total() > finder.access().total) return true;
  const bool has_ended = run.run.blocked.empty() && !run.run.ran_out;
  return has_ended && finder.total() != finder.access().total;
}

} // namespace

std::vector<Deed> deeds_of(const tile::Race& race) {
  return {{race.first.agent, race.first.ordinal}, {race.second.agent, race.second.ordinal}};
}

tile::RaceInTime race_in_time(std::string cores, const TimedResult& run) {
  return {.cores = std::move(cores), .first = run.watched[0], .second = run.watched[1]};
}

Expected<RaceOnCores> RaceOnCores::open(const tile::RaceProgram& program, const tile::Race& race,
                                        const tile::RaceReference& reference) {
  RaceOnCores made(race);
  const std::array touches{&race.first, &race.second};
  for (std::size_t i = 0; i < touches.size(); ++i) {
    if (!touches[i]->agent.is_core) continue;
    const auto access = tile::access_of(program, reference, *touches[i]);
    if (!access) return not_known("no load or store of the core is the one that races");
    made.finders_[i].emplace(*access);
  }
  return made;
}

void RaceOnCores::hear(unsigned core, const tile::CoreAction& action, std::uint64_t cycle) {
  for (auto& finder : finders_)
    if (finder) finder->hear(core, action, cycle);
}

Expected<tile::RaceInTime> RaceOnCores::times(const TimedResult& run) const {
  tile::RaceInTime times = race_in_time("", run);
  const std::array ends{&times.first, &times.second};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!finders_[i]) continue;
    const tile::CoreAccess& access = finders_[i]->access();
    if (is_another(*finders_[i], run)) {
      return not_known(
          fmt::format("the program of T{}'s core touches 0x{:x} {} times so, and {} times where "
                      "the race was found",
                      access.core, access.action.address, finders_[i]->total(), access.total));
    }
    *ends[i] = finders_[i]->cycle();
  }
  return times;
}

} // namespace lanewise::clock
