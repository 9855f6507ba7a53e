// --summary: what a job of an engine shows on its page, in Markdown.
#pragma once

#include <string>

#include "base/fault.h"
#include "cli/command_line.h"

namespace lanewise::cli {

void add_summary_option(const Command& command, std::string& path);

/// Behind what the file has, whole or not at all; a file that is not there is made. Nothing where
/// `path` is empty. Error: BadInput.
Expected<void> append_summary(const std::string& path, const std::string& markdown);

/// A heading with what has come out, and a block of lines as they were printed.
std::string summary_of_messages(const std::string& title, bool holds, const std::string& messages);

} // namespace lanewise::cli
