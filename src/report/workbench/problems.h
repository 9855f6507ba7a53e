// Problems of a text as the workbench lists them.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/fault.h"
#include "chip/timing/hazards/hazards.h"

namespace lanewise::report {

/// Adds what a fault says; of g++'s messages, one problem per error or warning in `file`.
void add_problems(nlohmann::json& problems, const Fault& fault, std::string_view kind,
                  std::string_view file);

/// Adds what the checker has found.
void add_problem(nlohmann::json& problems, const timing::Hazard& hazard);

} // namespace lanewise::report
