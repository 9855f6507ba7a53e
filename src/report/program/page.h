// The page of a run in time: of a program on five cores, or of a tile alone.
#pragma once

#include <optional>
#include <string>

#include "report/program/rows.h"
#include "report/program/time.h"

namespace lanewise::report {

/// A page that needs nothing else: cycles per tile and what bounds them, the whole run as a
/// picture, a few tiles of the steady state as another, who waits for what, the hottest lines, and
/// the tables of program_time_text(). Needs a run with a timeline. `command`: with which the page
/// was made.
std::string program_time_html(const ProgramTime& time, const std::string& command);

/// What such a page has of a run; the page around it; tables beside each other.
std::string program_time_body(const ProgramTime& time);
std::string run_page(const TileTime& tile, const std::string& body, const std::string& command);
std::string table_columns_html(const std::vector<Table>& all);

/// The tiles that the second picture shows: from the middle one's end on; nothing of a run with too
/// few.
std::optional<RunStretch> steady_stretch(const clock::TimedResult& run);

} // namespace lanewise::report
