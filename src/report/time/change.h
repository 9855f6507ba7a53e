// Two programs on the clock, side by side.
#pragma once

#include "report/change.h"
#include "report/time/report.h"

namespace lanewise::report {

/// Of a tile where both have one, else of a pass: cycles, slots and stalls by cause, work of the
/// units, lower bounds; which of these bounds it. Both are of one chip, and timed.
Change time_change(const TimeReport& before, const TimeReport& after);

} // namespace lanewise::report
