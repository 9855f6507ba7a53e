// One program again and again, each time with another pause of the core.
//
// A run with a pause is the usual one up to the word that comes late, and mostly again a few
// cycles behind it: as soon as the clock goes on as it does without the pause, what follows is
// taken from there. Only what lies between is scheduled, and executed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "chip/machine/frontend/front_end.h"
#include "chip/machine/state.h"
#include "chip/timing/clock.h"
#include "chip/timing/schedule.h"
#include "chip/timing/sequence.h"

namespace lanewise::timing {

/// A pause of the core, in cycles.
struct LatePush {
  std::uint32_t word = 0; ///< index into Program::words
  std::uint32_t op = 0;   ///< the first operation that it brings
  std::uint32_t pause = 0;
};

class LateRuns {
 public:
  /// `program` must outlive it.
  LateRuns(const MachineState& start, const MicroProgram& program, HazardModel model);

  /// What the program leaves without a pause.
  const MachineState& usual() const { return usual_; }

  /// What it leaves with one; nothing if that is usual(). Words come in their order.
  std::optional<MachineState> late(const LatePush& push);

  /// Micro-ops that have been scheduled for late(), with those that were scheduled to compare.
  std::size_t scheduled() const { return scheduled_; }

 private:
  /// Where a late run goes on as the usual one.
  struct Rejoined {
    std::size_t usual_event = 0; ///< the first that is the same in both
    std::uint64_t usual_cycle = 0, late_cycle = 0;
  };

  void advance_to(std::uint32_t op);
  std::optional<Rejoined> rejoin(Clock& late, std::uint32_t op);
  std::vector<MicroOp> late_ops(const Clock& late, const Rejoined* rejoined,
                                const SequenceCut* end) const;
  MachineState run_whole(const LatePush& push) const;

  const MachineState start_;
  const MicroProgram& program_;
  HazardModel model_;
  bool splices_; ///< else each run is made from the beginning
  std::vector<Event> events_;
  std::vector<ConfigurationCheck> checks_;
  std::vector<SequenceCut> cuts_; ///< of `ops_`
  std::vector<MicroOp> ops_;
  MachineState usual_;
  /// Events from here on leave the configuration that the clock looks at alone.
  std::size_t configured_ = 0;
  Clock before_;          ///< about to take the word that comes late
  MachineState executed_; ///< what `ops_` has left at `cut_`
  std::size_t cut_ = 0;   ///< the last of `cuts_` before the next event of `before_`
  std::size_t scheduled_ = 0;
};

} // namespace lanewise::timing
