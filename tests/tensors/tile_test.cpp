#include "number/tensors/tile.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace lanewise::tensors {
namespace {

/// A tensor whose elements are their own row-major indices.
Tensor counted(std::vector<std::size_t> shape) {
  Tensor tensor{.shape = std::move(shape), .bits = {}, .format = formats::Format::UINT32};
  tensor.bits.resize(element_count(tensor.shape).value());
  std::iota(tensor.bits.begin(), tensor.bits.end(), 0u);
  return tensor;
}

TEST(DstPosition, FacesFollowOneAnother) {
  EXPECT_EQ(dst_position(0, 0, 0), (DstPosition{0, 0}));
  EXPECT_EQ(dst_position(0, 15, 15), (DstPosition{15, 15}));
  EXPECT_EQ(dst_position(0, 0, 16), (DstPosition{16, 0})) << "face 1, upper right";
  EXPECT_EQ(dst_position(0, 16, 0), (DstPosition{32, 0})) << "face 2, lower left";
  EXPECT_EQ(dst_position(0, 31, 31), (DstPosition{63, 15}));
  EXPECT_EQ(dst_position(3, 17, 18), (DstPosition{3 * 64 + 3 * 16 + 1, 2}));
}

TEST(DstPosition, TilesFillDstWithoutOverlap) { // MU 1.1: 16 tiles in 1024 rows
  std::set<std::pair<unsigned, unsigned>> seen;
  for (unsigned tile = 0; tile < 16; ++tile) {
    for (unsigned element = 0; element < kTileElements; ++element) {
      const auto [row, column] = dst_position(tile, element / kTileEdge, element % kTileEdge);
      EXPECT_LT(row, 1024u);
      EXPECT_LT(column, 16u);
      seen.emplace(row, column);
    }
  }
  EXPECT_EQ(seen.size(), 1024u * 16u);
}

TEST(ElementCount, Shapes) {
  EXPECT_EQ(element_count(std::vector<std::size_t>{}), 1u) << "one number without dimensions";
  EXPECT_EQ(element_count(std::vector<std::size_t>{2, 3, 4}), 24u);
  EXPECT_EQ(element_count(std::vector<std::size_t>{SIZE_MAX, SIZE_MAX, 0}), 0u);
  EXPECT_EQ(element_count(std::vector<std::size_t>{SIZE_MAX, 2}), std::nullopt);
}

TEST(Tiles, MatrixIsCutInBlocks) {
  const auto tiles = split_into_tiles(counted({64, 96}));
  ASSERT_EQ(tiles.size(), 6u);
  // Tile 4 is the middle one of the lower row: element (32 + 5, 32 + 7).
  EXPECT_EQ(tiles[4][5 * 32 + 7], 37u * 96 + 39);
}

TEST(Tiles, LeadingDimensionsStackMatrices) {
  const auto tiles = split_into_tiles(counted({2, 3, 32, 64}));
  ASSERT_EQ(tiles.size(), 12u);
  // The matrix (1, 2) is the sixth; its second tile has column 32 first.
  EXPECT_EQ(tiles[11][0], 5u * 32 * 64 + 32);
}

TEST(Tiles, OtherShapesFillTileAfterTile) {
  const auto tiles = split_into_tiles(counted({3, 500}));
  ASSERT_EQ(tiles.size(), 2u);
  EXPECT_EQ(tiles[0][1023], 1023u);
  EXPECT_EQ(tiles[1][0], 1024u);
  EXPECT_EQ(tiles[1][475], 1499u);
  EXPECT_EQ(tiles[1][476], 0u) << "padding";
}

TEST(Tiles, JoinUndoesSplit) {
  const std::vector<std::vector<std::size_t>> shapes = {
      {}, {1}, {0}, {0, 32}, {32, 0}, {1024}, {1025}, {32, 32}, {33, 32}, {64, 96}, {2, 3, 64, 32}};
  for (const auto& shape : shapes) {
    const Tensor tensor = counted(shape);
    const auto joined = join_tiles(split_into_tiles(tensor), shape, tensor.format);
    ASSERT_TRUE(joined);
    EXPECT_EQ(*joined, tensor) << testing::PrintToString(shape);
  }
}

TEST(Tiles, JoinRefusesAnotherNumberOfTiles) {
  const auto tiles = split_into_tiles(counted({64, 96}));
  EXPECT_FALSE(join_tiles(tiles, {64, 64}, formats::Format::UINT32));
  EXPECT_FALSE(join_tiles(tiles, {SIZE_MAX, 2}, formats::Format::UINT32));
}

} // namespace
} // namespace lanewise::tensors
