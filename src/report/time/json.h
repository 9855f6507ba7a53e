// The clock as JSON, for programs. docs/timing.md describes it.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "report/time/report.h"

namespace lanewise::report {

/// {"format": "lanewise-time", "version": 1, "chips": [...]}: per chip the summary, every
/// instruction with its slot and stalls, every event with its cycle, and what happened to macros.
/// `version` grows with every change that a reader must know of.
nlohmann::json time_json(std::span<const TimeReport> reports);

} // namespace lanewise::report
