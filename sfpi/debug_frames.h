// From addresses in a kernel's object to functions and lines, by its debug information.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

#include "base/fault.h"
#include "compiler/ir.h"
#include "sfpi/call_stack.h"

namespace lanewise::sfpi {

/// The frames at an address, the innermost first: several where functions are inlined there, none
/// where the object has no debug information. File names are the compiler's.
using FramesByAddress = std::map<std::uint64_t, std::vector<compiler::Frame>>;

/// The frames of every address in the stacks. Error: BadInput if the object cannot be read.
Expected<FramesByAddress> read_frames(const std::filesystem::path& object,
                                      std::span<const CallStack> stacks);

} // namespace lanewise::sfpi
