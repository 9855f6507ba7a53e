// The table of accuracy as pictures.
#pragma once

#include <span>
#include <string>

#include "report/accuracy/table.h"

namespace lanewise::report {

/// A row for each kernel: the largest |ULP| of its chips on a scale of logarithms, and beside it
/// the cycles of a tile. Rows of a kernel follow each other; empty without any.
std::string accuracy_pictures(std::span<const AccuracyRow> rows);

} // namespace lanewise::report
