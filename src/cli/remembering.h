// Commands whose results are remembered (base/remembered.h).
#pragma once

#include "cli/command_line.h"

namespace lanewise::cli {

/// --no-cache.
void add_no_cache_option(const Command& command);

} // namespace lanewise::cli
