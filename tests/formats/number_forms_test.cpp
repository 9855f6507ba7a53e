// The formats of number/formats/number_forms.h against their definitions, and fp16c against its
// description.
#include "number/formats/number_forms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "chip/semantics/dst_format.h"
#include "number/formats/number_argument.h"
#include "number/tensors/pattern.h"
#include "number/tensors/source_tile.h"
#include "source/assembly/float_literal.h"

namespace lanewise::formats {
namespace {

constexpr std::uint32_t kPatterns = 0x10000;
constexpr double kEndless = std::numeric_limits<double>::infinity();

std::uint32_t bits_of(float number) {
  return std::bit_cast<std::uint32_t>(number);
}
std::uint32_t fp16a_of(float number) {
  return tool_patterns(bits_of(number)).fp16a;
}
std::uint32_t fp8_of(float number) {
  return tool_patterns(bits_of(number)).fp8;
}

// ---------------------------------------------------------------- the tool

TEST(ToolFp16c, EveryFp16bComesBack) {
  for (std::uint32_t pattern = 0; pattern < kPatterns; ++pattern)
    ASSERT_EQ(tool_patterns(tool_values(pattern).fp16b).fp16b, pattern);
}

TEST(ToolFp16c, EveryFp8ComesBack) {
  for (std::uint32_t pattern = 0; pattern < 0x100; ++pattern)
    ASSERT_EQ(tool_patterns(tool_values(pattern).fp8).fp8, pattern);
}

TEST(ToolFp16c, EveryFp16aWithAnExponentComesBack) {
  for (std::uint32_t pattern = 0; pattern < kPatterns; ++pattern) {
    const std::uint32_t back = tool_patterns(tool_values(pattern).fp16a).fp16a;
    const std::uint32_t magnitude = pattern & 0x7FFF;
    if (magnitude >= 0x400) {
      ASSERT_EQ(back, pattern);
    } else {
      // Exponent 0 is decoded by a plain rebias, to 2^-15 (1 + m / 1024). That is a denormal when
      // it is encoded, (1024 + m) / 2 units of 2^-24, half up.
      ASSERT_EQ(back, (pattern & 0x8000) | ((1024 + magnitude + 1) / 2));
    }
  }
}

TEST(ToolFp16c, Fp16aRoundsHalfUpInMagnitude) {
  EXPECT_EQ(fp16a_of(1 + 0x1p-11F), 0x3C01U); // the middle between 3C00, which is even, and 3C01
  EXPECT_EQ(fp16a_of(-1 - 0x1p-11F), 0xBC01U);
  EXPECT_EQ(fp16a_of(1 + 0x1p-11F - 0x1p-23F), 0x3C00U); // one bit less
  EXPECT_EQ(fp16a_of(0.1F), 0x2E66U);                    // 0.1 = 1.1001100110 0110... * 2^-4
}

TEST(ToolFp16c, Fp16aEndsAt7FFF) {
  EXPECT_EQ(fp16a_of(65504), 0x7BFFU);
  EXPECT_EQ(fp16a_of(65520), 0x7C00U);  // the middle between 65504 and 65536
  EXPECT_EQ(fp16a_of(131008), 0x7FFFU); // 2^16 (2 - 2^-10)
  EXPECT_EQ(fp16a_of(131072), 0x7FFFU);
  EXPECT_EQ(fp16a_of(-1e38F), 0xFFFFU);
  EXPECT_EQ(fp16a_of(std::numeric_limits<float>::infinity()), 0x7FFFU);
  EXPECT_EQ(fp16a_of(std::numeric_limits<float>::quiet_NaN()), 0x7FFFU);
}

// Exponent fields 102..112: units of 2^-24, half up.
TEST(ToolFp16c, Fp16aHasDenormals) {
  EXPECT_EQ(fp16a_of(0x1p-14F), 0x0400U);
  EXPECT_EQ(fp16a_of(0x1p-15F), 0x0200U);
  EXPECT_EQ(fp16a_of(0x1p-24F), 0x0001U);
  EXPECT_EQ(fp16a_of(0x1.8p-24F), 0x0002U);       // 1.5 units
  EXPECT_EQ(fp16a_of(0x1.7FFFFEp-24F), 0x0001U);  // a little less
  EXPECT_EQ(fp16a_of(0x1p-25F), 0x0001U);         // half a unit
  EXPECT_EQ(fp16a_of(-0x1.FFFFFEp-26F), 0x8000U); // a little less
  EXPECT_EQ(fp16a_of(0x1.FFFFFEp-15F), 0x0400U);  // rounds up to the smallest normal number
  for (std::uint32_t units = 0; units < 0x400; ++units)
    ASSERT_EQ(fp16a_of(static_cast<float>(units) * 0x1p-24F), units);
}

TEST(ToolFp16c, Fp8HasOneBinadeForEachExponent) {
  EXPECT_EQ(fp8_of(1), 0x00U);
  EXPECT_EQ(fp8_of(-1), 0x80U);
  EXPECT_EQ(fp8_of(0.5), 0x10U);
  EXPECT_EQ(fp8_of(1.9375F), 0x0FU);
  EXPECT_EQ(fp8_of(1.99F), 0x0FU); // the rest is cut off
  EXPECT_EQ(fp8_of(0x1p-7F), 0x70U);
  EXPECT_EQ(fp8_of(0), 0xFFU);
  EXPECT_EQ(fp8_of(-0.0F), 0xFFU);
  EXPECT_EQ(fp8_of(2), kToolBadFp8);              // exponent 128
  EXPECT_EQ(fp8_of(0x1.FFFFFEp-8F), kToolBadFp8); // exponent 119
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(tool_values(0x100).fp8)));
}

