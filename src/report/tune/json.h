// What 'lanewise tune KERNEL' found, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "study/tune/tune.h"

namespace lanewise::report {

/// `name` is that of the kernel; docs/tuning.md describes the fields.
nlohmann::ordered_json tune_json(const tune::TuneResult& result, const std::string& name);

} // namespace lanewise::report
