// When the two touches of a race go on the model's clock: which order time gives them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "chip/clock/timed_run.h"
#include "chip/tile/core_access.h"
#include "chip/tile/races.h"

namespace lanewise::clock {

/// What to watch (TimedOptions::watched).
std::vector<Deed> deeds_of(const tile::Race& race);

/// Of a run that has watched it. `cores` says how they push.
tile::RaceInTime race_in_time(std::string cores, const TimedResult& run);

/// A race in a run of cores with a program each, in which an access is not the same number of what
/// the core does as where the race was found: how often a core looks is a matter of time, and its
/// program may be another one that does the same.
class RaceOnCores {
 public:
  /// Error: Unsupported, no access of a core explains a touch.
  static Expected<RaceOnCores> open(const tile::RaceProgram& program, const tile::Race& race,
                                    const tile::RaceReference& reference);

  /// What to watch of the threads; what the cores do, hear() watches.
  std::vector<Deed> deeds() const { return deeds_of(race_); }
  /// Of all that the cores do, in the cycles in which they do it.
  void hear(unsigned core, const tile::CoreAction& action, std::uint64_t cycle);

  /// Of a run that was heard. Error: Unsupported, a core does not as often what its touch is.
  Expected<tile::RaceInTime> times(const TimedResult& run) const;

 private:
  explicit RaceOnCores(const tile::Race& race) : race_(race) {}

  tile::Race race_;
  /// Of the first and of the second touch; nothing: it is a thread's.
  std::array<std::optional<tile::AccessFinder>, 2> finders_;
};

/// How tile::find_races() times a race in such a run (RaceSearch::time): `run` is given the race,
/// and has it hear of the cores.
template <class Run>
auto timed_on_cores(Run run) {
  return [run](const tile::RaceProgram& program, const tile::Race& race,
               const tile::RaceReference& reference) -> Expected<std::vector<tile::RaceInTime>> {
    auto on_cores = RaceOnCores::open(program, race, reference);
    if (!on_cores) return Unexpected(on_cores.error());
    return run(*on_cores);
  };
}

} // namespace lanewise::clock
