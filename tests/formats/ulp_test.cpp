#include "number/formats/ulp.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "number/formats/number_line.h"

namespace lanewise::formats {
namespace {

constexpr double kEndlessUlp = std::numeric_limits<double>::infinity();

std::int64_t position(Format format, double number) {
  return ulp_position(format, round_to_bits(format, number)).value();
}

// Below the smallest normal number the grid is that of zero.
TEST(Ulp, OfWhatIsBelowTheSmallestNumber) {
  EXPECT_EQ(ulp(Format::BF16, 0), std::ldexp(1.0, -126 - 7));
  EXPECT_EQ(ulp(Format::BF16, 1e-40), std::ldexp(1.0, -126 - 7));
  EXPECT_EQ(ulp(Format::FP32, -1e-42), std::ldexp(1.0, -126 - 23));
  EXPECT_EQ(ulp(Format::BF16, 1), std::ldexp(1.0, -7));
}

TEST(UlpPosition, NumbersStandInTheirOrder) {
  for (const Format format : kFormats) {
    if (is_32bit(format)) continue;
    std::optional<double> last;
    std::int64_t last_position = 0;
    std::map<double, std::int64_t> line;
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto kind = number_class(format, bits);
      if (kind == NumberClass::NaN || kind == NumberClass::Denormal) continue;
      line[value_of_bits(format, bits) + 0.0] = ulp_position(format, bits).value();
    }
    for (const auto& [number, place] : line) {
      if (last) {
        EXPECT_EQ(place, last_position + 1) << format_name(format) << ' ' << number;
      }
      last = number;
      last_position = place;
    }
    EXPECT_EQ(line.at(0.0), 0) << format_name(format);
  }
}

TEST(UlpPosition, DenormalsAndZerosAreOnePlace) {
  EXPECT_EQ(ulp_position(Format::FP32, 0x8000'0000), 0);
  EXPECT_EQ(ulp_position(Format::FP32, 0x007F'FFFF), 0);
  EXPECT_EQ(ulp_position(Format::FP32, 0x0080'0000), 1);
  EXPECT_EQ(ulp_position(Format::FP32, 0x8080'0000), -1);
  EXPECT_EQ(ulp_position(Format::BF16, 0x807F), 0);
  EXPECT_EQ(ulp_position(Format::FP16, 0x0400), 1);
  EXPECT_EQ(ulp_position(Format::FP16, 0x03FF), 0);
}

TEST(UlpPosition, TheLastNumberIsOneStepBeforeInfinity) {
  for (const Format format : {Format::FP32, Format::BF16})
    EXPECT_EQ(position(format, kEndlessUlp), position(format, value_range(format).highest) + 1);
  EXPECT_EQ(position(Format::FP16, kEndlessUlp), position(Format::FP16, 131008))
      << "FP16 has no infinity";
}

TEST(UlpPosition, IntegersStandAtTheirValue) {
  EXPECT_EQ(position(Format::INT32, -2147483647), -2147483647);
  EXPECT_EQ(position(Format::UINT32, 4294967295.0), 4294967295);
  EXPECT_EQ(position(Format::INT8, -1023), -1023);
  EXPECT_EQ(position(Format::UINT16, 65535), 65535);
  EXPECT_EQ(ulp_position(Format::INT16, 0x8000), 0) << "the pattern of -0";
  EXPECT_EQ(ulp_position(Format::INT32, 0x8000'0000), 0);
}

TEST(UlpDistance, NaNs) {
  EXPECT_EQ(ulp_distance(Format::BF16, 0x7FC0, 0xFF81), 0);
  EXPECT_EQ(ulp_distance(Format::BF16, 0x7FC0, 0x3F80), std::nullopt);
  EXPECT_EQ(ulp_distance(Format::BF16, 0x3F80, 0x7FC0), std::nullopt);
  EXPECT_EQ(ulp_distance(Format::FP16, 0x7FFF, 0x7FFE), -1) << "FP16 has none";
}

TEST(UlpDistance, IsPositiveWhereTheResultIsLarger) {
  EXPECT_EQ(ulp_distance(Format::BF16, 0x3F80, 0x3F83), 3);
  EXPECT_EQ(ulp_distance(Format::BF16, 0xBF80, 0xBF83), -3);
  EXPECT_EQ(ulp_distance(Format::BF16, 0x8080, 0x0080), 2) << "over zero";
}

RC_GTEST_PROP(NumberLine, NumbersAreThoseOfTheFormat, (std::uint32_t pattern)) {
  for (const Format format : kFormats) {
    const std::uint32_t bits = is_32bit(format) ? pattern : pattern & 0xFFFF;
    const double number = with_line(format, [&](auto line) { return line.number(bits); });
    const double wanted = value_of_bits(format, bits);
    const bool is_same =
        std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(wanted);
    RC_ASSERT(is_same || (std::isnan(wanted) && std::isnan(number)));
  }
}

/// Of a float format.
double place(Format format, double number) {
  return with_line(format, [&]<class Line>(Line) {
    if constexpr (Line::kIsInteger) {
      return number;
    } else {
      return place_in_line<Line>(number);
    }
  });
}

constexpr std::array kFloatFormats{Format::FP32, Format::BF16, Format::FP16};

RC_GTEST_PROP(NumberLine, NumbersOfTheFormatStandAtTheirPositions, (std::uint32_t pattern)) {
  for (const Format format : kFloatFormats) {
    const std::uint32_t bits = is_32bit(format) ? pattern : pattern & 0xFFFF;
    if (number_class(format, bits) == NumberClass::Denormal) continue; // between 0 and 1
    const double number = value_of_bits(format, bits);
    const auto position = ulp_position(format, bits);
    const bool is_right = position.has_value()
                              ? place(format, number) == static_cast<double>(*position)
                              : std::isnan(place(format, number));
    RC_ASSERT(is_right);
  }
}

RC_GTEST_PROP(NumberLine, BetweenNeighboursPlacesAreInProportion, (std::uint32_t pattern)) {
  for (const Format format : kFloatFormats) {
    const std::uint32_t bits = is_32bit(format) ? pattern : pattern & 0xFFFF;
    if (number_class(format, bits) != NumberClass::Normal) continue;
    const double number = value_of_bits(format, bits);
    const double gap = with_line(format, [&](auto line) { return line.gap(bits); });
    const double quarter = number + std::copysign(gap / 4, number);
    const double size = std::abs(static_cast<double>(*ulp_position(format, bits)));
    const double end = std::abs(place(format, HUGE_VAL));
    RC_ASSERT(std::abs(place(format, quarter)) == std::min(size + 0.25, end));
  }
}

TEST(NumberLine, PlacesAtTheEnds) {
  for (const Format format : kFloatFormats) {
    const double smallest = format == Format::FP16 ? 0x1p-14 : 0x1p-126;
    EXPECT_EQ(place(format, smallest / 4), 0.25) << "on the way from 0 to 1";
    EXPECT_EQ(place(format, -smallest / 4), -0.25);
    EXPECT_EQ(place(format, 0x1p500), place(format, HUGE_VAL)) << "as far as the line goes";
    EXPECT_EQ(place(format, -0x1p500), -place(format, HUGE_VAL));
  }
}

} // namespace
} // namespace lanewise::formats
