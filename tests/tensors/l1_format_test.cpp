// Numbers in L1: layouts as core.md 11 has them, and what comes back.
#include "number/tensors/l1_format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "number/tensors/l1_image.h"
#include "number/tensors/pattern.h"

namespace lanewise::tensors {
namespace {

L1Format l1_format(std::string_view name) {
  return *parse_l1_format(name);
}

Tensor l1_numbers(std::string_view name, std::vector<double> values) {
  Tensor tensor{{values.size()}, {}, l1_format(name).values()};
  for (const double value : values)
    tensor.bits.push_back(formats::round_to_bits(tensor.format, value));
  return tensor;
}

std::vector<std::uint8_t> l1_row(std::string_view name, std::vector<double> values) {
  return *to_l1(l1_format(name), L1Order::Rows, l1_numbers(name, std::move(values)));
}

using L1Bytes = std::vector<std::uint8_t>;

TEST(L1Format, LaysSingleNumbersOut) {
  EXPECT_EQ(l1_row("fp32", {1, -2}), (L1Bytes{0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0}));
  EXPECT_EQ(l1_row("bf16", {1.5}), (L1Bytes{0xC0, 0x3F}));
  EXPECT_EQ(l1_row("fp16", {1.5}), (L1Bytes{0x00, 0x3E}));
  EXPECT_EQ(l1_row("tf32", {1 + 0x1p-10}), (L1Bytes{0x00, 0x20, 0x80, 0x3F}));
  EXPECT_EQ(l1_row("fp8", {1.5, -1}), (L1Bytes{0x3E, 0xBC}));
  EXPECT_EQ(l1_row("int32", {-5}), (L1Bytes{5, 0, 0, 0x80})) << "sign and magnitude";
  EXPECT_EQ(l1_row("int16", {-5}), (L1Bytes{5, 0x80}));
  EXPECT_EQ(l1_row("int8", {-5, 127}), (L1Bytes{0x85, 0x7F}));
  EXPECT_EQ(l1_row("uint8", {5, 255}), (L1Bytes{5, 0xFF}));
  EXPECT_EQ(l1_row("uint16", {65535}), (L1Bytes{0xFF, 0xFF}));
}

TEST(L1Format, RefusesNumbersThatBytesDoNotHave) {
  EXPECT_FALSE(to_l1(l1_format("int8"), L1Order::Rows, l1_numbers("int8", {128})).has_value());
  EXPECT_FALSE(to_l1(l1_format("int8"), L1Order::Rows, l1_numbers("int8", {-128})).has_value());
  EXPECT_EQ(l1_row("int8", {-127, 0}), (L1Bytes{0xFF, 0})); // sign and magnitude
  EXPECT_FALSE(to_l1(l1_format("uint8"), L1Order::Rows, l1_numbers("uint8", {-1})).has_value());
  EXPECT_FALSE(to_l1(l1_format("bfp8"), L1Order::Rows, l1_numbers("bfp8", {1})).has_value());
}

TEST(L1Format, PutsTheExponentsOfBlocksFirst) {
  const struct {
    const char* name;
    std::size_t bytes;
    std::uint8_t exponent, first;
  } cases[] = {{"bfp8", 64 + 1024, 127, 0x40},
               {"bfp4", 64 + 512, 127, 0x44},
               {"bfp2", 64 + 256, 127, 0x55},
               {"bfp8a", 64 + 1024, 15, 0x40}};
  for (const auto& each : cases) {
    Tensor ones = *make_input("value:1", l1_format(each.name).values());
    const L1Bytes bytes = *to_l1(l1_format(each.name), L1Order::Tiles, ones);
    ASSERT_EQ(bytes.size(), each.bytes) << each.name;
    EXPECT_EQ(bytes.size(), l1_bytes(l1_format(each.name), L1Order::Tiles, kTileElements));
    EXPECT_EQ(bytes[0], each.exponent) << each.name;
    EXPECT_EQ(bytes[63], each.exponent) << each.name;
    EXPECT_EQ(bytes[64], each.first) << each.name;
  }
}

TEST(L1Format, OrdersATileByItsFaces) {
  const Tensor ramp = *make_input("ramp:0:1023", formats::Format::INT32);
  const L1Bytes bytes = *to_l1(l1_format("int32"), L1Order::Tiles, ramp);
  const auto word = [&](std::size_t i) { return bytes[4 * i] | bytes[4 * i + 1] << 8; };
  EXPECT_EQ(word(16), 32) << "row 1 of the upper left face";
  EXPECT_EQ(word(256), 16) << "the upper right face";
  EXPECT_EQ(word(512), 512) << "the lower left face";
}

class L1RoundTrip : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EveryFormat, L1RoundTrip,
                         testing::Values("fp32", "tf32", "fp16", "bf16", "fp8", "bfp8", "bfp4",
                                         "bfp2", "bfp8a", "bfp4a", "bfp2a", "int8", "uint8",
                                         "int16", "uint16", "int32", "uint32"),
                         [](const auto& each) { return std::string(each.param); });

/// What a format has once been rounded to comes back as it is.
TEST_P(L1RoundTrip, KeepsWhatTheFormatHas) {
  const L1Format l1 = l1_format(GetParam());
  const bool is_float = !formats::is_integer(l1.values());
  Tensor start = *make_input(is_float ? "random:3:-4:4" : "random:3:0:100", l1.values());
  const L1Bytes once = *to_l1(l1, L1Order::Tiles, start);
  const Tensor back = *from_l1(l1, L1Order::Tiles, once, start.shape);
  EXPECT_EQ(*to_l1(l1, L1Order::Tiles, back), once);
  for (std::size_t i = 0; i < start.bits.size(); ++i) {
    const double before = formats::value_of_bits(start.format, start.bits[i]);
    EXPECT_NEAR(formats::value_of_bits(back.format, back.bits[i]), before, is_float ? 2.01 : 0);
  }
}

TEST(L1Image, ReadsWhatOptionsSay) {
  const auto input = parse_l1_input("0x20000=ramp:0:1:bfp8");
  ASSERT_TRUE(input.has_value());
  EXPECT_EQ(input->address, 0x20000U);
  EXPECT_EQ(input->input, "ramp:0:1");
  EXPECT_EQ(input->format, l1_format("bfp8"));
  const auto rows = parse_l1_input("16=a.npy:bf16:rows");
  ASSERT_TRUE(rows.has_value());
  EXPECT_EQ(rows->order, L1Order::Rows);
  EXPECT_EQ(rows->input, "a.npy");
  const auto output = parse_l1_output("0x30000:64x32:bf16=out.npy");
  ASSERT_TRUE(output.has_value());
  EXPECT_EQ(output->text(), "0x30000, 64x32 bf16");
  EXPECT_EQ(output->bytes(), 4096U);
  EXPECT_EQ(parse_l1_output("0x30000=out.npy")->shape.size(), 0U);
  EXPECT_EQ(parse_l1_output("0x30000:48=out.bin")->bytes(), 48U);
  EXPECT_EQ(parse_l1_input("0=ramp:bf16:rows*64")->count, 64U);
  EXPECT_EQ(l1_input_bytes(*parse_l1_input("0=ramp:bf16*3"))->size(), 3U * 2048);
  for (const char* wrong :
       {"", "0=ramp:bf16*", "0=ramp:bf16*0", "0x20000", "x=ramp:bf16", "0=", "0=:bf16"})
    EXPECT_FALSE(parse_l1_input(wrong).has_value()) << wrong;
  for (const char* wrong : {"", "0:0x32:bf16", "0:32x:bf16", "0:32:bf17", "0:32:bf16=a.txt",
                            "0:99999999999:bf16", "0:4294967296x4294967296x16"})
    EXPECT_FALSE(parse_l1_output(wrong).has_value()) << wrong;
}

} // namespace
} // namespace lanewise::tensors
