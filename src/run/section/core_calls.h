// The calls that a core's code makes in place of accesses that would trap
// (source/sfpi/include/section/lanewise_calls.h).
#pragma once

#include "run/section/section.h"
#include "source/sfpi/include/section/lanewise_core_calls.h"

namespace lanewise::section {

/// What an object that makes such calls must find in its variable `lanewise_core`. Whichever
/// section runs is the one that calls.
lanewise_core_calls* core_calls();

/// The name of that variable.
inline constexpr const char* kCoreCallsName = "lanewise_core";

} // namespace lanewise::section
