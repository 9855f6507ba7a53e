// Which commands a program has.
#pragma once

#include <vector>

#include "cli/command_line.h"
#include "cli/description.h"

namespace lanewise::cli {

/// Every command of this program. lanewise has them all (all_commands.cpp). lanewise_first and
/// lanewise_kernels have those that a new user begins with, need only a part of the library, and
/// are therefore built first: lanewise_first what assembly needs (first_commands.cpp),
/// lanewise_kernels also what kernels in C++ and whole tiles need (kernel_commands.cpp).
void add_commands(CommandLine& line);

/// All of them with their options.
std::vector<CommandDescription> describe_commands();

} // namespace lanewise::cli
