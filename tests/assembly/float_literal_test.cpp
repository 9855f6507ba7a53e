// Decimal numbers in 16-bit formats, against every number that the formats have.
#include "source/assembly/float_literal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

namespace lanewise::assembly {
namespace {

double value_of(const FloatFormat& format, std::uint32_t code) {
  const std::uint32_t hidden = 1U << format.mantissa_bits;
  const int exponent = static_cast<int>(code >> format.mantissa_bits) - format.bias;
  return std::ldexp(hidden | (code & (hidden - 1)),
                    exponent - static_cast<int>(format.mantissa_bits));
}

/// All digits; the longest number here has fewer than 150.
std::string all_digits(double value) {
  return fmt::format("{:.150e}", value);
}

/// The number with a 1 or a 0...09 far behind its last digit: just above.
std::string just_above(double value) {
  std::string text = all_digits(value);
  return text.insert(text.find('e'), "1");
}

class FloatLiteral : public testing::TestWithParam<FloatFormat> {};

TEST_P(FloatLiteral, EveryNumberAndEveryMidpoint) {
  const FloatFormat& format = GetParam();
  const auto first = static_cast<std::uint32_t>(format.min_exponent + format.bias)
                     << format.mantissa_bits;
  const auto end = static_cast<std::uint32_t>(format.max_exponent + format.bias + 1)
                   << format.mantissa_bits;
  for (std::uint32_t code = first; code < end; ++code) {
    const double value = value_of(format, code);
    ASSERT_EQ(encode_float(format, all_digits(value), false), code);
    ASSERT_EQ(encode_float(format, all_digits(value), true), code | 0x8000);
    ASSERT_EQ(encode_float(format, fmt::format("{}", value), false), code) << "shortest digits";
    if (code + 1 == end) break;
    const double midpoint = (value + value_of(format, code + 1)) / 2;
    ASSERT_EQ(encode_float(format, all_digits(midpoint), false), code + (code & 1)) << code;
    ASSERT_EQ(encode_float(format, just_above(midpoint), false), code + 1) << code;
    const std::string below = all_digits(std::nextafter(midpoint, 0));
    ASSERT_EQ(encode_float(format, below, false), code) << code;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, FloatLiteral, testing::Values(kBf16, kFp16),
                         [](const auto& format) { return std::string(format.param.name); });

TEST(FloatLiteralRange, EndsWhereRoundingLeavesTheFormat) {
  // FP16 of SFPLOADI has no zero and no infinity: exponents 0 and 31 are ordinary (VU 3.4).
  EXPECT_EQ(encode_float(kFp16, "0.000030517578125", false), 0x0000);
  EXPECT_EQ(encode_float(kFp16, "131008", false), 0x7FFF);
  EXPECT_EQ(encode_float(kFp16, "131039.9999", false), 0x7FFF);
  EXPECT_FALSE(encode_float(kFp16, "131040", false).has_value());
  EXPECT_FALSE(encode_float(kFp16, "0.00003", false).has_value());
  EXPECT_FALSE(encode_float(kFp16, "0", false).has_value());
  EXPECT_EQ(encode_float(kBf16, "0", false), 0x0000);
  EXPECT_EQ(encode_float(kBf16, "0.0e99999999999999999999", true), 0x8000);
  EXPECT_EQ(encode_float(kBf16, "3.3895e38", false), 0x7F7F);
  EXPECT_FALSE(encode_float(kBf16, "3.4e38", false).has_value());
  EXPECT_EQ(encode_float(kBf16, "1.1754943508222875e-38", false), 0x0080);
  EXPECT_FALSE(encode_float(kBf16, "1.17e-38", false).has_value());
}

TEST(FloatLiteralRange, LongTextsAreExact) {
  const std::string zeros(10'000, '0');
  EXPECT_EQ(encode_float(kBf16, "1.00390625" + zeros, false), 0x3F80);
  EXPECT_EQ(encode_float(kBf16, "1.00390625" + zeros + "1", false), 0x3F81);
  EXPECT_EQ(encode_float(kBf16, "1.00390624" + std::string(10'000, '9'), false), 0x3F80);
  EXPECT_EQ(encode_float(kBf16, "1.01171874" + std::string(10'000, '9'), false), 0x3F81);
  EXPECT_EQ(encode_float(kBf16, "0." + zeros + "15e10001", false), 0x3FC0);
}

} // namespace
} // namespace lanewise::assembly
