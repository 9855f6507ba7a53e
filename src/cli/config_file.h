// .lanewise.toml: options that a project always gives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/fault.h"
#include "cli/description.h"

namespace lanewise::cli {

/// The nearest .lanewise.toml: in the working folder or in one above it; "" if there is none. One
/// above it that belongs to another user is none: who may write there would choose what runs here.
std::string find_config_file();

/// What the file adds to a command: words for its command line ("--arch", "wh"). Keys are options
/// that most commands have (arch, format, metal, include, define, sfpi, color), and under [COMMAND]
/// each of its own. An option that stands among `words`, or that may not stand beside one of them,
/// is left as it is. Folders and files are relative to the file's folder.
///
/// Error: BadInput, with the place in the file, where it is no TOML, or has a key or a value that
/// nothing knows.
Expected<std::vector<std::string>> words_of_config(const std::string& file,
                                                   const CommandDescription& command,
                                                   std::span<char* const> words);

} // namespace lanewise::cli
