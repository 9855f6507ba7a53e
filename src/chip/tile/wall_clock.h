// The clock that cores read at an address. Of a tile that runs in time it shows the cycle;
// otherwise it goes on with what the tile executes, and what it shows are no cycles of silicon.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "chip/machine/config_state.h"

namespace lanewise::tile {

/// What a core has found.
struct ClockReading {
  unsigned core = 0;
  std::uint64_t value = 0; ///< no reading of this core has the same; a later one has a larger value
  std::array<std::uint64_t, kThreads> executed{};    ///< instructions, by thread, until then
  std::optional<std::uint64_t> cycle = std::nullopt; ///< of a tile that runs in time
};

class WallClock {
 public:
  /// Instructions that have been executed, by thread.
  using Executed = std::array<std::uint64_t, kThreads>;

  /// A core reads the lower half, by which the upper one is kept for it. `cycle`: of a tile that
  /// runs in time.
  const ClockReading& read(unsigned core, const Executed& executed,
                           std::optional<std::uint64_t> cycle = std::nullopt) {
    last_ = {.core = core, .value = next(executed, cycle), .executed = executed, .cycle = cycle};
    if (readings_.size() < kMostReadings) readings_.push_back(last_);
    return last_;
  }

  /// The value now. Without a cycle, looking at it takes time, too.
  std::uint64_t next(const Executed& executed, std::optional<std::uint64_t> cycle = std::nullopt) {
    if (cycle) return *cycle;
    std::uint64_t value = ++looks_;
    for (const std::uint64_t each : executed) value += each;
    return value;
  }

  /// What read() found last, and all of it, by value; but for a program that does little else.
  const ClockReading& last() const { return last_; }
  const std::vector<ClockReading>& readings() const { return readings_; }

 private:
  /// LLK's profiler keeps 512 of each core.
  static constexpr std::size_t kMostReadings = std::size_t{1} << 20;

  std::uint64_t looks_ = 0;
  ClockReading last_;
  std::vector<ClockReading> readings_;
};

/// The cycle of a reading, counted from the start of the cores. Nothing: it is not known, as the
/// tile did not run in time. A guess would be taken for a measurement.
inline std::optional<std::uint64_t> cycle_of(const ClockReading& reading) {
  return reading.cycle;
}

} // namespace lanewise::tile
