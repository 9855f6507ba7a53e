// What becomes of the cores' cycles: of their own code, or waited for the tile, and where.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "chip/clock/timed_run.h"
#include "chip/tile/clocked_feeder.h"

namespace lanewise::clock {

class CoreTimes {
 public:
  explicit CoreTimes(bool keeps_spans);

  /// A core waits since a cycle, if it did not before; at an address, if it looks there.
  void begin_rest(unsigned core, std::uint64_t now, std::optional<std::uint32_t> address);

  /// A core that could have acted in cycle `ready` has acted in cycle `now`. What it did since it
  /// began to wait, as to look again and again whether something has changed, was no work of its
  /// own. Where it has waited, its feeder is asked for the line.
  void acted(unsigned core, std::uint64_t ready, std::uint64_t now, tile::ClockedFeeder& feeder);

  const std::array<CoreTime, tile::kTileCores>& of_cores() const { return cores_; }

  /// Everything that is known at the end.
  void report(TimedResult& result);

 private:
  void add_span(const CoreSpan& span);

  bool keeps_spans_;
  std::array<CoreTime, tile::kTileCores> cores_;
  std::array<std::uint64_t, tile::kTileCores> rests_since_{}; ///< cycle; kNever: it does not
  std::array<std::optional<std::uint32_t>, tile::kTileCores> looked_at_{}; ///< since then
  std::array<std::optional<std::size_t>, tile::kTileCores> last_span_{};   ///< index in spans_
  std::vector<CoreSpan> spans_;
  std::map<std::tuple<std::uint8_t, std::uint32_t, std::optional<std::uint32_t>>, std::uint64_t>
      waits_; ///< cycles, by core, line and address
};

} // namespace lanewise::clock
