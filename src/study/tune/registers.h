// Registers for a schedule: lifetimes as arcs on the circle of all copies of the row.
#pragma once

#include <vector>

#include "study/tune/model.h"

namespace lanewise::tune {

/// An operation that has the result of another one as an operand.
struct Read {
  unsigned reader, operand;
};
using Reads = std::vector<Read>;

/// All of a row, in the order of the readers.
Reads reads_of(const Row& row);

/// Gives `placement`, whose times, carriers and forms are set, its copies and registers. False if
/// there are none: then nothing but the registers has changed.
bool allocate_registers(const Row& row, const MachineModel& machine, Placement& placement);

/// Whether there can be registers for a schedule of which only a part is known: operations without
/// a time have kNone, and start in `least_times` at the earliest; macros have their times or kNone.
/// `reads`: those of the row.
/// False: there are none, whatever the rest is. For the search, to give up early.
bool registers_may_fit(const Row& row, const Reads& reads, const MachineModel& machine,
                       const Placement& partial, const std::vector<unsigned>& least_times);

} // namespace lanewise::tune
