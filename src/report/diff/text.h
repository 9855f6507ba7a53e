// A comparison of two programs for the terminal.
#pragma once

#include <string>

#include "report/sweep/report.h"

namespace lanewise::report {

/// Both programs and both chips in one table: bits changed, ULP, cycles, instructions, words, and
/// errors where there is a reference.
std::string diff_text(const DiffReport& report);

} // namespace lanewise::report
