// A kernel through the tuner as a block (block.h): candidates, the best one that is proved, and
// what is said of it.
#pragma once

#include <string>

#include "base/fault.h"
#include "study/tune/tune.h"

namespace lanewise::tune {

/// `not_rows`: why the program has no equal rows; empty if it has. Error: as tune() has it, with
/// both reasons.
Expected<TuneResult> tune_as_block(const Plain& plain, const TuneOptions& options,
                                   const std::string& not_rows);

/// The block of a program of which nothing faster was found as rows, if it is faster; else `rows`.
Expected<TuneResult> faster_as_block(const Plain& plain, const TuneOptions& options,
                                     TuneResult rows);

} // namespace lanewise::tune
