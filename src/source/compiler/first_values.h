// Variables without a value take the first one that they get.
#pragma once

#include "source/compiler/ir.h"

namespace lanewise::compiler {

/// An Assign to a variable that had no value is the value itself: what the other lanes hold is
/// nobody's business. The interpreter does without this, and so sees that they hold nothing.
void take_first_values(Recording& recording);

} // namespace lanewise::compiler
