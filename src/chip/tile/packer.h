// Packers: from Dst to L1 (core.md 14).
#pragma once

#include <array>
#include <cstdint>

namespace lanewise::tile {

/// 16 bytes of output on their way to L1, and where they go.
struct PackStream {
  bool needs_address = true;
  std::uint32_t address = 0; ///< of L1, a multiple of 16
  std::array<std::uint8_t, 16> bytes{};
  std::uint16_t bits = 0; ///< of `bytes` that are there

  friend bool operator==(const PackStream&, const PackStream&) = default;
};

/// What a packer keeps between instructions.
struct Packer {
  PackStream data, exponents;
  /// 16 data make a block with one exponent: those of the block that is not full yet.
  std::uint32_t first_data = 0; ///< address of the data that belong to these exponents
  std::array<std::uint32_t, 16> block{};
  std::uint8_t block_size = 0;
  std::uint32_t tile_x = 0, tile_y = 0, tile_z = 0; ///< tile position generator (core.md 14.6)
  std::uint16_t address_offset = 0;                 ///< side value that TDMA-RISC sets

  friend bool operator==(const Packer&, const Packer&) = default;
};

} // namespace lanewise::tile
