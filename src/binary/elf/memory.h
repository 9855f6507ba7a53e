// The memory that a called function sees.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "binary/elf/image.h"
#include "chip/isa/arch.h"

namespace lanewise::elf {

class Memory {
 public:
  /// The segments, and the local data RAM of a core with what they leave of it.
  Memory(const Image& image, Arch arch);

  /// 1, 2 or 4 bytes at a multiple of them; nothing where there is no memory.
  std::optional<std::uint32_t> load(std::uint32_t address, unsigned bytes);
  /// False where there is no memory.
  bool store(std::uint32_t address, unsigned bytes, std::uint32_t value);

  /// The first address behind the local data RAM, from which a stack grows down.
  std::uint32_t stack_top() const { return stack_top_; }

 private:
  struct Block {
    std::uint32_t address = 0;
    std::vector<std::uint8_t> bytes;
  };
  /// The byte at an address, if the block that counts there has so many from it on.
  std::uint8_t* find(std::uint32_t address, unsigned bytes);

  std::vector<Block> blocks_; ///< in order of search: where two hold an address, the first counts
  std::uint32_t stack_top_ = 0;
};

} // namespace lanewise::elf
