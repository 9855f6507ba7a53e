// Which chips of a sweep are drawn apart.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "study/sweep/sweep.h"

namespace lanewise::report {

/// Chips that have the same errors in every part of the inputs: one curve, in the colour of the
/// first.
struct Curve {
  std::size_t chip = 0;           ///< place of the first in the result
  std::vector<std::size_t> chips; ///< of all
  std::string name;               ///< "Blackhole, Wormhole"
  std::string short_name;         ///< "bh, wh"
};

/// In the order of their first chips. What counts are the statistics: errors, bins, cells,
/// histogram.
std::vector<Curve> curves_of(const sweep::SweepResult& result);

} // namespace lanewise::report
