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
#include <string>
#include <string_view>

#include "chip/machine/matrix/source_number.h"
#include "chip/semantics/unpack_values.h"

namespace lanewise {

namespace {

using isa::SourceForm;

/// A row of SrcA or SrcB, as SourceFile keeps it.
using SourceRow = std::array<std::uint32_t, kSourceColumns>;

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kMagnitude = 0x7FFFFFFFU;
constexpr isa::FloatLayout kFp32 = *isa::number_format(isa::NumberFormatId::Fp32).real;
constexpr isa::FloatLayout kFp16 = *isa::number_format(isa::NumberFormatId::Fp16).real;
constexpr int kMantissaBits = kFp32.mantissa_bits;
constexpr std::uint32_t kHiddenOne = 1U << kMantissaBits;
constexpr std::uint32_t kMantissa = kHiddenOne - 1;
constexpr int kTopExponent = kFp32.top_exponent();
constexpr int kRebias = kFp32.bias - kFp16.bias; ///< from FP32's exponents to those of 5 bits
constexpr int kTopExponent5 = kFp16.top_exponent();
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

/// FP32 in memory: the upper bits of it.
std::uint32_t cut_cell(std::uint32_t fp32, const SourceForm& form) {
  const bool is_flushed = form.denormals == isa::Denormals::Flushed && exponent_of(fp32) == 0;
  const std::uint32_t number = is_flushed ? fp32 & kSign : fp32;
  return number & ~isa::low_ones(static_cast<unsigned>(kMantissaBits - form.mantissa_bits));
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

/// What lies in memory in a format is unpacked to the same one.
semantics::Unpacking as_itself(const isa::NumberFormat& row) {
  return {.in = row.operand->code, .out = row.operand->code};
}

// ---------------------------------------------------------------- Blocks

/// The magnitude of a number in the memory of a block whose exponent is `shared`, of FP32's bias.
std::uint32_t block_magnitude(std::uint32_t fp32, int shared, int bits) {
  const std::uint32_t most = (1U << bits) - 1;
  const int exponent = exponent_of(fp32);
  if (exponent > shared) return most;
  const int drop = kMantissaBits + 1 - bits + shared - exponent;
  return std::min(round_off(significand_of(fp32), drop), most);
}

/// A zero has no sign here: the unpacker would make -infinity of it.
SourceRow block_cells(const SourceRow& fp32, const isa::NumberFormat& row) {
  const auto magnitude_bits = static_cast<int>(row.l1->magnitude_bits());
  const bool exponent_5 = row.l1->shared_exponent_bits == 5;
  const int offset = exponent_5 ? kRebias : 0;
  int shared = 0;
  for (const std::uint32_t number : fp32) shared = std::max(shared, exponent_of(number));
  if (exponent_5) shared = std::min(shared, kRebias + kTopExponent5);
  SourceRow cells{};
  for (unsigned i = 0; i < kSourceColumns; ++i) {
    if (exponent_of(fp32[i]) <= offset) continue; // below the normal numbers
    const std::uint32_t magnitude = block_magnitude(fp32[i], shared, magnitude_bits);
    const std::uint32_t sign = (fp32[i] & kSign) >> (31 - magnitude_bits);
    cells[i] = magnitude == 0
                   ? 0
                   : semantics::unpack_value(as_itself(row), sign | magnitude,
                                             static_cast<std::uint32_t>(shared - offset));
  }
  return cells;
}

// ---------------------------------------------------------------- Integers

/// A magnitude that needs the place of the sign is one without.
std::uint32_t integer_cell(const isa::NumberFormat& row, bool is_negative,
                           std::uint32_t magnitude) {
  const unsigned magnitude_bits = row.l1->magnitude_bits();
  semantics::Unpacking how = as_itself(row);
  how.is_unsigned = magnitude >> magnitude_bits != 0;
  return semantics::unpack_value(how, std::uint32_t{is_negative} << magnitude_bits | magnitude);
}

/// As messages have it.
std::string upper_case(std::string_view name) {
  std::string text(name);
  for (char& letter : text) letter = letter >= 'a' ? static_cast<char>(letter - 'a' + 'A') : letter;
  return text;
}

Expected<void> check_integer(float number, const isa::NumberFormat& row) {
  const auto [lowest, highest] = *row.source->integers;
  if (!(number >= static_cast<float>(lowest) && number <= static_cast<float>(highest))) {
    return bad_input(fmt::format("{} is outside the range of {} in memory, {} to {}", number,
                                 upper_case(row.name), lowest, highest),
                     "use a number of that range, or another source format");
  }
  if (number == std::floor(number)) return {};
  return bad_input(
      fmt::format("{} is not a whole number, as {} needs", number, upper_case(row.name)),
      "round the numbers first, or use a float format");
}

Expected<SourceRow> integer_cells(std::span<const float, kSourceColumns> numbers,
                                  const isa::NumberFormat& row) {
  SourceRow cells{};
  for (unsigned i = 0; i < kSourceColumns; ++i) {
    if (auto fits = check_integer(numbers[i], row); !fits) return Unexpected(fits.error());
    const auto magnitude = static_cast<std::uint32_t>(std::abs(numbers[i]));
    cells[i] = magnitude == 0 ? 0 : integer_cell(row, numbers[i] < 0, magnitude);
  }
  return cells;
}

template <class Function>
SourceRow each(const SourceRow& fp32, Function&& function) {
  SourceRow cells{};
  std::transform(fp32.begin(), fp32.end(), cells.begin(), function);
  return cells;
}

Expected<SourceRow> checked_block(const SourceRow& fp32, const isa::NumberFormat& row) {
  if (std::ranges::any_of(fp32, [](std::uint32_t x) { return exponent_of(x) == kTopExponent; })) {
    return bad_input("a block format has neither infinity nor NaN",
                     "use finite numbers, or a format such as bf16");
  }
  return block_cells(fp32, row);
}

SourceRow float_cells(const SourceRow& fp32, const isa::NumberFormat& row) {
  const SourceForm& form = *row.source;
  if (row.operand->exponent_bits == 5)
    return each(fp32, [&](std::uint32_t x) { return exponent_5_cell(x, form.mantissa_bits); });
  if (form.rounding == isa::Rounding::Cut)
    return each(fp32, [&](std::uint32_t x) { return cut_cell(x, form); });
  return each(fp32, bf16_cell);
}

} // namespace

Expected<SourceRow> source_cells(std::span<const float, kSourceColumns> numbers,
                                 DataFormat format) {
  const isa::NumberFormat* row = isa::format_of_code(format);
  if (row == nullptr || !row->source) {
    return bad_input(
        fmt::format("SrcA and SrcB hold no data of format code {}", static_cast<unsigned>(format)),
        "docs/configuration.md lists the formats");
  }
  if (row->integer) return integer_cells(numbers, *row);
  SourceRow fp32{};
  std::transform(numbers.begin(), numbers.end(), fp32.begin(),
                 [](float number) { return std::bit_cast<std::uint32_t>(number); });
  if (row->l1->is_block()) return checked_block(fp32, *row);
  return float_cells(fp32, *row);
}

} // namespace lanewise
