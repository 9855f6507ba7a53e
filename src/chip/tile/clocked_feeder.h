// A feeder in time: one that knows what its core's own work costs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "base/fault.h"
#include "chip/tile/feeder.h"

namespace lanewise::tile {

inline constexpr std::uint64_t kNothingToDo = std::numeric_limits<std::uint64_t>::max();

/// The runner (chip/clock/timed_run.h) asks when it can do the next thing that others can see, and
/// lets it do that then. Cycle 0 is the release of the cores.
class ClockedFeeder : public Feeder {
 public:
  /// Does what nobody else can see, up to before the next push, load or store that reaches the
  /// tile, or the end: the cycle in which that can happen at the earliest; kNothingToDo of one that
  /// only acts where a core that moves data asks for it. Asked again before step(), it gives the
  /// same. Error: it cannot go on at all.
  virtual Expected<std::uint64_t> ready(Tile& tile) = 0;

  /// The next step() takes place in this cycle, which is not before ready(). A step that came to
  /// FeederStep::Waits is tried again in a later cycle.
  virtual void at(std::uint64_t cycle) = 0;

  /// How often others have asked it for something, of one that acts where a core asks for it.
  virtual std::uint64_t asked() const { return 0; }

  /// Where the last step found only what it had found there before: its core waits for a change.
  virtual std::optional<std::uint32_t> looks_at() const { return std::nullopt; }

  /// The source line of the last step (base/source_line.h); 0: none.
  virtual std::uint32_t line() { return 0; }
};

} // namespace lanewise::tile
