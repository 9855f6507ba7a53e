#include "number/tensors/tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace lanewise::tensors {
namespace {

/// Tiles that hold so many elements.
constexpr std::size_t tiles_for(std::size_t elements) {
  return elements / kTileElements + (elements % kTileElements != 0 ? 1 : 0);
}

/// From an element's row-major index to its place among the tiles.
class TileOrder {
 public:
  explicit TileOrder(std::span<const std::size_t> shape)
      : columns_(is_tiled_as_matrix(shape) ? shape.back() : 0) {}

  /// The index in the row-major tiles, laid end to end.
  std::size_t operator()(std::size_t element) const {
    if (columns_ == 0) return element;
    // A matrix has whole rows of tiles, so that stacked matrices are one tall matrix.
    const std::size_t row = element / columns_;
    const std::size_t column = element % columns_;
    const std::size_t tile = row / kTileEdge * (columns_ / kTileEdge) + column / kTileEdge;
    return tile * kTileElements + row % kTileEdge * kTileEdge + column % kTileEdge;
  }

 private:
  std::size_t columns_; ///< of the matrix; 0 if the elements only fill tile after tile
};

} // namespace

std::optional<std::size_t> element_count(std::span<const std::size_t> shape) {
  if (std::ranges::find(shape, 0u) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t length : shape) {
    if (count > std::numeric_limits<std::size_t>::max() / length) return std::nullopt;
    count *= length;
  }
  return count;
}

bool is_tiled_as_matrix(std::span<const std::size_t> shape) {
  return shape.size() >= 2 && shape.back() % kTileEdge == 0 &&
         shape[shape.size() - 2] % kTileEdge == 0;
}

std::size_t tile_count(const Tensor& tensor) {
  return tiles_for(tensor.bits.size());
}

std::vector<Tile> split_into_tiles(const Tensor& tensor) {
  std::vector<Tile> tiles(tile_count(tensor), Tile{});
  const TileOrder place_of(tensor.shape);
  for (std::size_t element = 0; element < tensor.bits.size(); ++element) {
    const std::size_t place = place_of(element);
    tiles[place / kTileElements][place % kTileElements] = tensor.bits[element];
  }
  return tiles;
}

Expected<Tensor> join_tiles(std::span<const Tile> tiles, std::vector<std::size_t> shape,
                            formats::Format format) {
  const auto elements = element_count(shape);
  if (!elements || tiles_for(*elements) != tiles.size()) {
    return bad_input(fmt::format("{} tiles are not what the shape ({}) takes", tiles.size(),
                                 fmt::join(shape, ", ")),
                     "give the shape that the tiles were cut from");
  }
  Tensor tensor{.shape = std::move(shape), .bits = {}, .format = format};
  tensor.bits.resize(*elements);
  const TileOrder place_of(tensor.shape);
  for (std::size_t element = 0; element < *elements; ++element) {
    const std::size_t place = place_of(element);
    tensor.bits[element] = tiles[place / kTileElements][place % kTileElements];
  }
  return tensor;
}

} // namespace lanewise::tensors
