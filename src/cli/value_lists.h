// What options take, where it is one of a list: for completions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/description.h"

namespace lanewise::cli {

/// The texts that an option or a word takes: the values of its own, or all that the tables of the
/// library have of what its value is called ("CHIP", "OPERATION"). Empty where any text will do.
std::vector<std::string> listed_values(const OptionDescription& option,
                                       std::span<const CommandDescription> commands);

} // namespace lanewise::cli
