// Registers of a block: each value gets the one that has been free for the longest time, so that
// few instructions have to wait for a register.
#pragma once

#include <span>
#include <vector>

#include "study/tune/block_values.h"

namespace lanewise::tune {

/// The same steps with values in other registers where an instruction may name any. Values that are
/// there before the block, or in `kept` behind it, stay where they are. The steps as they are where
/// there are too few registers.
std::vector<BlockStep> with_other_registers(Arch arch, std::span<const BlockStep> steps,
                                            StateSet kept);

} // namespace lanewise::tune
