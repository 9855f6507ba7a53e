// Registers for a schedule: lifetimes as arcs on the circle of all copies of the row.
#pragma once

#include <vector>

#include "study/tune/model.h"

namespace lanewise::tune {

/// Gives `placement`, whose times, carriers and forms are set, its copies and registers. False if
/// there are none: then nothing but the registers has changed.
bool allocate_registers(const Row& row, const MachineModel& machine, Placement& placement);

/// Whether there can be registers for a schedule of which only a part is known: operations without
/// a time have kNone, and start in `least_times` at the earliest; macros have their times or kNone.
/// False: there are none, whatever the rest is. For the search, to give up early.
bool registers_may_fit(const Row& row, const MachineModel& machine, const Placement& partial,
                       const std::vector<unsigned>& least_times);

} // namespace lanewise::tune