// ---------------------------------------------------------------- the forms

/// sign * 2^(exponent - bias) * (1 + mantissa / 2^bits)
double ordinary(NumberForm form, std::uint32_t pattern, int bias) {
  const FormFields fields = form_fields(form, pattern);
  const double magnitude =
      std::ldexp(1 + std::ldexp(fields.mantissa, -static_cast<int>(fields.mantissa_bits)),
                 static_cast<int>(fields.exponent) - bias);
  return fields.sign != 0 ? -magnitude : magnitude;
}

TEST(NumberForms, EveryPatternOf16BitsHasTheValueOfItsDefinition) {
  for (std::uint32_t pattern = 0; pattern < kPatterns; ++pattern) {
    const std::uint32_t exponent = form_fields(NumberForm::Fp16a, pattern).exponent;
    const double plain = ordinary(NumberForm::Fp16a, pattern, 15);
    ASSERT_EQ(form_value(NumberForm::Fp16a, pattern), plain);
    ASSERT_EQ(form_value(NumberForm::Lut16, pattern), exponent == 31 ? 0 : plain);
    ASSERT_EQ(form_value(NumberForm::Fp16, pattern), value_of_bits(Format::FP16, pattern));
    if (exponent != 0) {
      ASSERT_EQ(form_value(NumberForm::Fp16, pattern), plain);
    }
    const double bf16 = form_value(NumberForm::Bf16, pattern);
    if (!std::isnan(bf16)) {
      ASSERT_EQ(bf16, value_of_bits(Format::BF16, pattern));
    }
  }
}

TEST(NumberForms, EveryEntryOfSfplutHasTheValueOfItsDefinition) {
  for (std::uint32_t pattern = 0; pattern < 0xFF; ++pattern) {
    const double mantissa = 1 + (pattern & 15) / 16.0;
    const double value = std::ldexp(mantissa, -static_cast<int>(pattern >> 4 & 7));
    ASSERT_EQ(form_value(NumberForm::Lut8, pattern), (pattern & 0x80) != 0 ? -value : value);
  }
  EXPECT_EQ(form_value(NumberForm::Lut8, 0xFF), 0);
}

