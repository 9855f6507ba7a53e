// Words of the command line that nobody knows, with those that may have been meant.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace lanewise::cli {

/// "there is no command 'rum'; did you mean run?", or where nothing is near, what `otherwise` says
/// behind the semicolon.
std::string unknown_word(const std::string& kind, const std::string& word,
                         const std::vector<std::string>& known, const std::string& otherwise);

/// The names of all commands.
std::vector<std::string> command_names(CLI::App& app);

/// What is to be said about the first option that a command does not have; nothing if there is
/// none.
std::optional<std::string> unknown_option(const CLI::App& command);

/// What is wrong with the options of a command: the first one that it does not have, else what the
/// parser says. How to list them comes last.
std::string option_mistake(const CLI::App& command, const std::string& parser_says);

} // namespace lanewise::cli
