// What no schedule of a row can go below.
#pragma once

#include <string>
#include <vector>

#include "study/tune/model.h"

namespace lanewise::tune {

/// Cycles per row that one resource needs by itself.
struct ResourceBound {
  std::string resource; ///< "issue slots", "MAD", ...
  unsigned cycles = 0;
  std::string why; ///< how it is counted
};

/// One entry per resource, the largest first.
std::vector<ResourceBound> resource_bounds(const Row& row, const MachineModel& machine);

/// Cycles from a row's first operation to the end of its last one that no schedule goes below.
unsigned shortest_span(const Row& row);

} // namespace lanewise::tune
