// What lies where in L1 while a program runs, as text and JSON.
#pragma once

#include <string>

#include "source/programs/layout.h"
#include "source/programs/program.h"

namespace lanewise::report {

/// A table, with a line in front and one for what is free.
std::string l1_map_text(const programs::Program& program, const programs::Layout& layout);

/// One line.
std::string l1_map_json(const programs::Program& program, const programs::Layout& layout);

} // namespace lanewise::report
