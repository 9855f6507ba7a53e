// Branch and bound over modulo schedules: which operations hide behind which SFPLOADMACRO, when
// everything executes, and in which registers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "study/tune/bounds.h"
#include "study/tune/model.h"

namespace lanewise::tune {

enum class Outcome : std::uint8_t {
  Found,
  Exhausted, ///< there is no placement
  GivenUp,   ///< the limit of steps was reached, or the user stopped the search
};

/// What was tried at an interval.
struct Attempt {
  unsigned interval = 0;
  Outcome outcome = Outcome::GivenUp;
  unsigned longest_span = 0; ///< rows of up to so many cycles were looked at
  std::uint64_t steps = 0;
};

struct PlaceOptions {
  unsigned first_interval = 0; ///< 0: the resource bound
  unsigned last_interval = 32;
  std::uint64_t steps_per_interval = 400'000;
  bool only_longest = false; ///< rows as long as they may be, where some placement is found soonest
  /// Asked now and then; true ends the search. May be empty.
  std::function<bool(const Attempt&)> stop = {};
};

struct PlaceResult {
  std::optional<Placement> placement;
  std::vector<Attempt> attempts; ///< in the order of intervals
  ResourceBound bound;           ///< the largest one
};

/// Looks for a placement of the smallest interval, and there for one with a short row. The same
/// arguments give the same result.
PlaceResult place(const Row& row, const MachineModel& machine, const PlaceOptions& options = {});

/// One interval and one length of the row (the last operation starts in cycle span - 1 at the
/// latest): the exhaustive part.
struct SpanSearch {
  unsigned interval = 0, span = 0;
  std::uint64_t steps = 0;     ///< at most; 0: no limit
  std::uint64_t seed = 0;      ///< the order in which choices are tried; 0: as they come
  bool carries_first = false;  ///< macros are tried before instructions of their own
  unsigned last_issue = kNone; ///< no instruction of a row is issued later: a tile ends the sooner
};
Outcome search_span(const Row& row, const MachineModel& machine, const SpanSearch& search,
                    Placement& found, std::uint64_t& steps_taken,
                    const std::function<bool()>& stop = {});

} // namespace lanewise::tune
