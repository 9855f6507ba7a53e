// The clock in text: the timeline in the style of llvm-mca, the five sub-units by cycle, the table.
#pragma once

#include <cstdint>
#include <string>

#include "report/time/report.h"

namespace lanewise::report {

/// What stands above the table.
enum class TimeView : std::uint8_t {
  Timeline, ///< a row per operation, a column per cycle
  Units,    ///< a row per cycle, a column per sub-unit
  None
};

/// One chip's report: the cycles of the range in a view, the table, what follows, the rules.
std::string time_text(const TimeReport& timed, TimeView view, CycleRange range);

} // namespace lanewise::report
