// Who waits for what, and at which lines of the source, of a program in time.
#pragma once

#include "report/program/time.h"
#include "report/table/table.h"

namespace lanewise::report {

/// A row for each core and what it waits for, the longest first: the core, the line, what, cycles.
Table core_waits_table(const ProgramTime& time);

/// The lines at which threads spend the most cycles, with what they wait for most. Needs a
/// timeline; without one it has no rows.
Table hot_lines_table(const ProgramTime& time);

} // namespace lanewise::report
