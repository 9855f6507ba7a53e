// Pass "schedule": instructions in an order in which fewer of them wait.
#pragma once

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// List scheduling of each stretch without a fence (regions.h), on virtual registers: of
/// the instructions that need not wait, the one with the longest way to the end of the stretch
/// comes next, as long as at most `lregs` registers, those that raw words hold included, are alive.
/// A stretch that would not become shorter stays in the order of the source.
void schedule(Code& code, unsigned lregs);

} // namespace lanewise::compiler
