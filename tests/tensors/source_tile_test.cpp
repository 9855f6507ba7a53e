// Numbers as they arrive in SrcA and SrcB (MU 1.2).
#include "number/tensors/source_tile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "chip/machine/matrix/source_number.h"

namespace lanewise::tensors {
namespace {

std::uint32_t fp32(double value) {
  return formats::round_to_bits(formats::Format::FP32, value);
}

/// Cells of the first elements of a tile that has these numbers, and zeros behind them.
SourceTile cells_of(DataFormat format, const std::vector<double>& numbers) {
  Tile values{};
  for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = fp32(numbers[i]);
  auto cells = source_cells(format, formats::Format::FP32, values);
  EXPECT_TRUE(cells);
  return cells.value_or(SourceTile{});
}

std::uint32_t cell_of(DataFormat format, double number) {
  return cells_of(format, {number})[0];
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One conversion serves the library and the command line; tests/machine has its rules.
TEST(SourceCells, AreThoseOfTheMachine) {
  const std::vector<double> numbers{1.999, 300, -5, 0.3, 1e6, -0x1p-130, 1 + 0x1p-8, 127};
  std::array<float, kSourceColumns> row{};
  std::ranges::copy(numbers, row.begin());
  for (const SourceFormatRow& each : kSourceFormats) {
    if (each.format == DataFormat::Int8) continue;
    const SourceTile cells = cells_of(each.format, numbers);
    const auto expected = lanewise::source_cells(row, each.format);
    ASSERT_TRUE(expected);
    for (unsigned i = 0; i < kSourceColumns; ++i) EXPECT_EQ(cells[i], (*expected)[i]) << each.name;
  }
}

TEST(SourceCells, Values) {
  const auto value = [](DataFormat format, double number) {
    return source_value(format, cell_of(format, number));
  };
  EXPECT_EQ(value(DataFormat::Fp16, 1e6), 131008);
  EXPECT_EQ(value(DataFormat::Fp8, -kInfinity), -114688);
  EXPECT_EQ(value(DataFormat::Bfp8a, 1e9), 127 * 0x1p10);
  EXPECT_EQ(value(DataFormat::Bfp2a, -1e9), -0x1p16);
  EXPECT_EQ(value(DataFormat::Int8, -5), -5);
  EXPECT_EQ(value(DataFormat::Tf32, 1 + 0x1.8p-10), 1 + 0x1p-10);
}

TEST(SourceCells, ABlockIsARowOfAFace) {
  std::vector<double> rows(32, 0.5);
  rows[16] = 64; // the next block begins here
  const SourceTile two = cells_of(DataFormat::Bfp8, rows);
  EXPECT_EQ(source_value(DataFormat::Bfp8, two[15]), 0.5);
  EXPECT_EQ(source_value(DataFormat::Bfp8, two[17]), 0);
}

TEST(SourceCells, NumbersThatAFormatDoesNotHaveAreRefused) {
  for (const double number : {0.5, 300.0, -128.0, kInfinity}) {
    Tile values{};
    values[7] = fp32(number);
    EXPECT_FALSE(source_cells(DataFormat::Int8, formats::Format::FP32, values)) << number;
  }
  Tile values{};
  values[3] = fp32(kInfinity);
  EXPECT_FALSE(source_cells(DataFormat::Bfp8, formats::Format::FP32, values));
}

TEST(SourceCells, EveryBf16PatternArrivesAsItIs) { // NaNs and denormals too
  for (std::uint32_t first = 0; first < 0x10000; first += kTileElements) {
    Tile values{};
    for (unsigned i = 0; i < kTileElements; ++i) values[i] = first + i;
    const auto cells = source_cells(DataFormat::Bf16, formats::Format::BF16, values);
    ASSERT_TRUE(cells);
    for (unsigned i = 0; i < kTileElements; ++i) ASSERT_EQ((*cells)[i], (first + i) << 16);
  }
}

TEST(SourceFormats, NamesAreParsed) {
  for (const SourceFormatRow& row : kSourceFormats)
    EXPECT_EQ(parse_source_format(row.name).value(), row.format);
  EXPECT_FALSE(parse_source_format("fp32"));
}

TEST(LoadSourceTile, FacesFollowOneAnother) {
  SourceTile cells{};
  for (unsigned i = 0; i < kTileElements; ++i) cells[i] = i;
  SourceFile file{};
  load_source_tile(file, DataFormat::Fp16, cells);
  EXPECT_EQ(file.cell[0][0][15], 15U);
  EXPECT_EQ(file.cell[0][16][0], 16U) << "upper right";
  EXPECT_EQ(file.cell[0][32][1], 16U * 32 + 1) << "lower left";
  EXPECT_EQ(file.cell[0][63][15], 1023U);
  EXPECT_EQ(file.format[0], 1);
  EXPECT_TRUE(file.owned_by_matrix_unit[0]);
}

} // namespace
} // namespace lanewise::tensors
