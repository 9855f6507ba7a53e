// Manual pages, in the language of man(7).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/description.h"

namespace lanewise::cli {

/// "lanewise-run": the name of a command's page.
std::string man_name(const CommandDescription& command);

/// lanewise-run(1): one command, with all of its options.
std::string man_page(const CommandDescription& command);

/// lanewise(1): what there is to do (`tasks`, as 'lanewise help' prints it), and every command with
/// the page that tells more.
std::string man_page(std::string_view tasks, std::span<const CommandDescription> commands);

} // namespace lanewise::cli
