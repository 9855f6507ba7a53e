// What the documents say of each format of Dst and of each form of patterns, row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "number/formats/format.h"
#include "number/formats/number_forms.h"
#include "number/formats/number_line.h"
#include "number/formats/ulp.h"

namespace lanewise::formats {
namespace {

struct KnownFormat {
  Format format;
  std::string_view name;
  bool is_32bit, is_integer;
  double lowest, highest;
  double ulp_of_one;
  std::uint32_t one; ///< value bits of 1
};

// VU 3.4 and MU 1.1. A unit of 1.0 is 2 to the minus bits of mantissa.
constexpr KnownFormat kKnownFormats[] = {
    {Format::FP32, "fp32", true, false, -0x1.FFFFFEp127, 0x1.FFFFFEp127, 0x1p-23, 0x3F800000},
    {Format::BF16, "bf16", false, false, -0x1.FEp127, 0x1.FEp127, 0x1p-7, 0x3F80},
    {Format::FP16, "fp16", false, false, -131008, 131008, 0x1p-10, 0x3C00},
    {Format::INT32, "int32", true, true, -2147483647.0, 2147483647.0, 1, 1},
    {Format::INT16, "int16", false, true, -32767, 32767, 1, 1},
    {Format::UINT16, "uint16", false, true, 0, 65535, 1, 1},
    {Format::INT8, "int8", false, true, -1023, 1023, 1, 1},
    {Format::UINT32, "uint32", true, true, 0, 4294967295.0, 1, 1}};

TEST(KnownFormats, AreAllFormatsInTheOrderOfTheNames) {
  ASSERT_EQ(std::size(kKnownFormats), kFormats.size());
  for (std::size_t i = 0; i < kFormats.size(); ++i) EXPECT_EQ(kFormats[i], kKnownFormats[i].format);
}

TEST(KnownFormats, AreAsDocumented) {
  for (const KnownFormat& known : kKnownFormats) {
    SCOPED_TRACE(known.name);
    EXPECT_EQ(format_name(known.format), known.name);
    EXPECT_EQ(parse_format(known.name).value(), known.format);
    EXPECT_EQ(is_32bit(known.format), known.is_32bit);
    EXPECT_EQ(is_integer(known.format), known.is_integer);
    EXPECT_EQ(value_range(known.format).lowest, known.lowest);
    EXPECT_EQ(value_range(known.format).highest, known.highest);
    EXPECT_EQ(ulp(known.format, 1.0), known.ulp_of_one);
    EXPECT_EQ(round_to_bits(known.format, 1.0), known.one);
  }
}

TEST(KnownFormats, AFormatIsPassedOnAsAConstant) {
  for (const Format format : kFormats) {
    const auto passed = with_format(
        format, []<Format kFormat>(std::integral_constant<Format, kFormat>) { return kFormat; });
    EXPECT_EQ(passed, format);
  }
}

// The line of a format ends where its numbers do: of floats, without the infinity.
TEST(KnownFormats, LinesReachTheLargestNumber) {
  for (const KnownFormat& known : kKnownFormats) {
    with_line(known.format, [&]<class Line>(Line) {
      EXPECT_EQ(Line::kIsInteger, known.is_integer) << known.name;
      // INT8's line has 16 bits, of which its numbers take 11.
      if (known.format != Format::INT8) {
        EXPECT_EQ(Line::number(Line::kLargest), known.highest) << known.name;
      }
    });
  }
}

struct KnownForm {
  NumberForm form;
  std::string_view name;
  unsigned width, exponent_bits, mantissa_bits;
  std::uint32_t one;
};

// VU 3.4, VU 3.6, MU 1.2.
constexpr KnownForm kKnownForms[] = {{NumberForm::Fp32, "fp32", 32, 8, 23, 0x3F800000},
                                     {NumberForm::Tf32, "tf32", 19, 8, 10, 0x1FC00},
                                     {NumberForm::Bf16, "bf16", 16, 8, 7, 0x3F80},
                                     {NumberForm::Fp16, "fp16", 16, 5, 10, 0x3C00},
                                     {NumberForm::Fp16a, "fp16a", 16, 5, 10, 0x3C00},
                                     {NumberForm::Lut16, "lut16", 16, 5, 10, 0x3C00},
                                     {NumberForm::Lut8, "fp8", 8, 3, 4, 0x00}};

TEST(KnownFormats, FormsOfPatternsAreAsDocumented) {
  ASSERT_EQ(std::size(kKnownForms), kNumberForms.size());
  for (std::size_t i = 0; i < kNumberForms.size(); ++i) {
    const KnownForm& known = kKnownForms[i];
    SCOPED_TRACE(known.name);
    EXPECT_EQ(kNumberForms[i], known.form);
    EXPECT_EQ(form_name(known.form), known.name);
    EXPECT_EQ(form_width(known.form), known.width);
    const FormFields fields = form_fields(known.form, known.one);
    EXPECT_EQ(fields.exponent_bits, known.exponent_bits);
    EXPECT_EQ(fields.mantissa_bits, known.mantissa_bits);
    EXPECT_EQ(fields.power, 0);
    EXPECT_EQ(form_value(known.form, known.one), 1.0);
  }
}

} // namespace
} // namespace lanewise::formats
