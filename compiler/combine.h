// Pass "combine": rewrites the IR so that fewer instructions do the same.
//
// These are the only rewrites that may change a rounding (a product that goes into a multiply-add
// is not rounded of its own), so the interpreter runs on their result.
#pragma once

#include "compiler/ir.h"

namespace lanewise::compiler {

/// In order: a 0/1 vector tested against 0 becomes its condition; negations move into constants,
/// sums and products; products with a single use and no change of the predicate on the way become
/// part of a multiply-add.
void combine(Recording& recording);

} // namespace lanewise::compiler
