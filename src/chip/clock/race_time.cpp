#include "chip/clock/race_time.h"

#include <utility>

namespace lanewise::clock {

std::vector<Deed> deeds_of(const tile::Race& race) {
  return {{race.first.agent, race.first.ordinal}, {race.second.agent, race.second.ordinal}};
}

tile::RaceInTime race_in_time(std::string cores, const TimedResult& run) {
  return {.cores = std::move(cores), .first = run.watched[0], .second = run.watched[1]};
}

} // namespace lanewise::clock
