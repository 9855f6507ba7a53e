// A program of three threads as a document.
#pragma once

#include "editor/problems.h"

namespace lanewise::editor {

/// Reads it and runs it once on a tile whose L1 is zero: waits without an end, and faults. Fills
/// the words of each line, and how often it was executed; there are no cycles.
void analyse_tile(const Document& document, Analysis& analysis, ProblemList& problems);

} // namespace lanewise::editor
