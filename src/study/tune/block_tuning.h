// A kernel through the tuner as a block (block.h): candidates, the best one that is proved, and
// what is said of it.
#pragma once

#include "base/fault.h"
#include "study/tune/tune.h"

namespace lanewise::tune {

/// `not_rows`: why the program has no equal rows. Error: as tune() has it, with both reasons.
Expected<TuneResult> tune_as_block(const Plain& plain, const TuneOptions& options,
                                   const Fault& not_rows);

} // namespace lanewise::tune
