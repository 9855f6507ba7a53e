#include "number/formats/format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include "formats/special_doubles.h"

namespace lanewise::formats {
namespace {

/// Patterns over the whole width: all of a 16-bit format, about a million of a 32-bit one.
template <class Check>
void for_patterns(Format format, Check check) {
  const std::uint32_t step = is_32bit(format) ? 4099 : 1;
  const std::uint64_t end = is_32bit(format) ? std::uint64_t{1} << 32 : 1 << 16;
  for (std::uint64_t pattern = 0; pattern < end; pattern += step) {
    check(static_cast<std::uint32_t>(pattern));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Format, NamesRoundTrip) {
  for (const Format format : kFormats) {
    const auto parsed = parse_format(format_name(format));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, format);
  }
}

TEST(Format, UnknownNameListsTheNames) {
  const auto parsed = parse_format("float32");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().kind, FaultKind::BadInput);
  EXPECT_EQ(parsed.error().remedy,
            "use one of fp32, bf16, fp16, int32, int16, uint16, int8, uint32");
}

TEST(Format, SrcbCodesAreThoseOfTheReference) { // VU C21, MU 2.2
  EXPECT_EQ(srcb_code(Format::FP32), 0u);
  EXPECT_EQ(srcb_code(Format::FP16), 1u);
  EXPECT_EQ(srcb_code(Format::BF16), 5u);
  EXPECT_EQ(srcb_code(Format::INT32), 8u);
  EXPECT_EQ(srcb_code(Format::INT16), 9u);
  EXPECT_EQ(srcb_code(Format::INT8), 14u);
}

TEST(Format, OnlyThe32BitFormatsNeedTheFp32Mode) {
  for (const Format format : kFormats) {
    const bool expected =
        format == Format::FP32 || format == Format::INT32 || format == Format::UINT32;
    EXPECT_EQ(is_32bit(format), expected) << format_name(format);
    EXPECT_EQ(sfpu_fp32_enabled(format), expected) << format_name(format);
  }
}

struct KnownDatum {
  Format format;
  double value;
  std::uint32_t bits;
  std::uint32_t stored;
};

// Stored bits by hand from the table of MU 1.1.
constexpr KnownDatum kKnownData[] = {
    // BF16, S M7 E8. 1.0 = 0 01111111 0000000: mantissa 00, exponent 7F.
    {Format::BF16, 1.0, 0x3F80, 0x007F},
    // -1.5 = 1 01111111 1000000: sign 8000, mantissa 40 << 8, exponent 7F.
    {Format::BF16, -1.5, 0xBFC0, 0xC07F},
    {Format::BF16, -0.0, 0x8000, 0x8000},
    // Largest: 0 11111110 1111111: mantissa 7F << 8, exponent FE.
    {Format::BF16, 0x1.FEp127, 0x7F7F, 0x7FFE},
    {Format::BF16, kInfinity, 0x7F80, 0x00FF},
    // FP16, S M10 E5. 1.0 = 0 01111 0000000000: exponent 0F.
    {Format::FP16, 1.0, 0x3C00, 0x000F},
    // -1.5: sign, mantissa 200 << 5 = 4000, exponent 0F.
    {Format::FP16, -1.5, 0xBE00, 0xC00F},
    // Exponent 31 is ordinary: 2^(31-15) = 65536, and 65536 * (2 - 2^-10) = 131008.
    {Format::FP16, 65536.0, 0x7C00, 0x001F},
    {Format::FP16, 131008.0, 0x7FFF, 0x7FFF},
    // FP32, S M7 E8 M16. 1.0 = 3F800000: mantissa 0, exponent 7F.
    {Format::FP32, 1.0, 0x3F80'0000, 0x007F'0000},
    // -pi = C0490FDB: sign 1, exponent 80, mantissa 49 0FDB.
    {Format::FP32, -0x1.921FB6p1, 0xC049'0FDB, 0xC980'0FDB},
    {Format::FP32, 0x1p-149, 0x0000'0001, 0x0000'0001},
    // INT32: 1 as a number is 00000001, its upper half 0.
    {Format::INT32, 1.0, 0x0000'0001, 0x0000'0001},
    // -1 is 80000001 in sign-magnitude.
    {Format::INT32, -1.0, 0xFFFF'FFFF, 0x8000'0001},
    // 2^23 = 00800000: bit 23 is bit 0 of the exponent field.
    {Format::INT32, 0x1p23, 0x0080'0000, 0x0001'0000},
    // 2^22 = 00400000: bit 22 is the top of the mantissa field, bit 30 of the datum.
    {Format::INT32, 0x1p22, 0x0040'0000, 0x4000'0000},
    {Format::INT32, 2147483647.0, 0x7FFF'FFFF, 0x7FFF'FFFF},
    // INT16, S mag15.
    {Format::INT16, -2.0, 0xFFFE, 0x8002},
    {Format::INT16, 32767.0, 0x7FFF, 0x7FFF},
    // INT8 in the FP16 layout: magnitude 5 << 5 = A0, exponent 16 = 10; zero has exponent 0.
    {Format::INT8, 5.0, 0x0005, 0x00B0},
    {Format::INT8, -5.0, 0xFFFB, 0x80B0},
    {Format::INT8, 0.0, 0x0000, 0x0000},
    {Format::INT8, 1023.0, 0x03FF, 0x7FF0},
    {Format::UINT16, 65535.0, 0xFFFF, 0xFFFF},
    // UINT32 BFC00000 is -1.5 as FP32: sign, mantissa 40, exponent 7F.
    {Format::UINT32, 3217031168.0, 0xBFC0'0000, 0xC07F'0000},
};

TEST(Format, KnownData) {
  for (const KnownDatum& known : kKnownData) {
    SCOPED_TRACE(std::string(format_name(known.format)) + " " + std::to_string(known.value));
    EXPECT_EQ(round_to_bits(known.format, known.value), known.bits);
    EXPECT_EQ(from_value_bits(known.format, known.bits), known.stored);
    EXPECT_EQ(encode(known.format, known.value), known.stored);
    EXPECT_EQ(value_bits(known.format, known.stored), known.bits);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(decode(known.format, known.stored)),
              std::bit_cast<std::uint64_t>(known.value));
  }
}

