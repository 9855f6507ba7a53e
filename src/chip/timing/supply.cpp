#include "chip/timing/supply.h"

#include <algorithm>

namespace lanewise::timing {

/// The core takes longer for this word, in its own time: it may be ahead of the front end.
void FrontEndClock::compute(std::uint32_t word, const ScheduleOptions& options) {
  if (computed_.empty() || computed_.front() != word) return;
  computed_ = computed_.subspan(1);
  late_ += options.computed_push - 1;
}

/// The word comes late, and what is pushed behind it as well.
void FrontEndClock::pause_before(std::uint32_t word, const ScheduleOptions& options) {
  if (options.pauses.empty()) return;
  const auto pause = options.pauses.find(word);
  if (pause == options.pauses.end()) return;
  const std::uint64_t there = pushed(word, options);
  late_ += std::max(there, free_) + pause->second - there;
}

FrontEndClock::Arrival FrontEndClock::take_in(std::uint32_t word, const ScheduleOptions& options) {
  Arrival arrival{free_, StallCause::None};
  for (; taken_ <= word; ++taken_) {
    compute(taken_, options);
    pause_before(taken_, options);
    const std::uint64_t there = pushed(taken_, options);
    if (there > free_) arrival.cause = StallCause::Push;
    arrival.cycle = std::max(free_, there);
    if (taken_ == word) continue;
    if (arrival.cause == StallCause::None) arrival.cause = StallCause::Recording;
    free_ = arrival.cycle + 1; // it puts out nothing
  }
  return arrival;
}

} // namespace lanewise::timing
