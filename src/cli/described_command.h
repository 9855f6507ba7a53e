// One command of the program, described.
#pragma once

#include <string>

#include "base/fault.h"
#include "cli/description.h"

namespace lanewise::cli {

/// With its options. Error: BadInput where there is no such command, with those that may have been
/// meant.
Expected<CommandDescription> described_command(const std::string& name);

} // namespace lanewise::cli
