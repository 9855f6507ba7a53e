// Faults as JSON, for the way from a process that runs users' code to the one that waits for it.
#pragma once

#include <nlohmann/json.hpp>

#include "base/fault.h"

namespace lanewise::section {

nlohmann::json json_of(const Fault& fault);

/// The inverse. Throws what nlohmann::json throws where something is missing: users' code may write
/// anywhere in its process.
Fault fault_of(const nlohmann::json& entry);

} // namespace lanewise::section
