// Numbers as the cells of SrcA and SrcB that the unpackers make of them (core.md 11, 12.5):
// - TF32 and FP32 lie in memory as FP32. The unpacker truncates: to 10 bits of mantissa, or to the
// 7
//   of BF16, where denormals become zeros of their sign.
// - BF16: all numbers, as they are. Beyond the range the pattern of an infinity, which the Matrix
//   Unit takes for the number 2^128 (MU 5.1). A NaN keeps the upper half of its bits, if that is
//   one.
// - FP16, FP8 (5 bits of exponent, 2 of mantissa): beyond the range, and for infinities and NaNs,
// the
//   largest magnitude, 131008 and 114688. What is below the normal numbers becomes 0.
// - BFP8, BFP4, BFP2 and those with "a": 7, 3 or 1 bits of magnitude, and one exponent for the row,
//   that of the largest number, which saturates where rounding would carry. With "a" the exponent
//   has 5 bits.
// - INT8: -127 to 127, or up to 255 where the unpacker takes data as unsigned. INT16: -32767 to
//   32767.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>

#include "machine/matrix/source_load.h"

namespace lanewise {

namespace {

/// A row of SrcA or SrcB, as SourceFile keeps it.
using SourceRow = std::array<std::uint32_t, kSourceColumns>;

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kMagnitude = 0x7FFFFFFFU;
constexpr int kMantissaBits = 23;
constexpr std::uint32_t kHiddenOne = 1U << kMantissaBits;
constexpr std::uint32_t kMantissa = kHiddenOne - 1;
constexpr int kTopExponent = 255;
constexpr int kRebias = 127 - 15; ///< from FP32's exponents to those of 5 bits
constexpr int kTopExponent5 = 31;
constexpr int kLowerHalf = 16;

/// value / 2^drop, to nearest, ties to even; value < 2^31.
constexpr std::uint32_t round_off(std::uint32_t value, int drop) {
  if (drop <= 0) return value;
  if (drop > 31) return 0;
  const std::uint32_t kept = value >> drop;
  const std::uint32_t rest = value - (kept << drop);
  const std::uint32_t half = 1U << (drop - 1);
  return kept + static_cast<std::uint32_t>(rest > half || (rest == half && (kept & 1) != 0));
}

int exponent_of(std::uint32_t fp32) {
  return static_cast<int>(fp32 >> kMantissaBits & 0xFF);
}

std::uint32_t significand_of(std::uint32_t fp32) {
  return kHiddenOne | (fp32 & kMantissa);
}

// ---------------------------------------------------------------- Numbers of their own

std::uint32_t tf32_cell(std::uint32_t fp32) {
  return fp32 & ~((1U << kCellShift) - 1);
}

/// FP32 in memory, unpacked as BF16.
std::uint32_t shortened_cell(std::uint32_t fp32) {
  const std::uint32_t number = exponent_of(fp32) == 0 ? fp32 & kSign : fp32;
  return number >> kLowerHalf << kLowerHalf;
}

std::uint32_t bf16_cell(std::uint32_t fp32) {
  constexpr std::uint32_t kQuiet = 1U << 22;
  const std::uint32_t upper = fp32 >> kLowerHalf << kLowerHalf;
  const bool is_nan = exponent_of(fp32) == kTopExponent && (fp32 & kMantissa) != 0;
  if (is_nan) return (upper & kMantissa) != 0 ? upper : upper | kQuiet;
  return (fp32 & kSign) | round_off(fp32 & kMagnitude, kLowerHalf) << kLowerHalf;
}

/// FP16 and FP8; the highest exponent is an ordinary one.
std::uint32_t exponent_5_cell(std::uint32_t fp32, int mantissa_bits) {
  const int drop = kMantissaBits - mantissa_bits;
  const std::uint32_t sign = fp32 & kSign;
  // A carry out of the mantissa goes into the exponent, as it has to.
  const std::uint32_t rounded = round_off(fp32 & kMagnitude, drop) << drop;
  const int exponent = exponent_of(rounded) - kRebias;
  if (exponent <= 0) return sign;
  if (exponent_of(fp32) == kTopExponent || exponent > kTopExponent5) {
    const std::uint32_t all_ones = kMantissa >> drop << drop;
    return sign | std::uint32_t{kTopExponent5} << kMantissaBits | all_ones;
  }
  return sign | static_cast<std::uint32_t>(exponent) << kMantissaBits | (rounded & kMantissa);
}

// ---------------------------------------------------------------- Blocks

struct BlockFormat {
  int magnitude_bits;
  bool exponent_5;
};

/// What the unpacker makes of a magnitude of 7 bits under an exponent. (A zero with a sign would
/// become -infinity; the conversion makes none.)
std::uint32_t block_cell(std::uint32_t sign, std::uint32_t magnitude, int exponent) {
  const auto aligned = static_cast<std::uint8_t>(magnitude << 1);
  if (aligned == 0) return 0;
  const int zeros = std::countl_zero(aligned);
  const std::uint32_t mantissa = static_cast<std::uint32_t>(aligned) << zeros & 0x7E;
  return sign | static_cast<std::uint32_t>(exponent - zeros) << kMantissaBits |
         mantissa << kLowerHalf;
}

/// The magnitude of a number in the memory of a block whose exponent is `shared`, of FP32's bias.
std::uint32_t block_magnitude(std::uint32_t fp32, int shared, int bits) {
  const std::uint32_t most = (1U << bits) - 1;
  const int exponent = exponent_of(fp32);
  if (exponent > shared) return most;
  const int drop = kMantissaBits + 1 - bits + shared - exponent;
  return std::min(round_off(significand_of(fp32), drop), most);
}

SourceRow block_cells(const SourceRow& fp32, BlockFormat format) {
  constexpr int kAligned = 7;
  const int offset = format.exponent_5 ? kRebias : 0;
  int shared = 0;
  for (const std::uint32_t number : fp32) shared = std::max(shared, exponent_of(number));
  if (format.exponent_5) shared = std::min(shared, kRebias + kTopExponent5);
  SourceRow cells{};
  for (unsigned i = 0; i < kSourceColumns; ++i) {
    if (exponent_of(fp32[i]) <= offset) continue; // below the normal numbers
    const std::uint32_t magnitude = block_magnitude(fp32[i], shared, format.magnitude_bits);
    cells[i] = block_cell(fp32[i] & kSign, magnitude << (kAligned - format.magnitude_bits),
                          shared - offset);
  }
  return cells;
}

// ---------------------------------------------------------------- Integers

std::uint32_t int8_cell(std::uint32_t sign, std::uint32_t magnitude) {
  constexpr std::uint32_t kExponent = 16; // fixed, but 0 for zero (MU 1.2)
  return magnitude == 0 ? 0 : sign | kExponent << kMantissaBits | magnitude << kCellShift;
}

std::uint32_t int16_cell(std::uint32_t sign, std::uint32_t magnitude) {
  return sign | (magnitude & 0xFF) << kMantissaBits | (magnitude >> 8) << kLowerHalf;
}

struct IntegerFormat {
  std::string_view name;
  float lowest, highest;
  std::uint32_t (*cell)(std::uint32_t sign, std::uint32_t magnitude);
};

Expected<SourceRow> integer_cells(std::span<const float, kSourceColumns> numbers,
                                  const IntegerFormat& format) {
  SourceRow cells{};
  for (unsigned i = 0; i < kSourceColumns; ++i) {
    const float number = numbers[i];
    if (!(number >= format.lowest && number <= format.highest)) {
      return bad_input(fmt::format("{} is outside the range of {} in memory, {} to {}", number,
                                   format.name, format.lowest, format.highest),
                       "use a number of that range, or another source format");
    }
    if (number != std::floor(number)) {
      return bad_input(fmt::format("{} is not a whole number, as {} needs", number, format.name),
                       "round the numbers first, or use a float format");
    }
    const auto magnitude = static_cast<std::uint32_t>(std::abs(number));
    cells[i] = magnitude == 0 ? 0 : format.cell(number < 0 ? kSign : 0, magnitude);
  }
  return cells;
}

template <class Function>
SourceRow each(const SourceRow& fp32, Function&& function) {
  SourceRow cells{};
  std::transform(fp32.begin(), fp32.end(), cells.begin(), function);
  return cells;
}

Expected<SourceRow> checked_block(const SourceRow& fp32, BlockFormat format) {
  if (std::ranges::any_of(fp32, [](std::uint32_t x) { return exponent_of(x) == kTopExponent; })) {
    return bad_input("a block format has neither infinity nor NaN",
                     "use finite numbers, or a format such as bf16");
  }
  return block_cells(fp32, format);
}

} // namespace

Expected<SourceRow> source_cells(std::span<const float, kSourceColumns> numbers,
                                 DataFormat format) {
  SourceRow fp32{};
  std::transform(numbers.begin(), numbers.end(), fp32.begin(),
                 [](float number) { return std::bit_cast<std::uint32_t>(number); });
  switch (format) {
    case DataFormat::Tf32: return each(fp32, tf32_cell);
    case DataFormat::Fp32: return each(fp32, shortened_cell);
    case DataFormat::Bf16: return each(fp32, bf16_cell);
    case DataFormat::Fp16:
      return each(fp32, [](std::uint32_t x) { return exponent_5_cell(x, 10); });
    case DataFormat::Fp8: return each(fp32, [](std::uint32_t x) { return exponent_5_cell(x, 2); });
    case DataFormat::Bfp8: return checked_block(fp32, {.magnitude_bits = 7, .exponent_5 = false});
    case DataFormat::Bfp4: return checked_block(fp32, {.magnitude_bits = 3, .exponent_5 = false});
    case DataFormat::Bfp2: return checked_block(fp32, {.magnitude_bits = 1, .exponent_5 = false});
    case DataFormat::Bfp8a: return checked_block(fp32, {.magnitude_bits = 7, .exponent_5 = true});
    case DataFormat::Bfp4a: return checked_block(fp32, {.magnitude_bits = 3, .exponent_5 = true});
    case DataFormat::Bfp2a: return checked_block(fp32, {.magnitude_bits = 1, .exponent_5 = true});
    case DataFormat::Int8:
      return integer_cells(numbers,
                           {.name = "INT8", .lowest = -127, .highest = 255, .cell = int8_cell});
    case DataFormat::Int16:
      return integer_cells(
          numbers, {.name = "INT16", .lowest = -32767, .highest = 32767, .cell = int16_cell});
    case DataFormat::Int32: break;
  }
  return bad_input(
      fmt::format("SrcA and SrcB hold no data of format code {}", static_cast<unsigned>(format)),
      "docs/configuration.md lists the formats");
}

} // namespace lanewise
