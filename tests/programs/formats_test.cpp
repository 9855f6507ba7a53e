// Formats of circular buffers, and the rules by which kernels get theirs (tt-metal,
// jit_build/data_format.cpp).
#include "source/programs/formats.h"

#include <gtest/gtest.h>

namespace lanewise::programs {
namespace {

using enum DataFormat;

TEST(Formats, HaveTheSizesOfTiles) {
  EXPECT_EQ(format_bytes(Bfp2_b, 1024), 320U);
  EXPECT_EQ(format_bytes(Bfp4, 1024), 576U);
  EXPECT_EQ(format_bytes(Bfp8_b, 1024), 1088U);
  EXPECT_EQ(format_bytes(Float16_b, 1024), 2048U);
  EXPECT_EQ(format_bytes(Float32, 1024), 4096U);
  EXPECT_EQ(format_bytes(UInt8, 1024), 1024U);
  EXPECT_EQ(format_bytes(Float16_b, 32 * 16), 1024U);
}

TEST(Formats, AreFoundByTheirNames) {
  EXPECT_EQ(*parse_data_format("Bfp8_b"), Bfp8_b);
  const auto none = parse_data_format("Float16b");
  ASSERT_FALSE(none.has_value());
  EXPECT_NE(none.error().remedy.find("Float16_b"), std::string::npos);
}

KernelFormats formats_of(std::vector<DataFormat> formats, const FormatRules& rules = {}) {
  const auto found = kernel_formats(formats, rules);
  EXPECT_TRUE(found.has_value()) << (found ? "" : found.error().message);
  return found ? *found : KernelFormats();
}

TEST(Formats, Float32IsUnpackedAsThe16BitsOfTheOthersOrAsTf32) {
  EXPECT_EQ(formats_of({Float32, Float16_b}).unpack_destination[0], Float16_b);
  EXPECT_EQ(formats_of({Float32, Float16}).unpack_destination[0], Float16);
  EXPECT_EQ(formats_of({Float32}).unpack_destination[0], Float16_b) << "8 bits if none has any";
  EXPECT_EQ(formats_of({Float32, Float16_b}, {.fp32_dest = true}).unpack_destination[0], Tf32);
  EXPECT_EQ(formats_of({Float32, Float16}, {.fp32_dest = true}).unpack_destination[0], Float16);
  EXPECT_EQ(
      formats_of({Float32}, {.fp32_dest = true, .unpacks_to_dest = {true}}).unpack_destination[0],
      Float32);
}

TEST(Formats, PackersReadWhatDstHas) {
  EXPECT_EQ(formats_of({Float32}).pack_source[0], Float16_b);
  EXPECT_EQ(formats_of({Float32}, {.fp32_dest = true}).pack_source[0], Float32);
  EXPECT_EQ(formats_of({Bfp4_b}).pack_source[0], Bfp8_b);
  EXPECT_EQ(formats_of({Bfp4}).pack_source[0], Bfp8);
  EXPECT_EQ(formats_of({Bfp4_b}, {.packs_bfp8_precisely = true}).pack_source[0], Float16_b);
  EXPECT_EQ(formats_of({Bfp4_b}, {.fp32_dest = true, .packs_bfp8_precisely = true}).pack_source[0],
            Float32);
  EXPECT_EQ(formats_of({Float16}, {.fp32_dest = true}).pack_source[0], Float16_b);
  EXPECT_EQ(formats_of({UInt16}).pack_source[0], UInt16);
  EXPECT_EQ(formats_of({Bfp4_b}).pack_destination[0], Bfp4_b) << "L1 has the buffer's own";
}

TEST(Formats, RawBitsAreTakenForFloatsOfTheirSize) {
  const KernelFormats formats = formats_of({RawUInt32, RawUInt16, RawUInt8});
  EXPECT_EQ(formats.unpack_source, (std::vector{Float32, Float16, Lf8}));
  EXPECT_EQ(formats.unpack_destination, (std::vector{Float32, Float16, Lf8}));
}

TEST(Formats, ExponentsOf5And8BitsDoNotMix) {
  const auto mixed = kernel_formats(std::vector{Float16, Invalid, Bfp8_b}, {});
  ASSERT_FALSE(mixed.has_value());
  EXPECT_NE(mixed.error().message.find("Float16 and of Bfp8_b"), std::string::npos);
  EXPECT_TRUE(kernel_formats(std::vector{Float16, Float32, Int32, UInt8}, {}).has_value());
}

TEST(Formats, Fp8AmongTheInputsShortensExponentsUnlessDstHas32Bits) {
  EXPECT_EQ(formats_of({Fp8_e4m3, Float16_b}).pack_source[1], Float16);
  EXPECT_EQ(formats_of({Fp8_e4m3, Float16_b}, {.fp32_dest = true}).pack_source[1], Float16_b);
}

} // namespace
} // namespace lanewise::programs
