// What the checker has found as a page, as a notebook shows it.
#pragma once

#include <string>

#include "run/execution/check_program.h"

namespace lanewise::report {

/// Findings and faults in tables, on a page that needs nothing else.
std::string hazard_page(const execution::CheckedProgram& checked);

} // namespace lanewise::report
