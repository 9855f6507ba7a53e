// The clock as one page that needs no network.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "report/time/report.h"

namespace lanewise::report {

/// Cycles of the steady state that are drawn if nothing else is asked for, and cycles at most.
inline constexpr std::uint64_t kDrawnCycles = 256, kMostDrawnCycles = 2048;

/// The cycles that a picture holds if nobody chooses them: up to kDrawnCycles of the steady state,
/// and what comes before it where there is room.
CycleRange drawn_range(const TimeReport& timed);

/// Cards, picture (of drawn_range() by default) and numbers of one program, for a page that has
/// time_style() and time_script(). The script also serves sections that come into the page later:
/// whoever puts them there dispatches the event "lanewise:changed" on the document.
std::string time_section(const TimeReport& timed, std::optional<CycleRange> range);

/// A page with, for each chip, cards and picture, the numbers, and the assembly beside its source.
std::string time_html(std::span<const TimeReport> reports, std::optional<CycleRange> range,
                      const std::string& command = {});

} // namespace lanewise::report
