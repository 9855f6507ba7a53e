#include "chip/timing/supply.h"

#include <algorithm>

namespace lanewise::timing {

/// The core takes longer for this word, in its own time: it may be ahead of the front end.
void FrontEndClock::compute(std::uint32_t word) {
  if (computed_.empty() || computed_.front() != word) return;
  computed_ = computed_.subspan(1);
  late_ += options_.computed_push - 1;
}

/// The word comes late, and what is pushed behind it as well.
void FrontEndClock::pause_before(std::uint32_t word) {
  const auto pause = options_.pauses.find(word);
  if (pause == options_.pauses.end()) return;
  const std::uint64_t there = pushed(word);
  late_ += std::max(there, free_) + pause->second - there;
}

FrontEndClock::Arrival FrontEndClock::next(std::uint32_t word) {
  Arrival arrival{free_, StallCause::None};
  for (; taken_ <= word; ++taken_) {
    compute(taken_);
    pause_before(taken_);
    const std::uint64_t there = pushed(taken_);
    if (there > free_) arrival.cause = StallCause::Push;
    arrival.cycle = std::max(free_, there);
    if (taken_ == word) continue;
    if (arrival.cause == StallCause::None) arrival.cause = StallCause::Recording;
    free_ = arrival.cycle + 1; // it puts out nothing
  }
  return arrival;
}

} // namespace lanewise::timing
