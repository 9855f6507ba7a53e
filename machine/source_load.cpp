#include "machine/source_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace lanewise {

namespace {

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kMagnitude = 0x7FFFFFFFU;
constexpr int kMantissaBits = 23;
constexpr int kRebias = 127 - 15; ///< from FP32's exponents to those of 5 bits
constexpr int kLargestExponent5 = 31;
constexpr unsigned kCellShift = 13;

/// value / 2^drop, to nearest, ties to even.
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

/// An FP32 with fewer bits of mantissa; denormals become zeros.
std::uint32_t shorten(std::uint32_t fp32, int mantissa_bits) {
  const int drop = kMantissaBits - mantissa_bits;
  const std::uint32_t magnitude = fp32 & kMagnitude;
  if (exponent_of(fp32) == 0) return fp32 & kSign;
  // Infinities and NaNs are not rounded: their exponent is as high as it gets.
  const std::uint32_t kept =
      exponent_of(fp32) == 255 ? magnitude >> drop : round_off(magnitude, drop);
  return (fp32 & kSign) | kept << drop;
}

/// The same with an exponent of 5 bits; 31 is an ordinary one.
std::uint32_t with_exponent_5(std::uint32_t fp32, int mantissa_bits) {
  const std::uint32_t shorter = shorten(fp32, mantissa_bits);
  const std::uint32_t sign = shorter & kSign;
  const std::uint32_t mantissa = (1U << kMantissaBits) - 1;
  const std::uint32_t kept = mantissa & ~((1U << (kMantissaBits - mantissa_bits)) - 1);
  const int exponent = exponent_of(shorter) - kRebias;
  if (exponent <= 0) return sign;
  if (exponent > kLargestExponent5)
    return sign | std::uint32_t{kLargestExponent5} << kMantissaBits | kept;
  return sign | static_cast<std::uint32_t>(exponent) << kMantissaBits | (shorter & mantissa);
}

/// The integer nearest to the magnitude of an FP32, at most `largest`.
std::uint32_t integer_of(std::uint32_t fp32, std::uint32_t largest) {
  constexpr int kBias = 127;
  const int exponent = exponent_of(fp32) - kBias;
  if (exponent < -1) return 0;
  if (exponent > 16) return largest;
  const std::uint32_t mantissa = (fp32 & ((1U << kMantissaBits) - 1)) | 1U << kMantissaBits;
  return std::min(round_off(mantissa, kMantissaBits - exponent), largest);
}

std::uint32_t int8_cell(std::uint32_t fp32) {
  constexpr std::uint32_t kExponent = 16; // fixed, but 0 for zero (MU 1.2)
  const std::uint32_t magnitude = integer_of(fp32, 255);
  if (magnitude == 0) return 0;
  return (fp32 & kSign) | kExponent << kMantissaBits | magnitude << kCellShift;
}

std::uint32_t int16_cell(std::uint32_t fp32) {
  const std::uint32_t magnitude = integer_of(fp32, 0x7FFF);
  if (magnitude == 0) return 0;
  return (fp32 & kSign) | (magnitude & 0xFF) << kMantissaBits | (magnitude >> 8) << 16;
}

using Row = std::array<std::uint32_t, kSourceColumns>;

/// One block: sixteen magnitudes of `bits` bits under the largest of their exponents, normalised.
Row block_cells(const Row& fp32, int bits, bool exponent_5) {
  const int offset = exponent_5 ? kRebias : 0;
  const int largest = exponent_5 ? kRebias + kLargestExponent5 : 255;
  int shared = 0;
  for (const std::uint32_t number : fp32) shared = std::max(shared, exponent_of(number));
  shared = std::min(shared, largest);
  Row cells{};
  for (unsigned i = 0; i < kSourceColumns; ++i) {
    const int exponent = exponent_of(fp32[i]);
    if (exponent == 0) continue;
    const std::uint32_t mantissa = (fp32[i] & ((1U << kMantissaBits) - 1)) | 1U << kMantissaBits;
    const std::uint32_t most = (1U << bits) - 1;
    const std::uint32_t magnitude =
        exponent > shared
            ? most
            : std::min(round_off(mantissa, kMantissaBits + 1 - bits + shared - exponent), most);
    if (magnitude == 0) continue;
    const int top = static_cast<int>(std::bit_width(magnitude)) - 1;
    const int result = shared - (bits - 1) + top - offset;
    if (result <= 0) continue;
    const std::uint32_t fraction = magnitude - (1U << top);
    cells[i] = (fp32[i] & kSign) | static_cast<std::uint32_t>(result) << kMantissaBits |
               fraction << (kMantissaBits - top);
  }
  return cells;
}

template <class Function>
Row each(const Row& fp32, Function&& function) {
  Row cells{};
  std::transform(fp32.begin(), fp32.end(), cells.begin(), function);
  return cells;
}

/// Whether rows from `first_row` on exist for so many cells.
Expected<void> check_place(unsigned bank, unsigned first_row, std::size_t cells) {
  if (bank >= kSourceBanks) {
    return bad_input(fmt::format("SrcA and SrcB have no bank {}", bank), "use 0 or 1");
  }
  if (cells % kSourceColumns != 0) {
    return bad_input(fmt::format("{} cells are no whole number of rows", cells),
                     "give 16 cells per row");
  }
  if (first_row > kSourceRows || cells / kSourceColumns > kSourceRows - first_row) {
    return bad_input(
        fmt::format("{} rows from row {} on go beyond row 63", cells / kSourceColumns, first_row),
        "a bank has 64 rows");
  }
  return {};
}

} // namespace

