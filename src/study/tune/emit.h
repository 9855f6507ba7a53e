// From a placement to instruction words: constants, macros, the recorded body, prologue and
// epilogue.
#pragma once

#include "base/fault.h"
#include "study/tune/forms.h"
#include "study/tune/model.h"
#include "study/tune/rows.h"
#include "study/tune/tuned.h"

namespace lanewise::tune {

/// Cycles that macros still work behind the last instruction of a tile: pads that make all of it
/// end within the tile.
unsigned cycles_behind(const Row& row, const Placement& placement);

/// The program for all rows. The placement must be one of `formed.row`.
Expected<Tuned> emit(const Rows& rows, const Formed& formed, const Placement& placement,
                     const EmitOptions& options);

} // namespace lanewise::tune
