// Registers for a schedule: lifetimes as arcs on the circle of all copies of the row.
#pragma once

#include <vector>

#include "tune/model.h"

namespace lanewise::tune {

/// Gives `placement`, whose times, carriers and forms are set, its copies and registers. False if
/// there are none: then nothing but the registers has changed.
bool allocate_registers(const Row& row, const MachineModel& machine, Placement& placement);

/// Whether values that must share a register (by ties, macros and templates) are apart in it, as
/// far as operations have times: those with kNone are left out. `macros` have their times or kNone.
/// For the search, to give up early.
bool shared_registers_fit(const Row& row, const MachineModel& machine, const Placement& partial);

} // namespace lanewise::tune
