// A stretch of a run in time as a picture: a row for each row, cycles to the right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/program/rows.h"

namespace lanewise::report {

/// An <svg>. `label`: what it shows, for those who cannot see it. Each column of two pixels stands
/// for as many cycles as the stretch has for it, and shows how much of them went into what.
std::string rows_svg(const std::vector<RunRow>& rows, RunStretch stretch, std::string_view label);

/// What the colours mean, of those that the rows have.
std::string rows_legend(const std::vector<RunRow>& rows);

} // namespace lanewise::report
