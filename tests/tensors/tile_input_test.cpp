// Inputs with formats of their own.
#include "number/tensors/tile_input.h"

#include <gtest/gtest.h>

#include "number/tensors/npy.h"
#include "number/tensors/pattern.h"
#include "sfpi/kernel_files.h"

namespace lanewise::tensors {
namespace {

using formats::Format;

TEST(TileInput, TheFormatBehindTheSpecificationWins) {
  EXPECT_EQ(make_tile_input("ramp@int32", Format::BF16), make_input("ramp", Format::INT32));
  EXPECT_EQ(make_tile_input("value:3@fp16", Format::FP32), make_input("value:3", Format::FP16));
  EXPECT_EQ(make_tile_input("random:7", Format::FP16), make_input("random:7", Format::FP16));
}

TEST(TileInput, AFileMayHaveTheSignInItsName) {
  const sfpi::TemporaryFolder folder;
  const Tensor tensor = make_input("ramp", Format::FP32).value();
  const std::string path = (folder.path() / "a@int32.npy").string();
  ASSERT_TRUE(write_npy(path, tensor));
  EXPECT_EQ(make_tile_input(path, Format::FP32), tensor);
  EXPECT_EQ(make_tile_input(path + "@bf16", Format::FP32), make_input(path, Format::BF16));
}

TEST(TileInput, UnknownFormatsAreNamed) {
  const auto input = make_tile_input("ramp@int33", Format::BF16);
  ASSERT_FALSE(input);
  EXPECT_NE(to_string(input.error()).find("int33"), std::string::npos);
}

std::vector<Tensor> tiles_of(std::initializer_list<Format> formats) {
  std::vector<Tensor> inputs;
  for (const Format format : formats) inputs.push_back(make_input("zero", format).value());
  return inputs;
}

TEST(TileInput, TilesOfOtherWidthMustLieApart) {
  EXPECT_TRUE(check_tiles_apart({}));
  EXPECT_TRUE(check_tiles_apart(tiles_of({Format::BF16, Format::UINT16, Format::INT16})));
  EXPECT_TRUE(check_tiles_apart(tiles_of({Format::FP32, Format::INT32})));
  // 32 bits: tile 1 has the rows of the 16-bit tiles 2 and 3.
  EXPECT_TRUE(check_tiles_apart(tiles_of({Format::BF16, Format::INT32})));
  EXPECT_FALSE(check_tiles_apart(tiles_of({Format::INT32, Format::BF16})));
  EXPECT_FALSE(check_tiles_apart(tiles_of({Format::BF16, Format::INT32, Format::BF16})));
}

} // namespace
} // namespace lanewise::tensors
