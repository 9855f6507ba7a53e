// What 'lanewise fit' found, for other tools.
#pragma once

#include <nlohmann/json.hpp>

#include "report/fit/report.h"

namespace lanewise::report {

/// docs/fit.md describes the fields.
nlohmann::json fit_json(const FitReport& report);

} // namespace lanewise::report
