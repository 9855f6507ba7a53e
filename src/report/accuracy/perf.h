// What tiles cost, in the forms of those who measure it on boards: tt-llk's performance CSV, and
// the cost table of tt-lang. Figures are modelled, and every row says so.
#pragma once

#include <span>
#include <string>

#include "report/accuracy/table.h"

namespace lanewise::report {

/// Rows for each operation and chip with the columns of tt-llk's perf_data/NAME.post.csv that a
/// kernel of the Vector Unit has: cycles of the initialisation (marker INIT) and of a tile
/// (TILE_LOOP), under MATH_ISOLATE.
std::string perf_csv(std::span<const AccuracyRow> rows);

/// Rows for tt-lang's table of costs (CostTableBlackhole.inc): cycles per tile, and per call of the
/// initialisation. The comment behind each names the chip.
std::string cost_table(std::span<const AccuracyRow> rows);

} // namespace lanewise::report
