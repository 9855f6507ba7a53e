// The picture of a schedule: the front end and the sub-units as lanes, cycles from left to right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/time/report.h"

namespace lanewise::report {

/// An inline <svg> with the names of the lanes, and one with what happens in them; they have the
/// same height and belong side by side. Colours come from the page (report/time/style.h).
struct TimePicture {
  std::string lanes;
  std::string cycles;
};

TimePicture time_picture(const TimeReport& timed, CycleRange range);

} // namespace lanewise::report
