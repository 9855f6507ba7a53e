#include "chip/timing/supply.h"

#include <algorithm>

namespace lanewise::timing {

/// The word comes late, and what is pushed behind it as well.
void FrontEndClock::pause_before(std::uint32_t word) {
  const auto pause = pauses_.find(word);
  if (pause == pauses_.end()) return;
  const std::uint64_t there = pushed(word);
  late_ += std::max(there, free_) + pause->second - there;
}

FrontEndClock::Arrival FrontEndClock::next(std::uint32_t word) {
  Arrival arrival{free_, StallCause::None};
  for (; taken_ <= word; ++taken_) {
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
