// The seam between what has to be run and who can run it in time.
#pragma once

#include <memory>

#include "study/silicon/benchmark.h"

namespace lanewise::silicon {

/// Cycles of the measured thread's zones.
struct Zones {
  double init = 0, tile_loop = 0;
};

/// Runs cases in time. Error of measure(): Unsupported for what cannot be run or timed, by name.
class ZoneMeter {
 public:
  ZoneMeter() = default;
  ZoneMeter(const ZoneMeter&) = delete;
  ZoneMeter& operator=(const ZoneMeter&) = delete;
  virtual ~ZoneMeter() = default;
  virtual Expected<Zones> measure(const ClockCase& each) = 0;
};

/// Compiles cases for the host and runs them for their values, to their end. What comes of that has
/// no cycles as long as nobody knows those of a whole core, so that a case that went well is
/// Unsupported, too, and says so. `runs` off: cases are only made, not compiled.
std::unique_ptr<ZoneMeter> host_meter(const BenchTree& tree, bool runs);

/// What host_meter() says of a case that went well.
inline constexpr std::string_view kNoCycles = "the cycles of a whole core are not known yet";

} // namespace lanewise::silicon