TEST(Format, StoredAndValueBitsAreTheSameDatum) {
  for (const Format format : kFormats) {
    SCOPED_TRACE(format_name(format));
    if (format == Format::INT8) continue;
    for_patterns(format, [&](std::uint32_t pattern) {
      ASSERT_EQ(from_value_bits(format, value_bits(format, pattern)), pattern);
      ASSERT_EQ(value_bits(format, from_value_bits(format, pattern)), pattern);
    });
  }
}

TEST(Format, Int8CellsKeepSignAndMagnitude) {
  for_patterns(Format::INT8, [](std::uint32_t cell) {
    const std::uint32_t kept = cell & 0xFFE0; // all but the exponent field
    const std::uint32_t exponent = (kept & 0x7FFF) != 0 ? 16 : 0;
    ASSERT_EQ(from_value_bits(Format::INT8, value_bits(Format::INT8, cell)), kept | exponent);
  });
}

TEST(Format, Int8ValueBitsSaturate) {
  EXPECT_EQ(from_value_bits(Format::INT8, 0x0400), 0x7FF0u);
  EXPECT_EQ(from_value_bits(Format::INT8, 0x7FFF), 0x7FF0u);
  EXPECT_EQ(from_value_bits(Format::INT8, 0x8001), 0xFFF0u);
}

TEST(Format, EncodeUndoesDecode) {
  for (const Format format : kFormats) {
    SCOPED_TRACE(format_name(format));
    for_patterns(format, [&](std::uint32_t pattern) {
      const double value = decode(format, pattern);
      const std::uint32_t again = encode(format, value);
      const bool is_small_float = format == Format::BF16 || format == Format::FP16;
      const std::uint32_t exponent_mask = format == Format::BF16 ? 0xFF : 0x1F;
      if (is_small_float && (pattern & exponent_mask) == 0) {
        ASSERT_EQ(again, pattern & 0x8000) << "zeros and denormals, " << pattern;
      } else if (is_integer(format) && value == 0) {
        ASSERT_EQ(again, 0u) << pattern;
      } else if (format == Format::INT8) {
        ASSERT_EQ(again, (pattern & 0xFFE0) | 16) << pattern;
      } else {
        ASSERT_EQ(again, pattern);
      }
    });
  }
}

