// A sweep for other tools.
#pragma once

#include <nlohmann/json.hpp>

#include "report/sweep/report.h"

namespace lanewise::report {

/// docs/accuracy.md describes the fields. Numbers that JSON does not have (NaN, infinities) are
/// strings: "nan", "inf", "-inf".
nlohmann::json sweep_json(const SweepReport& report);
nlohmann::json diff_json(const DiffReport& report);

} // namespace lanewise::report