// The lane functions that execute programs say the same of every pattern.
TEST(NumberForms, AgreeWithTheLaneFunctions) {
  using semantics::Lane;
  for (std::uint32_t pattern = 0; pattern < kPatterns; ++pattern) {
    ASSERT_EQ(form_to_fp32(NumberForm::Fp16a, pattern), semantics::immediate_fp16(pattern));
    ASSERT_EQ(semantics::unshuffle_16<Lane>(semantics::shuffle_16<Lane>(pattern)), pattern);
    ASSERT_EQ(from_value_bits(Format::BF16, pattern), semantics::shuffle_16<Lane>(pattern));
    // What SFPLOAD reads, SFPSTORE puts back, but for denormals, which it flushes.
    const std::uint32_t stored = from_value_bits(Format::FP16, pattern);
    const bool is_denormal = (pattern & 0x7C00) == 0;
    ASSERT_EQ(semantics::store_fp16<Lane>(form_to_fp32(NumberForm::Fp16, pattern)),
              is_denormal ? stored & 0x8000 : stored);
  }
}

TEST(NumberForms, EveryNumberOfAFormIsItsOwnNearest) {
  for (const NumberForm form : {NumberForm::Bf16, NumberForm::Fp16, NumberForm::Fp16a,
                                NumberForm::Lut16, NumberForm::Lut8}) {
    for (std::uint32_t pattern = 0; pattern >> form_width(form) == 0; ++pattern) {
      const double number = form_value(form, pattern);
      if (std::isnan(number) || (number != 0 && std::abs(number) < 0x1p-126)) continue;
      const auto cut = cut_to_form(form, number), nearest = round_to_form(form, number);
      ASSERT_TRUE(cut && nearest) << form_name(form) << " " << pattern;
      ASSERT_EQ(cut->value, number) << form_name(form) << " " << pattern;
      ASSERT_EQ(nearest->value, number) << form_name(form) << " " << pattern;
      ASSERT_EQ(nearest->ulps, 0.0);
    }
  }
}

/// The best that any pattern can do, by looking at all of them.
double least_error(NumberForm form, double number) {
  double least = kEndless;
  for (std::uint32_t pattern = 0; pattern >> form_width(form) == 0; ++pattern)
    least = std::min(least, std::abs(form_value(form, pattern) - number));
  return least;
}

// Fp16 is left out: numbers below 2^-14 are flushed, not rounded to what is nearest.
TEST(NumberForms, NothingIsNearerThanTheNearest) {
  tensors::SplitMix64 random(1);
  for (int i = 0; i < 20; ++i) {
    const double mantissa = 1 + std::ldexp(static_cast<double>(random() >> 11), -53);
    const double sign = random() % 2 == 0 ? 1 : -1;
    const double number = sign * std::ldexp(mantissa, static_cast<int>(random() % 40) - 20);
    for (const NumberForm form : {NumberForm::Fp16a, NumberForm::Lut16, NumberForm::Lut8}) {
      const auto nearest = round_to_form(form, number);
      ASSERT_TRUE(nearest);
      EXPECT_EQ(std::abs(nearest->value - number), least_error(form, number))
          << form_name(form) << " of " << number;
    }
  }
}

TEST(NumberForms, CuttingNeverGoesUpAndLosesLessThanAUnit) {
  tensors::SplitMix64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const double mantissa = 1 + std::ldexp(static_cast<double>(random() >> 11), -53);
    const double number = std::ldexp(mantissa, static_cast<int>(random() % 7) - 7); // in all forms
    for (const NumberForm form : kNumberForms) {
      const auto cut = cut_to_form(form, number), nearest = round_to_form(form, number);
      ASSERT_TRUE(cut && nearest && cut->ulps && nearest->ulps);
      ASSERT_LE(*cut->ulps, 0);
      ASSERT_GT(*cut->ulps, -1);
      ASSERT_LE(std::abs(*nearest->ulps), 0.5);
    }
  }
}