Expected<Row> source_cells(std::span<const float, kSourceColumns> numbers, DataFormat format) {
  Row fp32{};
  std::transform(numbers.begin(), numbers.end(), fp32.begin(),
                 [](float number) { return std::bit_cast<std::uint32_t>(number); });
  switch (format) {
    case DataFormat::Tf32: return each(fp32, [](std::uint32_t x) { return shorten(x, 10); });
    case DataFormat::Fp32:
    case DataFormat::Bf16: return each(fp32, [](std::uint32_t x) { return shorten(x, 7); });
    case DataFormat::Fp16:
      return each(fp32, [](std::uint32_t x) { return with_exponent_5(x, 10); });
    case DataFormat::Fp8: return each(fp32, [](std::uint32_t x) { return with_exponent_5(x, 2); });
    case DataFormat::Bfp8: return block_cells(fp32, 7, false);
    case DataFormat::Bfp4: return block_cells(fp32, 3, false);
    case DataFormat::Bfp2: return block_cells(fp32, 1, false);
    case DataFormat::Bfp8a: return block_cells(fp32, 7, true);
    case DataFormat::Bfp4a: return block_cells(fp32, 3, true);
    case DataFormat::Bfp2a: return block_cells(fp32, 1, true);
    case DataFormat::Int8: return each(fp32, int8_cell);
    case DataFormat::Int16: return each(fp32, int16_cell);
    case DataFormat::Int32: break;
  }
  return bad_input(
      fmt::format("SrcA and SrcB hold no data of format code {}", static_cast<unsigned>(format)),
      "docs/configuration.md lists the formats");
}

Expected<void> load_cells(SourceFile& file, unsigned bank, unsigned first_row,
                          std::span<const std::uint32_t> cells) {
  if (auto place = check_place(bank, first_row, cells.size()); !place) return place;
  constexpr std::uint32_t kNoCell = (1U << kCellShift) - 1;
  if (std::any_of(cells.begin(), cells.end(),
                  [](std::uint32_t cell) { return (cell & kNoCell) != 0; })) {
    return bad_input("a cell of SrcA or SrcB has 19 bits, in the upper end of 32",
                     "leave the lower 13 bits 0");
  }
  for (std::size_t i = 0; i < cells.size(); i += kSourceColumns)
    std::copy_n(cells.begin() + static_cast<std::ptrdiff_t>(i), kSourceColumns,
                file.cell[bank][first_row + i / kSourceColumns]);
  file.owned_by_matrix_unit[bank] = true;
  file.filling = static_cast<std::uint8_t>(bank ^ 1);
  return {};
}

Expected<void> load_numbers(SourceFile& file, unsigned bank, unsigned first_row,
                            std::span<const float> numbers, DataFormat format) {
  if (auto place = check_place(bank, first_row, numbers.size()); !place) return place;
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < numbers.size(); i += kSourceColumns) {
    const auto row = source_cells(numbers.subspan(i).first<kSourceColumns>(), format);
    if (!row) return Unexpected(row.error());
    cells.insert(cells.end(), row->begin(), row->end());
  }
  if (auto done = load_cells(file, bank, first_row, cells); !done) return done;
  file.format[bank] = static_cast<std::uint8_t>(format);
  return {};
}

} // namespace lanewise
