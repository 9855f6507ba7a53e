// What is said of a use of something that nobody has programmed.
#pragma once

#include <cstdint>

#include "chip/timing/hazards/findings.h"
#include "chip/timing/hazards/unwritten_lanes.h"

namespace lanewise::timing {

/// Of a rule and a line, however often it is met.
struct UnprogrammedUse {
  std::uint32_t what = 0;  ///< registers, parts of the macro configuration, sections
  std::uint32_t lanes = 0; ///< of registers
  UnwrittenLanes::Origin origin = {};
  Spot spot = {}; ///< the first
  std::int32_t dst_row = -1;
  std::uint64_t count = 1;
};

HazardText unprogrammed_text(HazardId id, const UnprogrammedUse& use, const Findings& findings);

} // namespace lanewise::timing
