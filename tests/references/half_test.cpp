// Functions that are next to half of a tiny operand, against any precision.
#include "number/references/half.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>

#include "number/references/evaluation.h"
#include "reference_fixture.h"

namespace lanewise::references {
namespace {

Expression parsed(const std::string& text) {
  const auto expression = parse_expression(text);
  EXPECT_TRUE(expression.has_value()) << text;
  return expression.value_or(Expression{});
}

class HalfOfTiny : public testing::TestWithParam<const char*> {
 protected:
  void expect_precise(formats::Format format, double x) const {
    const auto found = half_of_tiny(expression_, format, x);
    const std::string where = fmt::format("{} as {} at {:a}", GetParam(), format_name(format), x);
    ASSERT_TRUE(found.has_value()) << where;
    ASSERT_EQ(*found, evaluate_precisely(expression_, format, x, 0)) << where;
  }

  const Expression expression_ = parsed(fmt::format("{}(x)", GetParam()));
};

TEST_P(HalfOfTiny, IsRoundedAsAtAnyPrecision) {
  tensors::SplitMix64 random(3);
  constexpr int kCount = 300;
  for (const formats::Format format :
       {formats::Format::FP32, formats::Format::BF16, formats::Format::FP16}) {
    for (int i = 0; i < kCount; ++i) {
      // 2^-60 at most; every third one from 2^-126 to 2^-125, where half of FP32 is denormal.
      const std::uint64_t bits = random();
      const auto exponent = static_cast<int>(i % 3 == 0 ? 126 : 61 + bits % 90);
      const double mantissa = 1 + static_cast<double>(bits >> 41) * 0x1p-23;
      expect_precise(format, std::ldexp(i % 2 == 0 ? mantissa : -mantissa, -exponent));
      if (HasFatalFailure()) return;
    }
  }
}

/// In the middle between two numbers of the format; a double has bits of its own behind them.
TEST_P(HalfOfTiny, OfMiddles) {
  for (const double sign : {1.0, -1.0}) {
    for (const double even : {0x1.000001p-100, 0x1.000003p-100, 0x1.0000010000001p-100}) {
      expect_precise(formats::Format::FP32, sign * even);
      expect_precise(formats::Format::FP32, std::nextafter(sign * even, 0.0));
    }
    expect_precise(formats::Format::FP32, sign * 0x1.000002p-126);
    expect_precise(formats::Format::FP32, sign * 0x1.000006p-126);
    expect_precise(formats::Format::BF16, sign * 0x1.01p-90);
    expect_precise(formats::Format::BF16, sign * 0x1.03p-90);
  }
}

TEST_P(HalfOfTiny, IsNothingElsewhere) {
  for (const double x : {0.0, -0.0, 0x1.0000000000001p-60, 1.0, kInf, kNotANumber, 0x1p-1001})
    EXPECT_FALSE(half_of_tiny(expression_, formats::Format::FP32, x)) << x;
  for (const char* other : {"{}(x) * 2", "{}(-x)", "{}(y)", "{}(0.5)", "x + 0 * {}(x)"}) {
    const std::string text = fmt::format(fmt::runtime(other), GetParam());
    EXPECT_FALSE(half_of_tiny(parsed(text), formats::Format::FP32, 0x1p-100)) << text;
  }
}
INSTANTIATE_TEST_SUITE_P(Functions, HalfOfTiny,
                         testing::Values("gelu", "gelu_tanh", "silu", "hardswish"),
                         [](const auto& function) { return std::string(function.param); });

TEST(HalfOfTinyOnly, OfFunctionsThatAreHalfThere) {
  for (const char* other : {"x", "x / 2", "mish(x)", "tanh(x)", "hardmish(x)", "sigmoid(x)"})
    EXPECT_FALSE(half_of_tiny(parsed(other), formats::Format::FP32, 0x1p-100)) << other;
}

} // namespace
} // namespace lanewise::references
