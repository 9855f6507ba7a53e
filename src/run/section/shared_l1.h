// The memory of a tile that the process of its sections and the one that waits for it both see.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/fault.h"
#include "base/shared_memory.h"

namespace lanewise::section {

/// L1 below this address has no place in a process: Linux keeps the lowest 64 KiB for itself.
inline constexpr std::uint32_t kFirstMapped = 0x10000;

class SharedL1 {
 public:
  /// Error: BadInput if there is no memory for it.
  static Expected<SharedL1> make(std::uint32_t bytes);
  /// The same in a file, which others may read and write meanwhile. Error: BadInput for a file that
  /// has not as many bytes.
  static Expected<SharedL1> open(const std::string& path, std::uint32_t bytes);

  std::span<std::uint8_t> bytes() const { return memory_.bytes(); }

  /// The descriptor that its process needs.
  int file() const { return memory_.file(); }

  /// For the process of sections: its bytes at their own addresses, too, so that a pointer that is
  /// an address of L1 is good, or so that every access is noticed; and nothing of the host's where
  /// a core has registers. Error: what is in the way.
  Expected<void> map_at_its_addresses(bool notices_accesses) const;

 private:
  explicit SharedL1(SharedMemory memory) : memory_(std::move(memory)) {}

  SharedMemory memory_;
};

} // namespace lanewise::section