TEST(Format, Bf16IsTheUpperHalfOfFp32) {
  for_patterns(Format::BF16, [](std::uint32_t bits) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value_of_bits(Format::BF16, bits)),
              std::bit_cast<std::uint64_t>(value_of_bits(Format::FP32, bits << 16)));
    ASSERT_EQ(from_value_bits(Format::FP32, bits << 16), from_value_bits(Format::BF16, bits) << 16);
  });
}

TEST(Format, Fp16HasTheValueThatSfploadReads) { // VU 3.4, mode 1
  for_patterns(Format::FP16, [](std::uint32_t cell) {
    const std::uint32_t exponent = cell & 0x1F;
    const std::uint32_t loaded = (cell & 0x8000) << 16 |
                                 (exponent != 0 ? exponent + 112 : 0) << 23 |
                                 ((cell >> 5) & 0x3FF) << 13;
    ASSERT_EQ(round_to_bits(Format::FP32, decode(Format::FP16, cell)), loaded);
  });
}

TEST(Format, Fp32RoundsAsTheHostDoes) {
  // A product of two floats has up to 48 mantissa bits: a double holds it, a float must round it.
  std::uint32_t state = 1;
  for (int i = 0; i < 1'000'000; ++i) {
    state = state * 1664525 + 1013904223;
    const auto a = std::bit_cast<float>(state);
    const auto b = std::bit_cast<float>(0x3F80'0000u | (state * 2654435761u >> 9));
    const double product = static_cast<double>(a) * b;
    if (std::isnan(product)) continue;
    ASSERT_EQ(round_to_bits(Format::FP32, product),
              std::bit_cast<std::uint32_t>(static_cast<float>(product)))
        << product;
  }
}

TEST(Format, TiesGoToEven) {
  EXPECT_EQ(round_to_bits(Format::BF16, 1 + 0x1p-8), 0x3F80u);
  EXPECT_EQ(round_to_bits(Format::BF16, 1 + 0x3p-8), 0x3F82u);
  EXPECT_EQ(round_to_bits(Format::BF16, 1 + 0x1p-8 + 0x1p-50), 0x3F81u);
  EXPECT_EQ(round_to_bits(Format::FP16, 1 + 0x1p-11), 0x3C00u);
  EXPECT_EQ(round_to_bits(Format::FP16, 1 + 0x3p-11), 0x3C02u);
  EXPECT_EQ(round_to_bits(Format::BF16, 2 - 0x1p-9), 0x4000u) << "the carry reaches the exponent";
  EXPECT_EQ(round_to_bits(Format::INT16, 2.5), 2u);
  EXPECT_EQ(round_to_bits(Format::INT16, 3.5), 4u);
  EXPECT_EQ(round_to_bits(Format::INT16, -2.5), 0xFFFEu);
  EXPECT_EQ(round_to_bits(Format::INT16, -3.5), 0xFFFCu);
  EXPECT_EQ(round_to_bits(Format::INT16, -0.75), 0xFFFFu);
}

TEST(Format, BeyondTheRange) {
  EXPECT_EQ(round_to_bits(Format::FP32, 0x1.FFFFFEFFFFFFFp127), 0x7F7F'FFFFu) << "just below a tie";
  EXPECT_EQ(round_to_bits(Format::FP32, 0x1.FFFFFFp127), 0x7F80'0000u);
  EXPECT_EQ(round_to_bits(Format::BF16, -1e300), 0xFF80u);
  for (const double large : {131040.0, 1e300, kInfinity, kNan}) { // VU C24
    EXPECT_EQ(round_to_bits(Format::FP16, large) & 0x7FFF, 0x7FFFu) << large;
  }
  EXPECT_EQ(round_to_bits(Format::FP16, -kInfinity), 0xFFFFu);
  EXPECT_EQ(round_to_bits(Format::INT32, 1e10), 0x7FFF'FFFFu);
  EXPECT_EQ(round_to_bits(Format::INT32, -2147483648.0), 0x8000'0001u) << "no such magnitude";
  EXPECT_EQ(round_to_bits(Format::INT16, -kInfinity), 0x8001u);
  EXPECT_EQ(round_to_bits(Format::INT8, 1024), 0x03FFu);
  EXPECT_EQ(round_to_bits(Format::UINT16, -3), 0u);
  EXPECT_EQ(round_to_bits(Format::UINT32, 1e10), 0xFFFF'FFFFu);
  EXPECT_EQ(round_to_bits(Format::INT32, kNan), 0u);
}

TEST(Format, SmallResults) {
  EXPECT_EQ(round_to_bits(Format::BF16, 0x1p-126), 0x0080u);
  EXPECT_EQ(round_to_bits(Format::BF16, -0x1p-127), 0x8000u) << "a denormal is flushed";
  EXPECT_EQ(round_to_bits(Format::FP16, 0x1p-14), 0x0400u);
  EXPECT_EQ(round_to_bits(Format::FP16, 0x1p-15), 0u);
  EXPECT_EQ(round_to_bits(Format::FP32, 0x1p-127), 0x0040'0000u) << "a denormal is kept";
  EXPECT_EQ(round_to_bits(Format::FP32, 0x1p-150), 0u) << "tie to even";
  EXPECT_EQ(round_to_bits(Format::FP32, 0x1.8p-150), 1u);
  EXPECT_EQ(round_to_bits(Format::FP32, -0x1p-1074), 0x8000'0000u);
}

TEST(Format, NansKeepSignAndPayload) {
  // A signalling NaN with the lowest mantissa bit that BF16 has.
  EXPECT_EQ(round_to_bits(Format::BF16, value_of_bits(Format::FP32, 0xFF81'0000)), 0xFF81u);
  // A payload that BF16 cuts off must not leave Inf.
  EXPECT_EQ(round_to_bits(Format::BF16, value_of_bits(Format::FP32, 0xFF80'0001)), 0xFFC0u);
}

TEST(Format, SignedIntegerZero) {
  EXPECT_EQ(encode(Format::INT16, -0.0), 0u) << "MU 6: zero encodes as +0";
  EXPECT_EQ(encode(Format::INT16, -0.5), 0u);
  EXPECT_EQ(value_bits(Format::INT16, 0x8000), 0x8000u);
  EXPECT_EQ(value_bits(Format::INT32, 0x8000'0000), 0x8000'0000u);
  EXPECT_EQ(decode(Format::INT32, 0x8000'0000), 0.0);
  EXPECT_TRUE(std::signbit(decode(Format::INT32, 0x8000'0000)));
}

TEST(Format, RangeEndsAreExactAndOneMoreIsNot) {
  for (const Format format : kFormats) {
    const auto [lowest, highest] = value_range(format);
    EXPECT_EQ(decode(format, encode(format, lowest)), lowest) << format_name(format);
    EXPECT_EQ(decode(format, encode(format, highest)), highest) << format_name(format);
    if (!is_integer(format)) continue;
    EXPECT_TRUE(check_value(format, lowest));
    EXPECT_TRUE(check_value(format, highest));
    EXPECT_FALSE(check_value(format, lowest - 1));
    EXPECT_FALSE(check_value(format, highest + 1));
  }
}

TEST(Format, CheckValueSaysWhatIsWrong) {
  EXPECT_EQ(check_value(Format::INT16, 40000).error().message,
            "40000 is outside the range of int16, -32767 to 32767");
  EXPECT_EQ(check_value(Format::INT16, 0.5).error().message,
            "0.5 is not a whole number, as int16 needs");
  EXPECT_FALSE(check_value(Format::UINT32, kNan));
  EXPECT_FALSE(check_value(Format::UINT32, kInfinity));
  EXPECT_TRUE(check_value(Format::FP16, kNan)) << "floats are rounded";
}

} // namespace
} // namespace lanewise::formats
