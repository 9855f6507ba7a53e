// Pass "hoist": constants that are loaded again and again are loaded once.
#pragma once

#include <cstddef>

#include "source/compiler/code.h"

namespace lanewise::compiler {

/// Loads the `count` constants that save the most SFPLOADIs before their first use, in all lanes,
/// and keeps each in one register to its last use. Only registers that hold a constant and nothing
/// else count.
void hoist_constants(Code& code, std::size_t count);

/// Loads each constant once per stretch (source/compiler/regions.h), for all rows that are joined
/// there.
void share_constants(Code& code);

/// How many constants hoist_constants() could save something with.
std::size_t count_hoistable(const Code& code);

} // namespace lanewise::compiler
