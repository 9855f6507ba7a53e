// Arrays as a user has them, 32x32 tiles as the units work on them, and where a tile lies in Dst.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/fault.h"
#include "number/formats/format.h"

namespace lanewise::tensors {

inline constexpr unsigned kTileEdge = 32;
inline constexpr unsigned kFaceEdge = 16; ///< also the columns of Dst
inline constexpr unsigned kTileElements = kTileEdge * kTileEdge;
inline constexpr unsigned kTileDstRows = kTileElements / kFaceEdge; ///< 64 (MU 1.1)

/// A logical row of Dst, in the 16-bit or the 32-bit view, and a column 0..15 (MU 1.1).
struct DstPosition {
  unsigned row;
  unsigned column;

  friend bool operator==(const DstPosition&, const DstPosition&) = default;
};

/// Where element (row, column), both 0..31, of a tile lies. Tile t has the logical rows
/// 64t..64t+63: its faces one after the other, 16 rows each, in the order upper left, upper right,
/// lower left, lower right. Dst has room for the tiles 0..15 of a 16-bit format and 0..7 of a
/// 32-bit one (MU 1.1).
constexpr DstPosition dst_position(unsigned tile, unsigned row, unsigned column) {
  const unsigned face = row / kFaceEdge * 2 + column / kFaceEdge;
  return {tile * kTileDstRows + face * kFaceEdge + row % kFaceEdge, column % kFaceEdge};
}

/// The value bits (number/formats/format.h) of one tile, row by row: element (row, column) is
/// [32*row + column].
using Tile = std::array<std::uint32_t, kTileElements>;

/// An array in row-major order. The product of the shape is the number of elements; an empty shape
/// is one element. `bits` are value bits (number/formats/format.h).
struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<std::uint32_t> bits;
  formats::Format format = formats::Format::FP32;

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// The number of elements of a shape, or nothing if it does not fit in 64 bits.
std::optional<std::size_t> element_count(std::span<const std::size_t> shape);

/// Whether a shape is cut into tiles as a matrix: it has two dimensions or more, and the last two
/// are multiples of 32. The leading dimensions then only stack matrices.
bool is_tiled_as_matrix(std::span<const std::size_t> shape);

/// How many tiles a tensor is cut into.
std::size_t tile_count(const Tensor& tensor);

/// The tiles of a tensor. A matrix (is_tiled_as_matrix) gives its tiles in row-major order, one
/// matrix after the other. Any other shape is read as one row-major run of elements that fills tile
/// after tile, each row by row; what is left of the last tile is zero.
std::vector<Tile> split_into_tiles(const Tensor& tensor);

/// The tensor that split_into_tiles() would cut into these tiles; padding is dropped.
/// Error: BadInput if the shape needs another number of tiles.
Expected<Tensor> join_tiles(std::span<const Tile> tiles, std::vector<std::size_t> shape,
                            formats::Format format);

} // namespace lanewise::tensors
