// From addresses in a kernel's object to functions and lines, by its debug information.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/fault.h"
#include "source/compiler/ir.h"
#include "source/sfpi/call_stack.h"

namespace lanewise::sfpi {

/// The frames at an address, the innermost first: several where functions are inlined there, none
/// where the object has no debug information. File names are the compiler's.
using FramesByAddress = std::map<std::uint64_t, std::vector<compiler::Frame>>;

/// An object whose debug information is asked again and again.
class FrameReader {
 public:
  /// Error: BadInput if the object cannot be read.
  static Expected<FrameReader> open(const std::filesystem::path& object);
  FrameReader(FrameReader&&) noexcept;
  ~FrameReader();

  /// The frames at an address of the object's file, as in FramesByAddress.
  std::vector<compiler::Frame> frames_at(std::uint64_t address) const;

 private:
  class Functions;
  explicit FrameReader(std::unique_ptr<const Functions> functions);
  std::unique_ptr<const Functions> functions_;
};

/// The frames of every address in the stacks. Error: BadInput if the object cannot be read.
Expected<FramesByAddress> read_frames(const std::filesystem::path& object,
                                      std::span<const CallStack> stacks);

} // namespace lanewise::sfpi
