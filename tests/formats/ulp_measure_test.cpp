// The measures of errors, each held against values worked out by hand from its definition
// (docs/ulp.md). bf16 has 7 bits of mantissa: from 1 to 1 + 2^-7 is a gap, and 1 - 2^-8 stands
// below 1.
#include "number/formats/ulp_measure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "formats/special_doubles.h"
#include "number/formats/ulp.h"

namespace lanewise::formats {
namespace {

constexpr double kLargestBf16 = 0x1.FEp127;
constexpr double kSmallest = 0x1p-126;

UlpError error(UlpMeasure measure, Format format, double exact, double found) {
  return ulp_error(measure, format, exact, round_to_bits(format, exact),
                   round_to_bits(format, found));
}

/// Of bf16: the distance from the rounded reference.
double steps(UlpMeasure measure, double exact, double found) {
  return error(measure, Format::BF16, exact, found).distance;
}

/// Of bf16: the error against the reference before rounding.
double exact_error(UlpMeasure measure, double exact, double found) {
  return error(measure, Format::BF16, exact, found).exact;
}

constexpr auto kLine = UlpMeasure::Line;
constexpr auto kTtLlk = UlpMeasure::TtLlk;
constexpr auto kTtnn = UlpMeasure::Ttnn;
constexpr auto kReport = UlpMeasure::AccuracyReport;
constexpr auto kUnrounded = UlpMeasure::AccuracyReportUnrounded;

TEST(UlpMeasure, HasNames) {
  for (const UlpMeasure measure : kUlpMeasures) {
    EXPECT_EQ(parse_ulp_measure(ulp_measure_name(measure)), measure);
    EXPECT_NE(ulp_measure_help().find(ulp_measure_meaning(measure)), std::string::npos);
  }
  const auto unknown = parse_ulp_measure("ulps");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().remedy.find("accuracy-report-unrounded"), std::string::npos);
}

TEST(UlpMeasure, OneGapAboveIsOneForAll) {
  for (const UlpMeasure measure : kUlpMeasures) {
    EXPECT_EQ(steps(measure, 1, 1 + 0x1p-7), 1) << ulp_measure_name(measure);
    EXPECT_EQ(steps(measure, 1.5, 1.5 - 0x1p-6), -2) << ulp_measure_name(measure);
    EXPECT_EQ(steps(measure, -1, -1 - 0x1p-7), -1) << "the result is smaller";
    EXPECT_EQ(error(measure, Format::INT16, 7, 5).distance, -2);
  }
}

TEST(UlpMeasure, BelowAPowerOfTwo) {
  EXPECT_EQ(steps(kLine, 1, 1 - 0x1p-8), -1);
  EXPECT_EQ(steps(kTtLlk, 1, 1 - 0x1p-8), -1);
  EXPECT_EQ(steps(kTtnn, 1, 1 - 0x1p-8), -0.5) << "2^-8 in gaps of 2^-7";
  EXPECT_EQ(steps(kReport, 1, 1 - 0x1p-8), -0.5);
  EXPECT_EQ(steps(kUnrounded, 1, 1 - 0x1p-8), -0.5);
  // From below, the gap is the smaller one, and a step over 1 is two of them.
  EXPECT_EQ(steps(kLine, 1 - 0x1p-8, 1 + 0x1p-7), 2);
  EXPECT_EQ(steps(kTtnn, 1 - 0x1p-8, 1 + 0x1p-7), 3);
  EXPECT_EQ(steps(kReport, 1 - 0x1p-8, 1 + 0x1p-7), 3);
}

TEST(UlpMeasure, BeforeRounding) {
  // 1 + 2^-9 rounds to 1; it is a quarter of a gap above.
  EXPECT_EQ(exact_error(kLine, 1 + 0x1p-9, 1), 0.25);
  EXPECT_EQ(exact_error(kTtnn, 1 + 0x1p-9, 1), 0.25);
  EXPECT_EQ(exact_error(kReport, 1 + 0x1p-9, 1), 0.25);
  EXPECT_EQ(steps(kReport, 1 + 0x1p-9, 1), 0);
  EXPECT_EQ(steps(kUnrounded, 1 + 0x1p-9, 1), -0.25) << "the result is smaller";
  EXPECT_EQ(exact_error(kTtLlk, 1 + 0x1p-9, 1), kNotCompared);
  // 1 - 2^-10 rounds up to 1: the line has 2^-8 there, the others divide by the gap above 1.
  EXPECT_EQ(exact_error(kLine, 1 - 0x1p-10, 1 - 0x1p-8), 0.75);
  EXPECT_EQ(exact_error(kTtnn, 1 - 0x1p-10, 1 - 0x1p-8), 0.375);
  EXPECT_EQ(exact_error(kReport, 1 - 0x1p-10, 1 - 0x1p-8), 0.375);
  EXPECT_EQ(steps(kUnrounded, 1 - 0x1p-10, 1 - 0x1p-8), -0.375);
}

TEST(UlpMeasure, InfinityBehindTheLargestNumber) {
  EXPECT_EQ(steps(kLine, kLargestBf16, kInfinity), 1);
  EXPECT_EQ(steps(kLine, kInfinity, kLargestBf16), -1);
  for (const UlpMeasure measure : {kTtLlk, kTtnn, kReport, kUnrounded}) {
    EXPECT_EQ(steps(measure, kLargestBf16, kInfinity), kLost) << ulp_measure_name(measure);
    EXPECT_EQ(steps(measure, kInfinity, kLargestBf16), kLost);
  }
  for (const UlpMeasure measure : kUlpMeasures) {
    EXPECT_EQ(steps(measure, kInfinity, kInfinity), 0);
    EXPECT_EQ(steps(measure, 1e39, kInfinity), 0) << "beyond the range, too";
    EXPECT_EQ(steps(measure, 1, kInfinity), kLost);
    EXPECT_EQ(steps(measure, -kInfinity, kInfinity), kLost);
    EXPECT_EQ(error(measure, Format::FP32, 1, kInfinity).exact, kNotCompared);
  }
}

TEST(UlpMeasure, BeyondTheLargestNumberButRoundedToIt) {
  const double beyond = kLargestBf16 + 0x1p118; // a quarter of the last gap
  EXPECT_EQ(round_to_bits(Format::BF16, beyond), 0x7F7Fu);
  EXPECT_EQ(exact_error(kTtnn, beyond, kLargestBf16), 0.25);
  EXPECT_EQ(steps(kReport, beyond, kLargestBf16), 0) << "right, so not lost";
  EXPECT_EQ(exact_error(kReport, beyond, kLargestBf16), kNotCompared) << "an overflow has no score";
  EXPECT_EQ(steps(kReport, beyond, kLargestBf16 / 2), kLost);
  EXPECT_EQ(steps(kTtnn, beyond, kLargestBf16 - 0x1p120), -1);
}

TEST(UlpMeasure, NaN) {
  for (const UlpMeasure measure : kUlpMeasures) {
    EXPECT_EQ(steps(measure, kNan, kNan), 0);
    EXPECT_EQ(steps(measure, 1, kNan), kLost);
    EXPECT_EQ(steps(measure, kNan, 1), kLost);
  }
}

TEST(UlpMeasure, SignsOfZerosDoNotMatter) {
  for (const UlpMeasure measure : kUlpMeasures) {
    EXPECT_EQ(steps(measure, 0.0, -0.0), 0) << ulp_measure_name(measure);
    EXPECT_EQ(steps(measure, -0.0, 0.0), 0);
  }
}

TEST(UlpMeasure, ZeroWhereANumberIsDue) {
  EXPECT_EQ(steps(kLine, kSmallest, 0), -1);
  EXPECT_EQ(steps(kTtLlk, kSmallest, 0), -1);
  EXPECT_EQ(steps(kTtnn, kSmallest, 0), -128) << "2^-126 in gaps of 2^-133";
  EXPECT_EQ(steps(kReport, kSmallest, 0), kLost) << "zeroed: a defect without a size";
  EXPECT_EQ(steps(kUnrounded, 1, 0), kLost);
}

TEST(UlpMeasure, ANumberWhereZeroIsDue) {
  EXPECT_EQ(steps(kLine, 0, kSmallest), 1);
  EXPECT_EQ(steps(kTtLlk, 0, kSmallest), 1);
  EXPECT_EQ(steps(kTtnn, 0, kSmallest), 128);
  EXPECT_EQ(steps(kTtnn, 0, 1), 0x1p133) << "the gap above 0 is the smallest denormal";
  EXPECT_EQ(steps(kReport, 0, 1), kLost);
  EXPECT_EQ(steps(kUnrounded, 0x1p-130, 1), kLost) << "unflushed";
}

TEST(UlpMeasure, Denormals) {
  // 2^-130 is flushed by the chip; torch's bf16 keeps it: 8 gaps of 2^-133.
  EXPECT_EQ(steps(kLine, 0x1p-130, 0), 0);
  EXPECT_EQ(exact_error(kLine, 0x1p-130, 0), 0) << "as good as the format allows";
  EXPECT_EQ(steps(kTtLlk, 0x1p-130, 0), 0);
  EXPECT_EQ(steps(kTtnn, 0x1p-130, 0), -8);
  EXPECT_EQ(exact_error(kTtnn, 0x1.8p-134, 0), 0.75);
  EXPECT_EQ(steps(kTtnn, 0x1.8p-134, 0), -1) << "the golden rounds to 2^-133";
  EXPECT_EQ(steps(kReport, 0x1p-130, 0), 0) << "both flushed";
  EXPECT_EQ(exact_error(kReport, 0x1p-130, 0), kNotCompared);
  // FP32 patterns may hold a denormal; flushed it is 0.
  const std::uint32_t one = 0x3F80'0000, denormal = 0x0040'0000; // 2^-127
  EXPECT_EQ(ulp_error(kReport, Format::FP32, 1, one, denormal).distance, kLost);
  EXPECT_EQ(ulp_error(kLine, Format::FP32, 0, 0, denormal).distance, 0);
  EXPECT_EQ(ulp_error(kTtnn, Format::FP32, 0, 0, denormal).distance, 0x1p22) << "2^-127 / 2^-149";
}

TEST(UlpMeasure, Fp16EndsWithoutInfinity) {
  const double smallest = 0x1p-14;
  EXPECT_EQ(error(kLine, Format::FP16, smallest, 0).distance, -1);
  EXPECT_EQ(error(kTtLlk, Format::FP16, smallest, 0).distance, -1024) << "it keeps denormals";
  EXPECT_EQ(error(kTtnn, Format::FP16, smallest, 0).distance, -1024);
  EXPECT_EQ(error(kTtnn, Format::FP16, 1e6, 131008).exact, 0) << "beyond the end is the end";
  EXPECT_EQ(error(kReport, Format::FP16, 1e6, 131008).distance, 0);
  EXPECT_EQ(error(kReport, Format::FP16, 65536, 65600).distance, 1) << "exponent 31 is ordinary";
}

TEST(UlpMeasure, IntegersCountTheirDifference) {
  for (const UlpMeasure measure : kUlpMeasures) {
    EXPECT_EQ(error(measure, Format::INT32, -3, 4).distance, 7) << ulp_measure_name(measure);
    EXPECT_EQ(error(measure, Format::UINT16, 0, 5).distance, 5) << "0 is a number as any other";
    EXPECT_EQ(error(measure, Format::INT16, 1e9, 32767).distance, 0);
  }
  EXPECT_EQ(error(kLine, Format::INT16, 1e9, 32767).exact, 0) << "the end of the range";
}

RC_GTEST_PROP(UlpMeasure, LineIsTheDistanceInTheLine,
              (std::uint16_t expected, std::uint16_t found)) {
  const auto distance = ulp_distance(Format::BF16, expected, found);
  const double exact = value_of_bits(Format::BF16, expected);
  const double counted = ulp_error(kLine, Format::BF16, exact, expected, found).distance;
  const bool is_lost = !distance || (number_class(Format::BF16, found) == NumberClass::Infinite &&
                                     std::abs(*distance) > 1);
  RC_ASSERT(counted == (is_lost ? kLost : static_cast<double>(*distance)));
}

RC_GTEST_PROP(UlpMeasure, WithinABinadeAllAgree, (std::uint16_t mantissa, std::uint16_t other)) {
  const std::uint16_t expected = 0x3F80 | (mantissa & 0x7F), found = 0x3F80 | (other & 0x7F);
  const double exact = value_of_bits(Format::BF16, expected);
  for (const UlpMeasure measure : kUlpMeasures)
    RC_ASSERT(ulp_error(measure, Format::BF16, exact, expected, found).distance ==
              found - expected);
}

RC_GTEST_PROP(UlpMeasure, ASignOfBothChangesOnlyTheDirection,
              (std::uint16_t expected, std::uint16_t found)) {
  constexpr std::uint32_t kSign = 0x8000;
  const double exact = value_of_bits(Format::BF16, expected);
  for (const UlpMeasure measure : kUlpMeasures) {
    const UlpError one = ulp_error(measure, Format::BF16, exact, expected, found);
    const UlpError other =
        ulp_error(measure, Format::BF16, -exact, expected ^ kSign, found ^ kSign);
    const bool is_mirrored =
        one.distance == kLost ? other.distance == kLost : one.distance == -other.distance;
    RC_ASSERT(is_mirrored);
    RC_ASSERT(one.exact == other.exact);
  }
}

RC_GTEST_PROP(UlpMeasure, OnlyARightResultHasNoError,
              (std::uint16_t expected, std::uint16_t found)) {
  const double exact = value_of_bits(Format::BF16, expected);
  const auto position = ulp_position(Format::BF16, expected);
  const bool is_denormal = number_class(Format::BF16, expected) == NumberClass::Denormal ||
                           number_class(Format::BF16, found) == NumberClass::Denormal;
  if (!position || is_denormal) return;
  const bool is_right = position == ulp_position(Format::BF16, found);
  for (const UlpMeasure measure : kUlpMeasures)
    RC_ASSERT((ulp_error(measure, Format::BF16, exact, expected, found).distance == 0) == is_right);
}

} // namespace
} // namespace lanewise::formats
