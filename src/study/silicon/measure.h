// The seam between what has to be run and who can run it in time.
#pragma once

#include <memory>
#include <string>

#include "study/silicon/benchmark.h"

namespace lanewise::silicon {

/// Cycles of the measured thread's zones.
struct Zones {
  double init = 0, tile_loop = 0;
  std::string other_loop = {}; ///< why the loop is not that of the table; empty: it is
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

/// Compiles cases for the cores and runs their programs in time, with `.ttinsn` gathering on, as
/// the tables were measured. What SFPI code becomes is known from a run on the host.
std::unique_ptr<ZoneMeter> cores_meter(const BenchTree& tree);

} // namespace lanewise::silicon
