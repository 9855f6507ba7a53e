// When instructions come out of the front end: the core's pushes and the replay expander (T1, T5;
// ISA REPLAY, performance).
#pragma once

#include <cstdint>
#include <span>

#include "chip/machine/frontend/front_end.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// The expander takes in one word per cycle and puts out one instruction per cycle. A word that
/// expands puts out the first in the cycle in which it is taken; one that records puts out nothing.
class FrontEndClock {
 public:
  /// `computed`: the words that the core may have to compute, in their order. They must outlive it.
  explicit FrontEndClock(std::span<const std::uint32_t> computed) : computed_(computed) {}

  struct Arrival {
    std::uint64_t cycle = 0; ///< first cycle in which the instruction can leave the front end
    StallCause cause = StallCause::None; ///< why it is not there earlier
  };

  /// The next instruction, brought by word `word` of the program.
  Arrival next(std::uint32_t word, const ScheduleOptions& options) {
    if (word < taken_) return {free_, StallCause::None}; // the expander has it already
    return take_in(word, options);
  }

  /// It has left the front end in that cycle.
  void issued(std::uint64_t cycle) { free_ = cycle + 1; }

 private:
  std::uint64_t pushed(std::uint32_t word, const ScheduleOptions& options) const {
    return static_cast<std::uint64_t>(options.push_interval * word) + late_;
  }
  Arrival take_in(std::uint32_t word, const ScheduleOptions& options);
  void compute(std::uint32_t word, const ScheduleOptions& options);
  void pause_before(std::uint32_t word, const ScheduleOptions& options);

  std::span<const std::uint32_t> computed_; ///< those that have not been pushed
  std::uint64_t late_ = 0;                  ///< what computing and pauses so far have cost the core
  std::uint32_t taken_ = 0;                 ///< words that the expander has taken in
  std::uint64_t free_ = 0;                  ///< first cycle in which it can do something
};

} // namespace lanewise::timing
