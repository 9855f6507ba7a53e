// Which sources some work is about.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace lanewise::parts {

/// A digest of the names and bytes of all files below the folders, in the order of their names;
/// what cannot be read counts as empty. Folders and files whose name begins with a dot, and what
/// Python leaves behind (__pycache__), are left out, as are links.
std::string source_digest(std::span<const std::filesystem::path> folders);

} // namespace lanewise::parts
