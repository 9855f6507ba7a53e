// A program that was checked as JSON, and back: what reports of 'check' say of it.
#pragma once

#include <string>
#include <vector>

#include "run/execution/check_program.h"
#include "study/parts/part_file.h"

namespace lanewise::parts {

/// Of TileCost, cycles of the pass and of what runs once, rows, and whether a pass is a tile.
Json checked_to_json(const std::vector<execution::CheckedProgram>& programs);

/// Error: BadInput with `name`, the file, for what is none, or names a rule that there is not.
Expected<std::vector<execution::CheckedProgram>> checked_from_json(const Json& json,
                                                                   const std::string& name);

/// A fault as JSON, and back; errors as checked_from_json() has them.
Json fault_to_json(const Fault& fault);
Expected<Fault> kept_fault(const Json& json, const std::string& name);

} // namespace lanewise::parts
