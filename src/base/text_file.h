// What people or programs write as text, from a file or standard input, and never without an end.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/fault.h"

namespace lanewise {

/// The largest text that is read, in bytes: 64 MiB, more than a million lines.
inline constexpr std::size_t kLargestText = std::size_t{1} << 26;

/// The text of a file, or of standard input for "-". A device or a pipe may have no end, so that no
/// more than `most` bytes are kept in memory.
/// A byte-order mark of UTF-8 is left out. Error: BadInput with the path, if it is not there, not
/// readable, a folder, has more bytes, or is UTF-16.
Expected<std::string> read_text_file(const std::string& path, std::size_t most = kLargestText);

/// The lines of a text, without their ends.
std::vector<std::string> lines_of(const std::string& text);

} // namespace lanewise
