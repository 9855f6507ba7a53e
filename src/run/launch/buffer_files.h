// Files that go into a program's buffers, and come out of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "source/programs/description.h"

namespace lanewise::launch {

/// Reads inputs into the contents of their buffers; of a buffer without a size, the size is that of
/// its input. `stream`: what follows the description. Error: BadInput that names the buffer.
Expected<void> read_buffers(programs::Description& description,
                            std::span<const std::uint8_t> stream);

/// Writes outputs, each file whole or not at all. Error: BadInput.
Expected<void> write_buffers(const programs::Description& description,
                             const std::vector<std::vector<std::uint8_t>>& contents);

} // namespace lanewise::launch
