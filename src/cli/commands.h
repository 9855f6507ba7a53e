// Which commands a program has.
#pragma once

#include "cli/command_line.h"

namespace lanewise::cli {

/// Every command of this program. lanewise has them all (all_commands.cpp); lanewise_first has
/// those that a new user begins with, needs only a part of the library, and is therefore built
/// first (first_commands.cpp).
void add_commands(CommandLine& line);

} // namespace lanewise::cli
