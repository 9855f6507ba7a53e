#include "lab/source_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "lab/pattern.h"

namespace lanewise::lab {
namespace {

constexpr unsigned kMantissaBits = 23; ///< of an FP32, as which cells are aligned
constexpr std::uint32_t kSign = 0x8000'0000;
constexpr std::uint32_t kMantissa = (1U << kMantissaBits) - 1;
constexpr std::uint32_t kHiddenOne = 1U << kMantissaBits;
constexpr std::uint32_t kTopExponent = 255;
constexpr std::uint32_t kTopExponent5 = 31;
/// From a bias of 127 to one of 15.
constexpr std::uint32_t kBiasDifference = 127 - 15;
/// The exponent field of an INT8 cell whose magnitude is not 0 (MU 1.2).
constexpr std::uint32_t kInt8Exponent = 16;
constexpr unsigned kCellShift = 13; ///< of the lowest bit of a cell
/// Numbers that share an exponent in a block format: a row of a face.
constexpr std::size_t kBlock = kFaceEdge;

constexpr std::uint32_t exponent_of(std::uint32_t bits) {
  return (bits & ~kSign) >> kMantissaBits;
}

/// value / 2^dropped to the nearest integer, ties to even.
constexpr std::uint32_t shift_to_even(std::uint32_t value, unsigned dropped) {
  if (dropped == 0) return value;
  if (dropped > kMantissaBits + 2) return 0; // a 24-bit value is below one half
  const std::uint32_t kept = value >> dropped;
  return (value + (1U << (dropped - 1)) - 1 + (kept & 1)) >> dropped;
}

/// Bits of magnitude of a number in a block, or 0 for the other formats.
constexpr unsigned block_magnitude_bits(DataFormat format) {
  switch (format) {
    case DataFormat::Bfp8:
    case DataFormat::Bfp8a: return 7;
    case DataFormat::Bfp4:
    case DataFormat::Bfp4a: return 3;
    case DataFormat::Bfp2:
    case DataFormat::Bfp2a: return 1;
    default: return 0;
  }
}

constexpr unsigned float_mantissa_bits(DataFormat format) {
  if (format == DataFormat::Bf16) return 7;
  return format == DataFormat::Fp8 ? 2 : 10;
}

/// An FP32 in a format whose numbers have exponents of their own.
std::uint32_t float_cell(DataFormat format, std::uint32_t bits) {
  const unsigned dropped = kMantissaBits - float_mantissa_bits(format);
  const std::uint32_t sign = bits & kSign;
  const bool special = exponent_of(bits) == kTopExponent;
  // A carry out of the mantissa goes into the exponent, as it has to.
  const std::uint32_t magnitude = shift_to_even(bits & ~kSign, dropped) << dropped;
  if (!has_5bit_exponent(format)) {
    if (exponent_of(magnitude) == 0) return sign;
    if (!special) return sign | magnitude;
    const std::uint32_t kept = bits & kMantissa & ~((1U << dropped) - 1);
    const bool is_nan = (bits & kMantissa) != 0;
    return sign | kTopExponent << kMantissaBits | (is_nan ? kept | kHiddenOne >> 1 : 0);
  }
  if (exponent_of(magnitude) <= kBiasDifference) return sign;
  const std::uint32_t exponent = exponent_of(magnitude) - kBiasDifference;
  if (special || exponent > kTopExponent5) {
    const std::uint32_t largest = kMantissa & ~((1U << dropped) - 1);
    return sign | kTopExponent5 << kMantissaBits | largest;
  }
  return sign | exponent << kMantissaBits | (magnitude & kMantissa);
}

/// A number of a block, `magnitude` * 2^(exponent - 127 - (width - 1)).
std::uint32_t block_cell(DataFormat format, std::uint32_t sign, std::uint32_t magnitude,
                         std::uint32_t exponent, unsigned width) {
  if (magnitude == 0) return 0;
  const auto below = static_cast<unsigned>(std::countl_zero(magnitude)) - (32 - width);
  const std::uint32_t bias = has_5bit_exponent(format) ? kBiasDifference : 0;
  if (exponent <= bias + below) return 0;
  const std::uint32_t mantissa = magnitude << (kMantissaBits - (width - 1) + below) & kMantissa;
  return sign | (exponent - bias - below) << kMantissaBits | mantissa;
}

/// FP32s to cells, in place.
void round_block(DataFormat format, std::span<std::uint32_t> block) {
  const unsigned width = block_magnitude_bits(format);
  const std::uint32_t highest =
      has_5bit_exponent(format) ? kTopExponent5 + kBiasDifference : kTopExponent;
  const std::uint32_t all_ones = (1U << width) - 1;
  const auto magnitude_at = [&](std::uint32_t bits, std::uint32_t exponent) {
    const std::uint32_t own = exponent_of(bits);
    if (own == 0) return 0U;
    if (own > exponent) return all_ones + 1;
    const std::uint32_t significand = kHiddenOne | (bits & kMantissa);
    return shift_to_even(significand, kMantissaBits - (width - 1) + (exponent - own));
  };
  std::uint32_t exponent = 0;
  for (const std::uint32_t bits : block) exponent = std::max(exponent, exponent_of(bits));
  const bool carries = std::ranges::any_of(
      block, [&](std::uint32_t bits) { return magnitude_at(bits, exponent) > all_ones; });
  exponent = std::min(exponent + (carries ? 1 : 0), highest);
  for (std::uint32_t& bits : block) {
    const std::uint32_t magnitude = std::min(magnitude_at(bits, exponent), all_ones);
    bits = block_cell(format, bits & kSign, magnitude, exponent, width);
  }
}

Expected<std::uint32_t> int8_source_cell(double value) {
  if (auto fits = check_value(Format::INT8, value); !fits) return Unexpected(fits.error());
  const auto magnitude = static_cast<std::uint32_t>(std::abs(value));
  if (magnitude == 0) return 0U;
  return (value < 0 ? kSign : 0) | kInt8Exponent << kMantissaBits | magnitude << kCellShift;
}

Expected<SourceTile> int8_cells(Format values_format, const Tile& values) {
  SourceTile cells{};
  for (unsigned i = 0; i < kTileElements; ++i) {
    const auto cell = int8_source_cell(value_of_bits(values_format, values[i]));
    if (!cell) return Unexpected(cell.error());
    cells[i] = *cell;
  }
  return cells;
}

/// The format in which numbers for a source format are made.
Format input_format(DataFormat format) {
  switch (format) {
    case DataFormat::Bf16: return Format::BF16;
    case DataFormat::Fp16: return Format::FP16;
    case DataFormat::Int8: return Format::INT8;
    default: return Format::FP32;
  }
}

} // namespace

Expected<DataFormat> parse_source_format(std::string_view name) {
  std::string names;
  for (const SourceFormatRow& row : kSourceFormats) {
    if (row.name == name) return row.format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return bad_input(fmt::format("'{}' is not a format of SrcA and SrcB", name),
                   "use one of " + names);
}

Expected<SourceInput> make_source_input(std::string_view specification, DataFormat format) {
  auto values = make_input(specification, input_format(format));
  if (!values) return Unexpected(values.error());
  return SourceInput{std::move(*values), format};
}

Expected<SourceTile> source_cells(DataFormat format, Format values_format, const Tile& values) {
  if (format == DataFormat::Int8) return int8_cells(values_format, values);
  SourceTile cells{};
  for (unsigned i = 0; i < kTileElements; ++i)
    cells[i] = round_to_bits(Format::FP32, value_of_bits(values_format, values[i]));
  if (block_magnitude_bits(format) == 0) {
    for (std::uint32_t& cell : cells) cell = float_cell(format, cell);
    return cells;
  }
  const auto is_special = [](std::uint32_t bits) { return exponent_of(bits) == kTopExponent; };
  if (std::ranges::any_of(cells, is_special)) {
    return bad_input("a block format has neither infinity nor NaN",
                     "use finite numbers, or a format such as bf16");
  }
  for (std::size_t first = 0; first < cells.size(); first += kBlock)
    round_block(format, std::span(cells).subspan(first, kBlock));
  return cells;
}

Expected<std::vector<SourceTile>> source_tiles(const SourceInput& input) {
  std::vector<SourceTile> tiles;
  for (const Tile& values : split_into_tiles(input.values)) {
    auto cells = source_cells(input.format, input.values.format, values);
    if (!cells) return Unexpected(cells.error());
    tiles.push_back(*cells);
  }
  return tiles;
}

double source_value(DataFormat format, std::uint32_t cell) {
  const std::uint32_t exponent = exponent_of(cell);
  if (exponent == 0) return 0; // whatever the mantissa (MU 5.1, 6)
  const double sign = (cell & kSign) != 0 ? -1 : 1;
  const std::uint32_t mantissa = cell & kMantissa;
  if (format == DataFormat::Int8) return sign * (mantissa >> kCellShift);
  const int bias = has_5bit_exponent(format) ? 15 : 127;
  return sign * std::ldexp(kHiddenOne | mantissa,
                           static_cast<int>(exponent) - bias - static_cast<int>(kMantissaBits));
}

void load_source_tile(SourceFile& file, DataFormat format, const SourceTile& cells) {
  constexpr unsigned kBank = 0;
  for (unsigned i = 0; i < kTileElements; ++i) {
    const DstPosition p = dst_position(0, i / kTileEdge, i % kTileEdge);
    file.cell[kBank][p.row][p.column] = cells[i];
  }
  file.format[kBank] = static_cast<std::uint8_t>(format);
  file.owned_by_matrix_unit[kBank] = true;
  file.current = kBank;
  file.filling = 1 - kBank; // the unpacker went on to the other bank as it handed this one over
}

} // namespace lanewise::lab
