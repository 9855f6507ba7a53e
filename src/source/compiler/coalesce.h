// Pass "coalesce": results go straight into the variable that they are for.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// A SFPMOV that takes a result to a variable goes, and what made the result writes the variable,
/// where the same lanes are enabled all the time and nobody looks at either in between.
///
/// As the vendor's compiler: not into a variable that has other lanes to keep. Which results go
/// there at once, the plan says.
void coalesce(Code& code, bool as_vendor);

} // namespace lanewise::compiler
