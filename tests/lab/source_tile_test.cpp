// Numbers as they arrive in SrcA and SrcB (MU 1.2).
#include "lab/source_tile.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

namespace lanewise::lab {
namespace {

std::uint32_t fp32(double value) {
  return round_to_bits(Format::FP32, value);
}

/// Cells of the first elements of a tile that has these numbers, and zeros behind them.
SourceTile cells_of(DataFormat format, const std::vector<double>& numbers) {
  Tile values{};
  for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = fp32(numbers[i]);
  auto cells = source_cells(format, Format::FP32, values);
  EXPECT_TRUE(cells);
  return cells.value_or(SourceTile{});
}

std::uint32_t cell_of(DataFormat format, double number) {
  return cells_of(format, {number})[0];
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SourceCells, OneInEveryFormat) { // the tables of MU 1.2
  EXPECT_EQ(cell_of(DataFormat::Tf32, 1), 127U << 23);
  EXPECT_EQ(cell_of(DataFormat::Bf16, 1), 127U << 23);
  EXPECT_EQ(cell_of(DataFormat::Bfp8, 1), 127U << 23);
  EXPECT_EQ(cell_of(DataFormat::Fp16, 1), 15U << 23);
  EXPECT_EQ(cell_of(DataFormat::Fp8, 1), 15U << 23);
  EXPECT_EQ(cell_of(DataFormat::Bfp4a, 1), 15U << 23);
  EXPECT_EQ(cell_of(DataFormat::Int8, 1), 16U << 23 | 1U << 13);
  EXPECT_EQ(cell_of(DataFormat::Int8, -5), 1U << 31 | 16U << 23 | 5U << 13);
  EXPECT_EQ(cell_of(DataFormat::Int8, 0), 0U);
}

TEST(SourceCells, RoundToNearestEven) {
  EXPECT_EQ(cell_of(DataFormat::Tf32, 1 + 0x1p-11), fp32(1));
  EXPECT_EQ(cell_of(DataFormat::Tf32, 1 + 0x3p-11), fp32(1 + 0x2p-10));
  EXPECT_EQ(cell_of(DataFormat::Tf32, 1 + 0x1.01p-11), fp32(1 + 0x1p-10));
  EXPECT_EQ(cell_of(DataFormat::Bf16, 1 + 0x1p-8), fp32(1));
  EXPECT_EQ(cell_of(DataFormat::Bf16, 2 - 0x1p-8), fp32(2)) << "a carry into the exponent";
  EXPECT_EQ(cell_of(DataFormat::Fp16, 1 + 0x3p-11), 15U << 23 | 2U << 13);
  EXPECT_EQ(cell_of(DataFormat::Fp8, 1.125), 15U << 23);
  EXPECT_EQ(cell_of(DataFormat::Fp8, 1.375), 15U << 23 | 1U << 22);
}

TEST(SourceCells, BeyondTheRange) {
  EXPECT_EQ(cell_of(DataFormat::Bf16, 0x1.FFp127), fp32(kInfinity));
  EXPECT_EQ(cell_of(DataFormat::Tf32, -kInfinity), fp32(-kInfinity));
  EXPECT_EQ(source_value(DataFormat::Fp16, cell_of(DataFormat::Fp16, 1e6)), 131008);
  EXPECT_EQ(source_value(DataFormat::Fp8, cell_of(DataFormat::Fp8, -kInfinity)), -114688);
  EXPECT_EQ(cell_of(DataFormat::Fp16, 0x1p-15), 0U) << "would be denormal";
  EXPECT_EQ(cell_of(DataFormat::Bf16, -0x1p-127), 0x8000'0000U) << "a zero keeps its sign";
}

TEST(SourceCells, BlocksShareTheExponentOfTheLargest) {
  const auto value = [](DataFormat format, const SourceTile& cells, std::size_t i) {
    return source_value(format, cells[i]);
  };
  const DataFormat bfp8 = DataFormat::Bfp8;
  const SourceTile cells = cells_of(bfp8, {64, 1.5, 0.5, -0.51, 3.25});
  EXPECT_EQ(value(bfp8, cells, 0), 64);
  EXPECT_EQ(value(bfp8, cells, 1), 2) << "a tie to even";
  EXPECT_EQ(value(bfp8, cells, 2), 0);
  EXPECT_EQ(value(bfp8, cells, 3), -1);
  EXPECT_EQ(value(bfp8, cells, 4), 3);
  EXPECT_EQ(cells[2], 0U);

  std::vector<double> rows(32, 0.5);
  rows[16] = 64; // the next block begins here
  const SourceTile two = cells_of(bfp8, rows);
  EXPECT_EQ(value(bfp8, two, 15), 0.5);
  EXPECT_EQ(value(bfp8, two, 17), 0);
}

TEST(SourceCells, ACarryRaisesTheExponentOfTheBlock) {
  const SourceTile cells = cells_of(DataFormat::Bfp4, {7.75, 1});
  EXPECT_EQ(source_value(DataFormat::Bfp4, cells[0]), 8);
  EXPECT_EQ(source_value(DataFormat::Bfp4, cells[1]), 0) << "half of the new unit, to even";
}

TEST(SourceCells, BlocksWithFiveBitsOfExponentSaturate) {
  EXPECT_EQ(source_value(DataFormat::Bfp8a, cell_of(DataFormat::Bfp8a, 1e9)), 127 * 0x1p10);
  EXPECT_EQ(source_value(DataFormat::Bfp2a, cell_of(DataFormat::Bfp2a, -1e9)), -0x1p16);
}

TEST(SourceCells, NumbersThatAFormatDoesNotHaveAreRefused) {
  for (const double number : {0.5, 1024.0, kInfinity}) {
    Tile values{};
    values[7] = fp32(number);
    EXPECT_FALSE(source_cells(DataFormat::Int8, Format::FP32, values)) << number;
  }
  Tile values{};
  values[3] = fp32(kInfinity);
  EXPECT_FALSE(source_cells(DataFormat::Bfp8, Format::FP32, values));
}

TEST(SourceCells, EveryBf16PatternArrivesAsItIs) {
  for (std::uint32_t first = 0; first < 0x10000; first += kTileElements) {
    Tile values{};
    for (unsigned i = 0; i < kTileElements; ++i) values[i] = first + i;
    const auto cells = source_cells(DataFormat::Bf16, Format::BF16, values);
    ASSERT_TRUE(cells);
    for (unsigned i = 0; i < kTileElements; ++i) {
      const std::uint32_t pattern = (first + i) << 16;
      const std::uint32_t exponent = pattern >> 23 & 255;
      const bool is_nan = exponent == 255 && (pattern & 0x7FFFFF) != 0;
      const std::uint32_t expected = exponent == 0 ? pattern & 0x80000000
                                     : is_nan      ? pattern | 0x400000
                                                   : pattern;
      ASSERT_EQ((*cells)[i], expected) << first + i;
    }
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
} // namespace lanewise::lab
