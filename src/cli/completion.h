// Completion of commands, options and their values, as scripts for shells.
#pragma once

#include <span>
#include <string>

#include "cli/description.h"

namespace lanewise::cli {

/// For ~/.bashrc, or /usr/share/bash-completion/completions/lanewise.
std::string bash_completion(std::span<const CommandDescription> commands);
/// A function for a folder of $fpath, named _lanewise; it can also be sourced.
std::string zsh_completion(std::span<const CommandDescription> commands);
/// For ~/.config/fish/completions/lanewise.fish.
std::string fish_completion(std::span<const CommandDescription> commands);

} // namespace lanewise::cli
