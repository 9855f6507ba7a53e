// Unpackers: from L1 to SrcA, SrcB and Dst (core.md 12, 13).
#pragma once

#include <array>
#include <cstdint>

#include "chip/machine/config_state.h"

namespace lanewise::tile {

/// What an unpacker keeps between instructions. Its bank is SourceFile::filling.
struct Unpacker {
  std::array<std::uint8_t, kThreads> context{}; ///< the context counters
  std::array<std::uint8_t, kThreads> row{};     ///< SrcRow: where rows begin, 6 bits

  friend bool operator==(const Unpacker&, const Unpacker&) = default;
};

} // namespace lanewise::tile
