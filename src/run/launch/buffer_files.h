// Files that go into a program's buffers, and come out of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "source/programs/description.h"

namespace lanewise::launch {

/// Reads inputs into the contents of their buffers: .npy files, files of bytes, or patterns such as
/// "random:1" (number/tensors/pattern.h), whose tile fills the buffer. Of a buffer without a size,
/// the size is that of its input. `stream`: what follows the description. Error: BadInput that
/// names the buffer.
Expected<void> read_buffers(programs::Description& description,
                            std::span<const std::uint8_t> stream);

/// The contents of buffer number `index` from what a .npy file holds, in place of its input.
/// Error: BadInput that names the buffer.
Expected<void> fill_buffer(programs::Description& description, std::size_t index,
                           std::span<const std::byte> npy);

/// What buffer number `index` holds, as a .npy file: of the shape of its output or of its input;
/// its bytes if its format is none that such files can have. Error: BadInput if the shape does not
/// fit.
Expected<std::vector<std::byte>> buffer_array(const programs::Description& description,
                                              std::size_t index,
                                              std::span<const std::uint8_t> contents);

/// Writes outputs, each file whole or not at all. Error: BadInput.
Expected<void> write_buffers(const programs::Description& description,
                             const std::vector<std::vector<std::uint8_t>>& contents);

} // namespace lanewise::launch