TEST(NumberForms, TiesGoToTheEvenPattern) {
  EXPECT_EQ(round_to_form(NumberForm::Fp16a, 1 + 0x1p-11)->pattern, 0x3C00U);
  EXPECT_EQ(round_to_form(NumberForm::Fp16a, 1 + 3 * 0x1p-11)->pattern, 0x3C02U);
  EXPECT_EQ(round_to_form(NumberForm::Tf32, 1 + 0x1p-11)->pattern, 127U << 10);
  EXPECT_EQ(round_to_form(NumberForm::Lut8, 1 + 0x1p-5)->pattern, 0x00U);
  EXPECT_EQ(round_to_form(NumberForm::Lut8, 1 + 3 * 0x1p-5)->pattern, 0x02U);
}

// Each of these follows from what numbers the forms have.
TEST(NumberForms, EndsOfTheRanges) {
  EXPECT_FALSE(cut_to_form(NumberForm::Fp16a, 0)); // there is no 0, and nothing below 2^-15
  EXPECT_EQ(round_to_form(NumberForm::Fp16a, 0)->pattern, 0x0000U);
  EXPECT_EQ(round_to_form(NumberForm::Fp16a, -1e9)->pattern, 0xFFFFU);
  EXPECT_EQ(round_to_form(NumberForm::Lut16, 0)->pattern, 0x7C00U); // exponent 31
  EXPECT_EQ(round_to_form(NumberForm::Lut16, 1e9)->pattern, 0x7BFFU);
  EXPECT_EQ(round_to_form(NumberForm::Lut8, -0x1.Fp-7)->value, -0x1.Ep-7); // FF is 0 instead
  EXPECT_EQ(round_to_form(NumberForm::Lut8, 3)->pattern, 0x0FU);
  EXPECT_EQ(round_to_form(NumberForm::Tf32, 1e39)->pattern, 255U << 10);
  EXPECT_EQ(cut_to_form(NumberForm::Tf32, 1e39)->pattern, (255U << 10) - 1);
  EXPECT_EQ(round_to_form(NumberForm::Tf32, kEndless)->ulps, 0.0);
  EXPECT_EQ(round_to_form(NumberForm::Tf32, -1e-40)->pattern, 1U << 18); // denormals are flushed
  EXPECT_FALSE(round_to_form(NumberForm::Fp16, std::nan("")));
  EXPECT_FALSE(round_to_form(NumberForm::Lut8, std::nan("")));
}

// A NaN whose mantissa has only low bits: cut off, it is an infinity, as SFPSTORE makes of it.
TEST(NumberForms, ACutNanMayBecomeAnInfinity) {
  const double nan = value_of_bits(Format::FP32, 0x7F800001);
  EXPECT_EQ(cut_to_form(NumberForm::Bf16, nan)->pattern, 0x7F80U);
  EXPECT_TRUE(std::isnan(round_to_form(NumberForm::Bf16, nan)->value));
  EXPECT_TRUE(std::isnan(round_to_form(NumberForm::Tf32, nan)->value));
}

// Two other ways to the same patterns: what an unpacker leaves in a source, literals of assembly.
TEST(NumberForms, AgreeWithSourcesAndLiterals) {
  tensors::Tile tile{};
  for (std::uint32_t i = 0; i < tensors::kTileElements; ++i)
    tile[i] = bits_of(std::exp2(static_cast<float>(i) / 5.0F - 100));
  const auto cells = tensors::source_cells(DataFormat::Tf32, Format::FP32, tile);
  ASSERT_TRUE(cells);
  for (std::uint32_t i = 0; i < tensors::kTileElements; ++i) {
    const double number = value_of_bits(Format::FP32, tile[i]);
    ASSERT_EQ(cut_to_form(NumberForm::Tf32, number)->pattern, (*cells)[i] >> 13) << number;
  }
  for (const char* text : {"0.1", "3.14159265", "65535.9", "0.00003052", "1.00048828125"}) {
    const double number = std::stod(text);
    EXPECT_EQ(round_to_form(NumberForm::Bf16, number)->pattern,
              assembly::encode_float(assembly::kBf16, text, false).value());
    EXPECT_EQ(round_to_form(NumberForm::Fp16a, number)->pattern,
              assembly::encode_float(assembly::kFp16, text, false).value());
  }
}

