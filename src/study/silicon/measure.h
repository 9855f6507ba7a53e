// The seam between what has to be run and who can run it in time.
#pragma once

#include <memory>
#include <string>

#include "binary/elf/image.h"
#include "study/silicon/benchmark.h"

namespace lanewise::silicon {

/// Cycles of the measured thread's zones.
struct Zones {
  double init = 0, tile_loop = 0;
  unsigned init_words = 0; ///< of the function that the initialisation is left as; 0: there is none
  std::string other_loop = {}; ///< why the loop is not that of the table; empty: it is
};

/// Of bench_init_left(), which is what a benchmark leaves of an initialisation; 0: nothing.
unsigned words_of_init(const elf::Image& image);

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
