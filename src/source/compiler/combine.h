// Pass "combine": rewrites the IR so that fewer instructions do the same.
//
// These are the only rewrites that may change a rounding (a product that goes into a multiply-add
// is not rounded of its own), so the interpreter runs on their result.
#pragma once

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// Which products and sums become one multiply-add.
enum class Fusion : std::uint8_t {
  AsRelease,  ///< those that the recording's release of SFPI fuses
  OfLiterals, ///< also those with a literal, which then takes an LReg
  None
};

/// In order: a 0/1 vector tested against 0 becomes its condition; negations move into constants,
/// sums and products; products with a single use and no change of the predicate on the way become
/// part of a multiply-add. On Grayskull, + 0.5 and - 0.5 become part of what makes the other
/// summand.
void combine(Recording& recording, Fusion fusion = Fusion::AsRelease);

} // namespace lanewise::compiler