TEST(NumberForms, NamesAreUnderstood) {
  for (const NumberForm form : kNumberForms) EXPECT_EQ(parse_form(form_name(form)), form);
  EXPECT_EQ(parse_form("fp16b"), NumberForm::Bf16);
  EXPECT_EQ(parse_form("lut8"), NumberForm::Lut8);
  ASSERT_FALSE(parse_form("fp64"));
  EXPECT_NE(parse_form("fp64").error().remedy.find("fp16a"), std::string::npos);
}

// ---------------------------------------------------------------- arguments

using Kind = NumberArgument::Kind;

TEST(NumberArguments, NumbersAreRoundedToFp32Once) {
  EXPECT_EQ(parse_number_argument("1.5"), (NumberArgument{Kind::Number, 1.5, 0x3FC00000}));
  EXPECT_EQ(parse_number_argument("-1.5"), (NumberArgument{Kind::Number, -1.5, 0xBFC00000}));
  EXPECT_EQ(parse_number_argument("+.5"), (NumberArgument{Kind::Number, 0.5, 0x3F000000}));
  EXPECT_EQ(parse_number_argument("2e-3")->bits, bits_of(2e-3F));
  EXPECT_EQ(parse_number_argument("0x1.8p3"), (NumberArgument{Kind::Number, 12, 0x41400000}));
  EXPECT_EQ(parse_number_argument("-0.0")->bits, 0x80000000U);
  EXPECT_EQ(parse_number_argument("-INF"), (NumberArgument{Kind::Number, -kEndless, 0xFF800000}));
  EXPECT_EQ(parse_number_argument("nan")->bits, 0x7FC00000U);
  // Just above the middle between 1 and the next FP32, by less than a double has.
  EXPECT_EQ(parse_number_argument("1.000000059604644775390625000001")->bits, 0x3F800001U);
  EXPECT_EQ(parse_number_argument("1.0e400")->number, kEndless);
  EXPECT_EQ(parse_number_argument("0." + std::string(400, '0') + "1")->number, 0);
}

TEST(NumberArguments, IntegersArePatterns) {
  EXPECT_EQ(parse_number_argument("0x3FC0"), (NumberArgument{Kind::Pattern, 0, 0x3FC0}));
  EXPECT_EQ(parse_number_argument("16320"), (NumberArgument{Kind::Pattern, 0, 0x3FC0}));
  EXPECT_EQ(parse_number_argument("0X1E5"), (NumberArgument{Kind::Pattern, 0, 0x1E5}));
  EXPECT_EQ(parse_number_argument("0x3fc00000"),
            (NumberArgument{Kind::Fp32Pattern, 1.5, 0x3FC00000}));
  EXPECT_EQ(parse_number_argument("0x00001")->kind, Kind::Fp32Pattern); // more than four digits
}

TEST(NumberArguments, WhatIsNoNumberIsRefused) {
  for (const char* text : {"",        "-",         "+",           ".",
                           "abc",     "1.5x",      "1.5 ",        "--1.5",
                           "+-1.5",   "0x",        "0xg",         "-5",
                           "-0x3FC0", "65536",     "0x123456789", "99999999999999999999999",
                           "1,5",     "infinite.", "0x1.8q",      "1e",
                           "e5",      "."}) {
    const auto argument = parse_number_argument(text);
    ASSERT_FALSE(argument) << text;
    EXPECT_EQ(argument.error().kind, FaultKind::BadInput);
    EXPECT_FALSE(argument.error().remedy.empty()) << text;
  }
}

TEST(NumberArguments, PatternsFitTheirWidth) {
  EXPECT_EQ(parse_pattern("0x7FFFF", 19), 0x7FFFFU);
  EXPECT_EQ(parse_pattern("4294967295", 32), 0xFFFFFFFFU);
  EXPECT_FALSE(parse_pattern("0x80000", 19));
  EXPECT_FALSE(parse_pattern("256", 8));
  EXPECT_FALSE(parse_pattern("-1", 8));
  EXPECT_FALSE(parse_pattern("1.5", 32));
}

} // namespace
} // namespace lanewise::formats
