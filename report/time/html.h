// The clock as one page that needs no network.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "report/time/report.h"

namespace lanewise::report {

/// Cycles that are drawn if nothing else is asked for, and at most.
inline constexpr std::uint64_t kDrawnCycles = 256, kMostDrawnCycles = 2048;

/// Cards, picture and numbers of one program, for a page that has time_style() and time_script().
std::string time_section(const TimeReport& timed, std::optional<CycleRange> range);

/// A page with, for each chip, the picture of the range (the first kDrawnCycles by default), the
/// numbers, and the assembly beside its source.
std::string time_html(std::span<const TimeReport> reports, std::optional<CycleRange> range,
                      const std::string& command = {});

} // namespace lanewise::report
