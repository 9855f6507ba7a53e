// Help as text: what there is to do, one command, all of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cli/description.h"

namespace lanewise::cli {

/// How much of a command a help tells.
enum class HelpDepth { Short, Whole };

/// What people want to do, and the commands for it: what 'lanewise' alone prints. A text without
/// colours, which the launcher prints, too (src/cli/tasks.txt).
std::string_view tasks_text();

/// Summary, usage, and the options under their headings, in lines of at most `columns` columns
/// where words allow it. A short help only names what stands under the last headings.
std::string help_text(const CommandDescription& command, HelpDepth depth, std::size_t columns);

/// The whole help of each, with a line between them.
std::string help_text(std::span<const CommandDescription> commands, std::size_t columns);

/// On standard output, in colours where it takes them.
void print_help(std::string_view text);

/// The columns of the terminal behind standard output, in bounds in which text is easy to read.
std::size_t help_columns();

} // namespace lanewise::cli
