// The cores of a program in time as a picture of the grid.
#pragma once

#include <string>

#include "report/grid/time.h"

namespace lanewise::report {

/// An <svg>: a field for each core at its place, as dark as it was busy, with what it needs most
/// and how long it took.
std::string grid_svg(const GridTime& time);

} // namespace lanewise::report
