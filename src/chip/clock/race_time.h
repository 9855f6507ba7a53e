// When the two touches of a race go on the model's clock: which order time gives them.
#pragma once

#include <string>
#include <vector>

#include "chip/clock/timed_run.h"
#include "chip/tile/races.h"

namespace lanewise::clock {

/// What to watch (TimedOptions::watched).
std::vector<Deed> deeds_of(const tile::Race& race);

/// Of a run that has watched it. `cores` says how they push.
tile::RaceInTime race_in_time(std::string cores, const TimedResult& run);

} // namespace lanewise::clock
