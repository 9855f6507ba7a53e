// Which instructions pass "replay" may touch.
#pragma once

#include <vector>

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// For each instruction whether it may be part of a run that is recorded and replayed.
///
/// Words that the author wrote stay as they are and where they are. So does what lies between them
/// while SFPLOADMACRO may still have something scheduled: a REPLAY that records takes a cycle of
/// its own (T1), which would put what is scheduled elsewhere among the words that follow (VU 5.5).
std::vector<bool> replayable(const Code& code);

} // namespace lanewise::compiler
