// The schedule in Chrome's trace-event format, which ui.perfetto.dev and chrome://tracing open.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "report/time/report.h"

namespace lanewise::report {

/// A process per chip, with a track for the front end, one for what waits inside the Vector Unit,
/// one per sub-unit and one for all other units. A cycle is a microsecond.
nlohmann::json time_perfetto(std::span<const TimeReport> reports);

} // namespace lanewise::report
