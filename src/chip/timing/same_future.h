// Whether two machines do the same from here on.
#pragma once

#include "chip/machine/state.h"

namespace lanewise::timing {

/// Whether everything beside values is the same: configuration, counters and scalar registers.
/// Neither source file is looked at.
bool same_configuration(const MachineState& a, const MachineState& b);

/// Whether all that instructions can see is the same, faults aside. One group of lanes.
bool same_future(const MachineState& a, const MachineState& b);

} // namespace lanewise::timing
