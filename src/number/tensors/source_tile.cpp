#include "number/tensors/source_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/in_quotes.h"
#include "chip/machine/matrix/source_number.h"
#include "number/tensors/pattern.h"

namespace lanewise::tensors {
namespace {

constexpr unsigned kMantissaBits = 23; ///< of an FP32, as which cells are aligned
constexpr std::uint32_t kSign = 0x8000'0000;
constexpr std::uint32_t kMantissa = (1U << kMantissaBits) - 1;
constexpr std::uint32_t kHiddenOne = 1U << kMantissaBits;
constexpr unsigned kCellShift = 13; ///< of the lowest bit of a cell

/// A number as an FP32. Those of BF16 and FP32 keep their bits, which a NaN would lose as a double.
float fp32_of(formats::Format format, std::uint32_t bits) {
  if (format == formats::Format::FP32) return std::bit_cast<float>(bits);
  if (format == formats::Format::BF16) return std::bit_cast<float>(bits << 16);
  return std::bit_cast<float>(
      formats::round_to_bits(formats::Format::FP32, formats::value_of_bits(format, bits)));
}

constexpr unsigned kBank = 0;

/// What the unpacker does once the bank is full.
void hand_over(SourceFile& file, DataFormat format) {
  file.format[kBank] = static_cast<std::uint8_t>(format);
  file.owned_by_matrix_unit[kBank] = true;
  file.current = kBank;
  file.filling = 1 - kBank; // the unpacker went on to the other bank as it handed this one over
}

} // namespace

formats::Format source_values_format(DataFormat format) {
  for (const formats::Format each : formats::kFormats) {
    const isa::NumberFormat& row = isa::number_format(each);
    if (row.operand->code == format && row.source && row.source->is_input) return each;
  }
  return formats::Format::FP32;
}

Expected<DataFormat> parse_source_format(std::string_view name) {
  std::string names;
  for (const SourceFormatRow& row : kSourceFormats) {
    if (row.name == name) return row.format;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return bad_input(fmt::format("{} is not a format of SrcA and SrcB", in_quotes(name)),
                   "use one of " + names);
}

Expected<SourceInput> make_source_input(std::string_view specification, DataFormat format) {
  auto values = make_input(specification, source_values_format(format));
  if (!values) return Unexpected(values.error());
  return SourceInput{std::move(*values), format};
}

Expected<SourceTile> source_cells(DataFormat format, formats::Format values_format,
                                  const Tile& values) {
  static_assert(kFaceEdge == kSourceColumns, "a block is a row of a face");
  SourceTile cells{};
  for (unsigned first = 0; first < kTileElements; first += kSourceColumns) {
    std::array<float, kSourceColumns> numbers{};
    for (unsigned i = 0; i < kSourceColumns; ++i)
      numbers[i] = fp32_of(values_format, values[first + i]);
    const auto row = lanewise::source_cells(numbers, format);
    if (!row) return Unexpected(row.error());
    std::ranges::copy(*row, cells.begin() + first);
  }
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
  const std::uint32_t exponent = (cell & ~kSign) >> kMantissaBits;
  if (exponent == 0) return 0; // whatever the mantissa (MU 5.1, 6)
  const double sign = (cell & kSign) != 0 ? -1 : 1;
  const std::uint32_t mantissa = cell & kMantissa;
  if (format == DataFormat::Int8) return sign * (mantissa >> kCellShift);
  const int bias = has_5bit_exponent(format) ? 15 : 127;
  return sign * std::ldexp(kHiddenOne | mantissa,
                           static_cast<int>(exponent) - bias - static_cast<int>(kMantissaBits));
}

void load_source_tile(SourceFile& file, DataFormat format, const SourceTile& cells) {
  for (unsigned i = 0; i < kTileElements; ++i) {
    const DstPosition p = dst_position(0, i / kTileEdge, i % kTileEdge);
    file.cell[kBank][p.row][p.column] = cells[i];
  }
  hand_over(file, format);
}

void load_source_rows(SourceFile& file, DataFormat format, const SourceTile& cells) {
  for (unsigned i = 0; i < kTileElements; ++i)
    file.cell[kBank][i / kSourceColumns][i % kSourceColumns] = cells[i];
  hand_over(file, format);
}

} // namespace lanewise::tensors
