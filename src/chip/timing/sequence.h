// Events in cycles become micro-ops in a row: the same values without a clock.
//
// Within a cycle, everything reads before anything is written. An order in which each reader comes
// before the writer of what it reads gives that for nothing. Only where there is none, or where a
// two-cycle result would be seen a cycle too early, is a result held back
// (chip/machine/scheduled.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chip/machine/micro_op.h"
#include "chip/timing/schedule.h"

namespace lanewise::timing {

/// A configuration that the schedule relies on, to be checked before the event of that index.
struct ConfigurationCheck {
  std::size_t event = 0;
  std::uint64_t digest = 0;
};

/// The beginning of a cycle at which nothing is held back: as many events, checks and micro-ops
/// come before it, and what follows does not depend on them.
struct SequenceCut {
  std::size_t event = 0, check = 0, op = 0;
};

/// `events` by cycle; `checks` by event. Adds where the sequence can be cut to `cuts`, in order.
std::vector<MicroOp> make_sequence(std::span<const Event> events,
                                   std::span<const ConfigurationCheck> checks, HazardModel model,
                                   std::vector<SequenceCut>* cuts = nullptr);

} // namespace lanewise::timing
