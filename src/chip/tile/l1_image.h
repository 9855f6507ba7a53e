// Pieces of L1 that come from outside and go there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanewise::tile {

/// Bytes that lie in L1 before anything is executed.
struct L1Input {
  std::uint32_t address = 0;
  std::vector<std::byte> bytes;
};

} // namespace lanewise::tile
