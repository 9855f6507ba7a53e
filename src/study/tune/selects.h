// Choices of predicated rows (v_if) as operations on bits: no flags, so that they move freely
// between rows and behind macros.
#pragma once

#include "study/tune/row_graph.h"

namespace lanewise::tune {

/// Choices with the fewest conditions that say the same: each once, and of an opposite of several
/// only what the others leave open.
RowGraph with_fewer_conditions(const RowGraph& row);

/// Blackhole: a choice whose conditions compare is `(mask & (a ^ b)) ^ b`, with a mask of SFPGT and
/// SFPLE, which order signs and magnitudes as integers (VU C32). Wormhole, which has neither: where
/// one sign or one zero is tested and the numbers are constants, the tested bit becomes 0.0 or 1.0.
/// What cannot be written so stays a choice.
RowGraph without_flags(const RowGraph& row);

} // namespace lanewise::tune
