// The Matrix Unit on arrays of tiles: facts of its arithmetic, and orders that LLK's loops have.
#include "run/goldens/matrix_unit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>

namespace lanewise::goldens {
namespace {

constexpr std::size_t kTile = 1024;

std::uint32_t cell(float number) {
  return std::bit_cast<std::uint32_t>(number);
}

GoldenFormat called(std::string_view name) {
  return parse_golden_format(name).value();
}

class GoldenMatrix : public ::testing::TestWithParam<Arch> {
 protected:
  MatrixUnit unit(bool wide, unsigned phases = 4, std::string_view name = "Float16_b") const {
    return MatrixUnit::make({.arch = GetParam(),
                             .srca = called(name),
                             .srcb = called(name),
                             .is_wide = wide,
                             .phases = phases})
        .value();
  }
  static float value(bool wide, std::uint32_t stored) {
    return static_cast<float>(
        formats::decode(wide ? formats::Format::FP32 : formats::Format::BF16, stored));
  }
};

TEST_P(GoldenMatrix, ElementByElement) {
  for (const bool wide : {false, true}) {
    Data a(kTile), b(kTile);
    for (std::size_t i = 0; i < kTile; ++i) {
      a[i] = cell(static_cast<float>(i % 16));
      b[i] = cell(static_cast<float>(i / 64));
    }
    auto matrix = unit(wide);
    const auto sum = matrix.elementwise(Elementwise::Add, a, b, {});
    const auto difference = matrix.elementwise(Elementwise::Sub, a, b, {});
    const auto product = matrix.elementwise(Elementwise::Mul, a, b, {});
    for (std::size_t i = 0; i < kTile; ++i) {
      const auto x = static_cast<float>(i % 16), y = static_cast<float>(i / 64);
      ASSERT_EQ(value(wide, (*sum)[i]), x + y) << i;
      ASSERT_EQ(value(wide, (*difference)[i]), x - y) << i;
      ASSERT_EQ(value(wide, (*product)[i]), x * y) << i;
    }
    EXPECT_TRUE(matrix.faults().empty());
  }
}

TEST_P(GoldenMatrix, PhasesHaveTheirBits) {     // MU 4: 5 bits of SrcA and 7 of SrcB in phase 0
  const Data a(kTile, cell(1.0F + 1.0F / 128)); // the last bit of a BF16
  const Data b(kTile, cell(1.0F));
  EXPECT_EQ(value(true, unit(true, 1).elementwise(Elementwise::Mul, a, b, {})->front()), 1.0F);
  EXPECT_EQ(value(true, unit(true, 2).elementwise(Elementwise::Mul, a, b, {})->front()),
            1.0F + 1.0F / 128);
  // Of SrcB, phases 2 and 3 have the lower bits.
  EXPECT_EQ(value(true, unit(true, 2).elementwise(Elementwise::Mul, b, a, {})->front()), 1.0F);
  EXPECT_EQ(value(true, unit(true, 3).elementwise(Elementwise::Mul, b, a, {})->front()),
            1.0F + 1.0F / 128);
}

TEST_P(GoldenMatrix, AddsToDst) {
  const Data a(kTile, cell(2.0F)), b(kTile, cell(3.0F));
  auto matrix = unit(true);
  const auto sum = matrix.elementwise(Elementwise::Add, a, b, {});
  EXPECT_EQ(value(true, matrix.elementwise(Elementwise::Add, a, b, *sum)->front()), 10.0F);
  EXPECT_EQ(value(true, matrix.elementwise(Elementwise::Mul, a, b, *sum)->front()), 11.0F);
  EXPECT_EQ(value(true, matrix.elementwise(Elementwise::Sub, a, b, *sum)->back()), 4.0F);
}

/// Datum (row, column) of a tile by its faces.
std::size_t at(unsigned row, unsigned column) {
  return std::size_t{row / 16 * 2 + column / 16} * 256 + std::size_t{row % 16} * 16 + column % 16;
}

TEST_P(GoldenMatrix, MatricesOfTiles) {
  // left: 1 x 2 tiles, right: 2 x 1. left[i][k] = i + 1 where k = i; right[k][j] = j for k < 32, 1
  // for the others.
  Data left(2 * kTile), right(2 * kTile);
  for (unsigned i = 0; i < 32; ++i) {
    left[at(i, i)] = cell(static_cast<float>(i + 1));
    left[kTile + at(i, 0)] = cell(64.0F);
    for (unsigned j = 0; j < 32; ++j) {
      right[at(i, j)] = cell(static_cast<float>(j));
      right[kTile + at(i, j)] = cell(1.0F);
    }
  }
  auto matrix = unit(true);
  const auto product = matrix.matmul(left, {1, 2}, right, {2, 1}, {});
  ASSERT_TRUE(product.has_value());
  ASSERT_EQ(product->size(), kTile);
  for (unsigned i = 0; i < 32; ++i) {
    for (unsigned j = 0; j < 32; ++j)
      ASSERT_EQ(value(true, (*product)[at(i, j)]), static_cast<float>((i + 1) * j + 64)) << i << j;
  }
  EXPECT_FALSE(matrix.matmul(left, {2, 1}, right, {2, 1}, {}).has_value());
  EXPECT_FALSE(matrix.matmul(left, {1, 1}, right, {1, 1}, {}).has_value());
}

TEST_P(GoldenMatrix, TilesOfAProductGoOneAfterTheOther) {
  // In 16 bits each tile on the way rounds, to steps of 2 from 256 on: 256 + 0.5 is 256, twice. The
  // other way round, 0.5 + 0.5 + 256 is a tie, which goes away from 0 (MU 5.3).
  Data left(3 * kTile), right(3 * kTile);
  const std::array<float, 3> summands{256.0F, 0.5F, 0.5F};
  for (unsigned k = 0; k < 3; ++k) {
    left[k * kTile] = cell(summands[k]);
    right[k * kTile] = cell(1.0F);
  }
  EXPECT_EQ(value(false, unit(false, 1).matmul(left, {1, 3}, right, {3, 1}, {})->front()), 256.0F);
  std::swap(left[0], left[2 * kTile]);
  EXPECT_EQ(value(false, unit(false, 1).matmul(left, {1, 3}, right, {3, 1}, {})->front()), 258.0F);
}

TEST_P(GoldenMatrix, ReducesAlongEachAxis) {
  for (const bool wide : {false, true}) {
    Data a(kTile);
    for (unsigned i = 0; i < 32; ++i)
      for (unsigned j = 0; j < 32; ++j) a[at(i, j)] = cell(static_cast<float>(i == j ? i : 0));
    auto matrix = unit(wide);
    const auto rows = matrix.reduce(Pool::Sum, ReducedAxis::Rows, a, cell(1.0F), false, false);
    const auto columns =
        matrix.reduce(Pool::Max, ReducedAxis::Columns, a, cell(1.0F), false, false);
    const auto both = matrix.reduce(Pool::Sum, ReducedAxis::Both, a, cell(1.0F), false, false);
    for (unsigned i = 0; i < 32; ++i) {
      ASSERT_EQ(value(wide, (*rows)[at(i, 0)]), static_cast<float>(i)) << i;
      ASSERT_EQ(value(wide, (*columns)[at(0, i)]), static_cast<float>(i)) << i;
    }
    EXPECT_EQ(value(wide, both->front()), 496.0F);
    const Data twice = [&] {
      Data tiles(a);
      tiles.insert(tiles.end(), a.begin(), a.end());
      return tiles;
    }();
    EXPECT_EQ(
        matrix.reduce(Pool::Sum, ReducedAxis::Columns, twice, cell(1.0F), false, false)->size(),
        2 * kTile);
    const auto one = matrix.reduce(Pool::Sum, ReducedAxis::Columns, twice, cell(1.0F), true, false);
    ASSERT_EQ(one->size(), kTile);
    EXPECT_EQ(value(wide, (*one)[at(0, 5)]), 10.0F);
    const auto rows_of_two =
        matrix.reduce(Pool::Sum, ReducedAxis::Rows, twice, cell(1.0F), true, false);
    EXPECT_EQ(value(wide, (*rows_of_two)[at(21, 0)]), 42.0F);
  }
}

TEST_P(GoldenMatrix, RowsKeepFp32WhereLlkSaysSo) {
  // 1 + 2^-14, a summand of each face, has more bits than SrcB, through which the sum goes to
  // become a column.
  Data a(kTile);
  a[at(3, 0)] = cell(1.0F);
  a[at(3, 16)] = cell(1.0F / 16384);
  auto matrix = unit(true);
  const auto sum = [&](bool keeps) {
    return value(true, (*matrix.reduce(Pool::Sum, ReducedAxis::Rows, a, cell(1.0F), false,
                                       keeps))[at(3, 0)]);
  };
  EXPECT_EQ(sum(false), 1.0F);
  EXPECT_EQ(sum(true), 1.0F + 1.0F / 16384);
  EXPECT_FALSE(
      unit(false).reduce(Pool::Sum, ReducedAxis::Rows, a, cell(1.0F), false, true).has_value());
}

/// The cell of an INT8: sign, magnitude in the 10 upper bits of the mantissa, exponent 16 (MU 2.1).
std::uint32_t integer_cell(int number) {
  if (number == 0) return 0;
  return (number < 0 ? 1U << 31 : 0) | std::uint32_t{16} << 23 |
         static_cast<std::uint32_t>(std::abs(number)) << 13;
}

/// INT32 in Dst: sign and magnitude (MU 2.2).
int integer_of(std::uint32_t stored) {
  const auto magnitude = static_cast<int>(stored & 0x7FFFFFFF);
  return stored >> 31 != 0 ? -magnitude : magnitude;
}

TEST_P(GoldenMatrix, ReducesColumnsOfIntegers) {
  // Column j has i - 2j in row i: sums from 496 to -1488, which do not fit into 8 bits.
  Data a(kTile);
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned j = 0; j < 32; ++j)
      a[at(i, j)] = integer_cell(static_cast<int>(i) - 2 * static_cast<int>(j));
  auto matrix = unit(true, 4, "Int8");
  const auto sum = matrix.reduce(Pool::Sum, ReducedAxis::Columns, a, integer_cell(1), false, false);
  const auto three =
      matrix.reduce(Pool::Sum, ReducedAxis::Columns, a, integer_cell(3), false, false);
  ASSERT_TRUE(sum && three);
  for (unsigned j = 0; j < 32; ++j) {
    const int expected = 496 - 64 * static_cast<int>(j);
    EXPECT_EQ(integer_of((*sum)[at(0, j)]), expected) << j;
    EXPECT_EQ(integer_of((*three)[at(0, j)]), 3 * expected) << j;
  }
  EXPECT_FALSE(
      matrix.reduce(Pool::Sum, ReducedAxis::Rows, a, integer_cell(1), false, true).has_value());
}

TEST_P(GoldenMatrix, RowsOfIntegersComeBackWithTheBitsOfInt8) {
  // On the way to a column a sum goes through SrcB, as sign and a magnitude of 10 bits (VU 6, MU
  // 2): of 1000 all bits, of 1024 + 5 the lower ones.
  Data a(kTile);
  const auto fill = [&](unsigned row, int left, int right) {
    for (unsigned j = 0; j < 4; ++j) {
      a[at(row, j)] = integer_cell(left);
      a[at(row, 16 + j)] = integer_cell(right);
    }
  };
  fill(0, 3, 4);
  fill(1, -100, -25);
  fill(7, 120, 130);
  fill(20, 1, -1);
  fill(31, 127, -2);
  a[at(15, 0)] = integer_cell(5);
  for (unsigned j = 1; j < 17; ++j) a[at(15, j)] = integer_cell(64);
  auto matrix = unit(true, 4, "Int8");
  const auto rows = matrix.reduce(Pool::Sum, ReducedAxis::Rows, a, integer_cell(1), false, false);
  ASSERT_TRUE(rows.has_value());
  for (const auto& [row, expected] :
       {std::pair{0U, 28}, {1U, -500}, {2U, 0}, {7U, 1000}, {15U, 5}, {20U, 0}, {31U, 500}})
    EXPECT_EQ(integer_of((*rows)[at(row, 0)]), expected) << row;
  // What no source vouches for is told (FP16A_FORCE_Enable).
  EXPECT_FALSE(matrix.faults().empty());
}

TEST_P(GoldenMatrix, Copies) {
  Data a(kTile, cell(-3.5F));
  EXPECT_EQ(value(false, unit(false).copy(a)->back()), -3.5F);
  EXPECT_EQ(value(true, unit(true).copy(a)->back()), -3.5F);
}

TEST_P(GoldenMatrix, RefusalsNameWhatIsNotThere) {
  const auto text = [&](std::string_view a, std::string_view b, bool wide) {
    const auto made = MatrixUnit::make(
        {.arch = GetParam(), .srca = called(a), .srcb = called(b), .is_wide = wide});
    return made ? std::string() : to_string(made.error());
  };
  EXPECT_NE(text("Int32", "Int32", true).find("Int32"), std::string::npos);
  EXPECT_NE(text("Float16", "Float16_b", true).find("do not go together"), std::string::npos);
  EXPECT_NE(text("Int8", "Int8", false).find("dest_acc=True"), std::string::npos);
  EXPECT_EQ(text("Bfp8_b", "Float16_b", false), "");
  EXPECT_FALSE(
      unit(true).elementwise(Elementwise::Add, Data(kTile), Data(2 * kTile), {}).has_value());
  EXPECT_FALSE(unit(true).copy(Data(100)).has_value());
}

INSTANTIATE_TEST_SUITE_P(Chips, GoldenMatrix, ::testing::ValuesIn(kArchs));

} // namespace
} // namespace lanewise::goldens
