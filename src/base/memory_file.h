// Files in memory, in which processes leave what they have to say: nobody blocks on a full pipe, is
// killed by a closed one, or waits for the end of one that something keeps open.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"

namespace lanewise {

/// Not open if there is no memory for it; errno says why.
FileDescriptor make_memory_file(const char* name);

/// Writes all bytes at the file's place. False if that cannot be. Allocates nothing.
bool write_all(int file, std::string_view bytes);

/// Reads the file's bytes from its beginning on, at most as many as there is room for. Returns how
/// many there were.
std::size_t read_from_start(int file, std::span<std::byte> to);

/// The longest that contents() reads unless told otherwise: no file here has as much.
inline constexpr std::size_t kMostContents = std::size_t{1} << 34;

/// Everything that the file has now, but no more than `most` bytes.
std::string contents(int file, std::size_t most = kMostContents);

} // namespace lanewise
