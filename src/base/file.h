// Whole files in and out, with errors that say what to do.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "base/fault.h"

namespace lanewise {

/// The largest file that read_file() takes, in bytes: 256 Mi elements of 4 bytes, or 262,144 tiles.
inline constexpr std::size_t kLargestFile = std::size_t{1} << 30;

/// All bytes of a file; also of a pipe.
/// Error: BadInput with the path, if it is not there, not readable, a folder, or above
/// kLargestFile.
Expected<std::vector<std::byte>> read_file(const std::filesystem::path& path);

/// Writes a file so that at every moment the path has either its old content or all of the new: the
/// bytes go to a new file in the same folder, which then takes the name. What is not a regular file
/// (a pipe, /dev/null) is written directly. A symbolic link stays, and the file behind it is
/// replaced. Error: BadInput with the path; the old file is then untouched and no other left
/// behind.
Expected<void> write_file_atomically(const std::filesystem::path& path,
                                     std::span<const std::byte> bytes);

} // namespace lanewise
