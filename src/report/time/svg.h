// The picture of a schedule: the front end and the sub-units as lanes, cycles from left to right.
#pragma once

#include <string>

#include "report/time/report.h"

namespace lanewise::report {

/// A <div class="frame"> that scrolls: the axis and the names of the lanes stay in view beside
/// what happens. Colours come from the page, zoom from its script (report/time/style.h): the width
/// of a cycle is the property --cycle. Boxes have data-line (source line) and data-event (index
/// into Schedule::events), as have the arrows between them.
std::string time_picture(const TimeReport& timed, CycleRange range);

} // namespace lanewise::report
