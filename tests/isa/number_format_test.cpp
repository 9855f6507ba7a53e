// The rows of chip/isa/number_formats.def against the documents: codes and memory (core.md 11),
// cells (MU 1.1, core.md 12.5), layouts (VU 3.4, 3.6).
#include "chip/isa/number_format.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lanewise::isa {
namespace {

const NumberFormat& row(NumberFormatId id) {
  return number_format(id);
}

struct KnownCode {
  unsigned code;
  std::string_view name;
  unsigned bits, block, shared_exponent_bits;
};

// core.md 11, the table.
constexpr KnownCode kKnownCodes[] = {
    {0, "fp32", 32, 1, 0},  {1, "fp16", 16, 1, 0},  {2, "bfp8a", 8, 16, 5}, {3, "bfp4a", 4, 16, 5},
    {4, "tf32", 32, 1, 0},  {5, "bf16", 16, 1, 0},  {6, "bfp8", 8, 16, 8},  {7, "bfp4", 4, 16, 8},
    {8, "int32", 32, 1, 0}, {9, "int16", 16, 1, 0}, {10, "fp8", 8, 1, 0},   {11, "bfp2a", 2, 16, 5},
    {14, "int8", 8, 1, 0},  {15, "bfp2", 2, 16, 8}};

TEST(NumberFormats, CodesAreThoseOfTheReference) {
  for (const KnownCode& known : kKnownCodes) {
    const NumberFormat* format = format_of_code(static_cast<DataFormat>(known.code));
    ASSERT_NE(format, nullptr) << known.code;
    EXPECT_EQ(format->name, known.name);
    EXPECT_EQ(static_cast<unsigned>(format->operand->code), known.code);
    ASSERT_TRUE(format->l1) << known.name;
    EXPECT_EQ(format->l1->bits, known.bits) << known.name;
    EXPECT_EQ(format->l1->block, known.block) << known.name;
    EXPECT_EQ(format->l1->shared_exponent_bits, known.shared_exponent_bits) << known.name;
  }
}

TEST(NumberFormats, TwoCodesHaveNoMeaning) { // MU 2.2
  EXPECT_EQ(format_of_code(static_cast<DataFormat>(12)), nullptr);
  EXPECT_EQ(format_of_code(static_cast<DataFormat>(13)), nullptr);
  EXPECT_EQ(format_of_code(static_cast<DataFormat>(16)), nullptr);
  EXPECT_EQ(std::ranges::count(kFormatsOfCodes, nullptr), 2);
}

// Unpackers and packers take the size of a datum from the low bits of its code.
TEST(NumberFormats, CodesTellTheSizeInMemory) {
  for (const NumberFormat& format : kNumberFormats) {
    if (!format.operand) continue;
    const auto code = static_cast<unsigned>(format.operand->code);
    if (code % 4 == 3) {
      EXPECT_EQ(format.l1->bits, code < 8 ? 4U : 2U) << format.name;
    } else {
      EXPECT_EQ(format.l1->bits, 32U >> code % 4) << format.name;
    }
  }
}

TEST(NumberFormats, ExponentsOfOperands) { // MU 2.2, VU C21
  for (const unsigned code : {0, 4, 5, 6, 7, 8, 9, 15})
    EXPECT_EQ(kExponent8Codes >> code & 1, 1U) << code;
  for (const unsigned code : {1, 2, 3, 10, 11, 12, 13, 14})
    EXPECT_EQ(kExponent8Codes >> code & 1, 0U) << code;
}

TEST(NumberFormats, FormatsOfOneCodeAreOneOperand) {
  for (const NumberFormat& format : kNumberFormats) {
    if (!format.operand) continue;
    const NumberFormat* first = format_of_code(format.operand->code);
    EXPECT_EQ(*first->operand, *format.operand) << format.name;
    EXPECT_EQ(first->l1->bits, format.l1->bits) << format.name;
  }
  EXPECT_EQ(row(NumberFormatId::Uint32).operand->code, DataFormat::Int32);
  EXPECT_EQ(row(NumberFormatId::Uint16).operand->code, DataFormat::Int16);
}

TEST(NumberFormats, EveryRowIsAFloatAnIntegerOrABlock) {
  for (const NumberFormat& format : kNumberFormats) {
    const bool is_block = format.l1 && format.l1->is_block();
    EXPECT_EQ((format.real ? 1 : 0) + (format.integer ? 1 : 0) + (is_block ? 1 : 0), 1)
        << format.name;
    // Dst and the sources are told by a code what they hold, and what unpackers deliver lies in L1.
    if (format.dst || format.source) {
      EXPECT_TRUE(format.operand) << format.name;
      EXPECT_TRUE(format.l1) << format.name;
    }
    if (format.source) {
      EXPECT_EQ(format.source->integers.has_value(), format.integer.has_value()) << format.name;
    }
  }
}

template <class Has>
std::vector<std::string_view> names_of(Has has) {
  std::vector<std::string_view> names;
  for (const NumberFormat& format : kNumberFormats) {
    if (has(format)) names.push_back(format.name);
  }
  return names;
}

TEST(NumberFormats, NamesOfOnePlaceAreDifferent) {
  const auto is_input = [](const NumberFormat& f) { return f.source && f.source->is_input; };
  for (const auto& names : {names_of([](const NumberFormat& f) { return f.dst.has_value(); }),
                            names_of([](const NumberFormat& f) { return f.pattern.has_value(); }),
                            names_of(is_input)}) {
    const std::set<std::string_view> set(names.begin(), names.end());
    EXPECT_EQ(set.size(), names.size());
    EXPECT_FALSE(set.contains(""));
  }
}

TEST(NumberFormats, CellsOfDst) { // MU 1.1, VU 3.4
  const auto cell = [](NumberFormatId id) {
    const CellFields& fields = row(id).dst->cell;
    return std::array{fields.sign, fields.mantissa, fields.exponent};
  };
  for (const auto id : {NumberFormatId::Fp32, NumberFormatId::Bf16, NumberFormatId::Int32})
    EXPECT_EQ(cell(id), (std::array{1U, 7U, 8U}));
  for (const auto id : {NumberFormatId::Fp16, NumberFormatId::Int8})
    EXPECT_EQ(cell(id), (std::array{1U, 10U, 5U}));
  EXPECT_EQ(cell(NumberFormatId::Int16), (std::array{1U, 15U, 0U}));
  EXPECT_EQ(cell(NumberFormatId::Uint16), (std::array{0U, 16U, 0U}));
  for (const NumberFormat& format : kNumberFormats) {
    if (!format.dst) continue;
    const CellFields& fields = format.dst->cell;
    EXPECT_EQ(fields.sign + fields.mantissa + fields.exponent, 16U) << format.name;
    EXPECT_TRUE(format.width() == 16 || format.width() == 32) << format.name;
  }
}

TEST(NumberFormats, OperandsKeepTheBitsThatUnpackersLeave) {
  EXPECT_EQ(row(NumberFormatId::Tf32).operand->mask, 0xFFFFE000U);
  EXPECT_EQ(row(NumberFormatId::Fp16).operand->mask, 0x8FFFE000U);
  EXPECT_EQ(row(NumberFormatId::Bf16).operand->mask, 0xFFFF0000U);
  for (const NumberFormat& format : kNumberFormats) {
    // INT8 has the whole cell in the mode for integers, which has its own mask.
    if (!format.source || format.integer) continue;
    const std::uint32_t mantissa = 0x7FFFFFU & ~low_ones(23U - format.source->mantissa_bits);
    EXPECT_EQ(mantissa & ~format.operand->mask, 0U) << format.name;
  }
}

struct KnownFloat {
  NumberFormatId id;
  int width, lowest_power, highest_power;
  double smallest_normal, largest;
  std::optional<std::uint32_t> zero;
};

// IEEE 754; VU 3.4 for FP16 in Dst and FLOATA; VU 3.6 for the tables of SFPLUTFP32 and SFPLUT.
const KnownFloat kKnownFloats[] = {
    {NumberFormatId::Fp32, 32, -126, 127, 0x1p-126, 0x1.FFFFFEp127, 0},
    {NumberFormatId::Tf32, 19, -126, 127, 0x1p-126, 0x1.FFCp127, 0},
    {NumberFormatId::Bf16, 16, -126, 127, 0x1p-126, 0x1.FEp127, 0},
    {NumberFormatId::Fp16, 16, -14, 16, 0x1p-14, 131008, 0},
    {NumberFormatId::Fp8, 8, -14, 16, 0x1p-14, 114688, 0},
    {NumberFormatId::Fp16a, 16, -15, 16, 0x1p-15, 131008, std::nullopt},
    {NumberFormatId::Lut16, 16, -15, 15, 0x1p-15, 65504, 0x7C00},
    {NumberFormatId::Lut8, 8, -7, 0, 0x1p-7, 1.9375, 0xFF}};

TEST(NumberFormats, LimitsOfFloats) {
  for (const KnownFloat& known : kKnownFloats) {
    SCOPED_TRACE(row(known.id).name);
    const FloatLayout& layout = *row(known.id).real;
    EXPECT_EQ(layout.width(), known.width);
    EXPECT_EQ(layout.lowest_power(), known.lowest_power);
    EXPECT_EQ(layout.highest_power(), known.highest_power);
    EXPECT_EQ(layout.smallest_normal(), known.smallest_normal);
    EXPECT_EQ(layout.largest(), known.largest);
    EXPECT_EQ(layout.zero(), known.zero);
  }
  EXPECT_EQ(std::size(kKnownFloats),
            names_of([](const NumberFormat& f) { return f.real.has_value(); }).size());
}

// A float's datum in memory is its pattern; a TF32 lies there as an FP32.
TEST(NumberFormats, FloatsFillTheirMemory) {
  for (const NumberFormat& format : kNumberFormats) {
    if (!format.real || !format.l1 || format.name == "tf32") continue;
    EXPECT_EQ(static_cast<unsigned>(format.width()), format.l1->bits) << format.name;
  }
}

TEST(NumberFormats, DenormalsOfDstAreLoadedWithExponentZero) { // VU 3.4
  EXPECT_EQ(row(NumberFormatId::Fp32).real->denormal_power(), -149);
  EXPECT_EQ(row(NumberFormatId::Bf16).real->denormal_power(), -133);
  EXPECT_EQ(row(NumberFormatId::Fp16).real->denormal_power(), -136);
}

TEST(NumberFormats, LimitsOfIntegers) {
  const auto limits = [](NumberFormatId id) {
    return std::pair{row(id).integer->lowest(), row(id).integer->largest()};
  };
  EXPECT_EQ(limits(NumberFormatId::Int32), std::pair(-2147483647.0, 2147483647.0));
  EXPECT_EQ(limits(NumberFormatId::Int16), std::pair(-32767.0, 32767.0));
  EXPECT_EQ(limits(NumberFormatId::Int8), std::pair(-1023.0, 1023.0)); // 10 bits in Dst
  EXPECT_EQ(limits(NumberFormatId::Uint16), std::pair(0.0, 65535.0));
  EXPECT_EQ(limits(NumberFormatId::Uint32), std::pair(0.0, 4294967295.0));
  // In memory INT8 has sign and 7 bits, or 8 bits without a sign (core.md 11).
  EXPECT_EQ(row(NumberFormatId::Int8).source->integers->lowest, -127);
  EXPECT_EQ(row(NumberFormatId::Int8).source->integers->highest, 255);
}

TEST(NumberFormats, StoresCutThe16BitFloatsOnly) { // VU C24
  const auto cut =
      names_of([](const NumberFormat& f) { return f.dst && f.dst->store != Rounding::None; });
  EXPECT_EQ(cut, (std::vector<std::string_view>{"bf16", "fp16"}));
}

} // namespace
} // namespace lanewise::isa
