// Arrays in the buffers of a program, and back.
#include "run/launch/buffer_files.h"

#include <gtest/gtest.h>

#include "number/tensors/npy.h"

namespace lanewise::launch {
namespace {

// Tensors of tt-metal are in two's complement, and kernels take the bits: Dst's sign and magnitude
// comes in where they ask for it.
TEST(BufferFiles, IntegersKeepTheirBits) {
  auto description = programs::parse_description(
      R"({"buffers": [{"name": "n", "memory": "dram", "format": "Int32", "layout": "rows"}]})");
  ASSERT_TRUE(description.has_value()) << to_string(description.error());
  const std::vector<std::uint32_t> numbers{1, 0xFFFFFFFF, 0x80000001, 0, 0x80000000};
  const auto array =
      tensors::npy_bytes({5}, {.kind = tensors::NpyKind::Signed, .bytes = 4}, numbers);
  ASSERT_TRUE(array.has_value()) << to_string(array.error());
  const auto filled = fill_buffer(*description, 0, *array);
  ASSERT_TRUE(filled.has_value()) << to_string(filled.error());
  const auto& contents = description->program.buffers[0].contents;
  ASSERT_EQ(contents.size(), 20U);
  for (std::size_t i = 0; i < 5; ++i) {
    const std::uint8_t* const byte = &contents[4 * i];
    EXPECT_EQ(byte[0] | byte[1] << 8 | byte[2] << 16 | static_cast<std::uint32_t>(byte[3]) << 24,
              numbers[i])
        << "number " << i;
  }
  const auto back = buffer_array(*description, 0, contents);
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  EXPECT_EQ(*back, *array) << "an array of int32";
}

} // namespace
} // namespace lanewise::launch
