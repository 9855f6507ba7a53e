// The examples of the Matrix Unit do what their comments say: on both chips, against double
// precision. Whole numbers that no rounding touches must come out exactly.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chip/timing/schedule.h"
#include "number/tensors/matmul_reference.h"
#include "project.h"
#include "run/execution/tile_runner.h"
#include "source/assembly/assembly.h"

namespace lanewise {
namespace {

using formats::Format;
using tensors::kTileEdge;
using tensors::kTileElements;
using tensors::SourceInput;

std::string source_of(std::string_view name) {
  std::ifstream file(in_project(fmt::format("examples/{}", name)), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The program, with `phases` instead of its own number of them if that is not 0.
Program program_of(Arch arch, std::string_view name, unsigned phases = 0) {
  std::string source = source_of(name);
  if (phases != 0) {
    const std::size_t constant = source.find(".equ PHASES");
    EXPECT_NE(constant, std::string::npos) << name;
    const std::size_t digit = source.find_first_of("0123456789", constant);
    source.replace(digit, 1, std::to_string(phases));
  }
  auto program = assembly::assemble(arch, source, name);
  if (!program) {
    ADD_FAILURE() << to_string(program.error());
    return {};
  }
  return std::move(*program);
}

SourceInput source_input(std::string_view specification, DataFormat format = DataFormat::Bf16) {
  auto input = tensors::make_source_input(specification, format);
  if (!input) {
    ADD_FAILURE() << to_string(input.error());
    return {};
  }
  return std::move(*input);
}

std::vector<double> numbers_of(const SourceInput& input) {
  const auto tiles = tensors::source_tiles(input);
  std::vector<double> numbers;
  for (const std::uint32_t cell : tiles.value().front())
    numbers.push_back(tensors::source_value(input.format, cell));
  return numbers;
}

struct Sources {
  SourceInput srca, srcb;
};

/// The numbers of a tile of the result; the run must raise no fault of any kind.
std::vector<double> run(Arch arch, const Program& program, const Sources& sources, Format format,
                        unsigned output_tile = 0) {
  execution::TileRunOptions options{.format = format, .output_tile = output_tile};
  options.srca = sources.srca;
  options.srcb = sources.srcb;
  const auto result = execution::run_on_tiles(arch, program, {}, options);
  if (!result) {
    ADD_FAILURE() << to_string(result.error());
    return std::vector<double>(kTileElements);
  }
  for (const Fault& fault : result->faults) ADD_FAILURE() << to_string(fault);
  std::vector<double> numbers;
  for (const std::uint32_t bits : result->output.bits)
    numbers.push_back(formats::value_of_bits(format, bits));
  return numbers;
}

std::vector<double> product(const Sources& sources) {
  const auto b = numbers_of(sources.srcb), a = numbers_of(sources.srca);
  std::vector<double> result(kTileElements);
  for (unsigned i = 0; i < kTileEdge; ++i) {
    for (unsigned j = 0; j < kTileEdge; ++j) {
      for (unsigned k = 0; k < kTileEdge; ++k)
        result[i * kTileEdge + j] += b[i * kTileEdge + k] * a[k * kTileEdge + j];
    }
  }
  return result;
}

double largest_difference(const std::vector<double>& found, const std::vector<double>& exact) {
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    largest = std::max(largest, std::abs(found[i] - exact[i]));
  return largest;
}

class MatrixExamples : public testing::TestWithParam<Arch> {
 protected:
  static std::string of_chip(std::string_view name) {
    return fmt::format("{}_{}.tt", name, arch_params(GetParam()).names.id);
  }
};

std::string chip_name(const testing::TestParamInfo<Arch>& chip) {
  return std::string(arch_params(chip.param).names.id);
}
INSTANTIATE_TEST_SUITE_P(Chips, MatrixExamples, testing::ValuesIn(kArchs), chip_name);

// INT8 takes magnitudes up to 255 in SrcA, and all four phases together give the full product
// (MU 6); sums stay far below 2^31.
TEST_P(MatrixExamples, MatmulOfIntegersIsExact) {
  const Sources sources{source_input("random:1:-127:127", DataFormat::Int8),
                        source_input("random:2:0:255", DataFormat::Int8)};
  EXPECT_EQ(run(GetParam(), program_of(GetParam(), of_chip("matmul"), 4), sources, Format::INT32),
            product(sources));
}

// Numbers up to 15 fit in the first phase's bits of SrcA (MU 5.3), products and sums in an FP32.
TEST_P(MatrixExamples, MatmulOfSmallWholeNumbersIsExactInEveryNumberOfPhases) {
  const Sources sources{source_input("random:3:-15:15", DataFormat::Bf16), source_input("ramp")};
  Sources whole = sources;
  for (std::uint32_t& bits : whole.srca.values.bits) {
    const double number = formats::value_of_bits(Format::BF16, bits);
    bits = formats::round_to_bits(Format::BF16, std::round(number));
  }
  for (std::uint32_t& bits : whole.srcb.values.bits) {
    const double number = formats::value_of_bits(Format::BF16, bits);
    bits = formats::round_to_bits(Format::BF16, std::round(number));
  }
  for (const unsigned phases : {1U, 2U, 4U}) {
    const Program program = program_of(GetParam(), of_chip("matmul"), phases);
    EXPECT_EQ(run(GetParam(), program, whole, Format::FP32), product(whole)) << phases;
  }
}

// What a phase leaves out: SrcA has 4 mantissa bits in phase 0 and all of a bf16 in phases 0 and 1;
// SrcB has 6 without phase 2 (MU 5.3). A product near 64 is then wrong by up to 2^-5 + 2^-7, 2^-7
// or nothing of it; and sums of eight are aligned to 10 fraction bits of the largest exponent
// (MU 5.4).
TEST_P(MatrixExamples, MatmulIsAsGoodAsItsPhases) {
  const Sources sources{source_input("random:1"), source_input("random:2")};
  const std::vector<double> exact = product(sources);
  // 32 products below 64; per phase four groups of eight, each product rounded to 64 * 2^-10.
  constexpr double kProducts = 32 * 64.0;
  constexpr double kAlignment = kProducts * 0x1p-10;
  const auto error = [&](unsigned phases) {
    const Program program = program_of(GetParam(), of_chip("matmul"), phases);
    return largest_difference(run(GetParam(), program, sources, Format::FP32), exact);
  };
  const double one = error(1), two = error(2), four = error(4);
  EXPECT_LE(one, kProducts * (0x1p-4 + 0x1p-6) + kAlignment);
  EXPECT_LE(two, kProducts * 0x1p-6 + 2 * kAlignment);
  EXPECT_LE(four, 4 * kAlignment);
  EXPECT_LT(two, one);
  EXPECT_LT(four, two);
}

TEST_P(MatrixExamples, MatmulTakesEveryFloatFormat) {
  for (const tensors::SourceFormatRow& row : tensors::kSourceFormats) {
    if (row.format == DataFormat::Int8) continue;
    const Sources sources{source_input("random:1:-1:1", row.format),
                          source_input("random:2:-1:1", row.format)};
    const Program program = program_of(GetParam(), of_chip("matmul"), 4);
    // 5-bit exponents with FP32 Dst keep Z = 97 - 12 as the exponent of zero products (MU 5.2).
    EXPECT_LE(largest_difference(run(GetParam(), program, sources, Format::FP32), product(sources)),
              4 * 32 * 0x1p-9)
        << row.name;
  }
}

TEST_P(MatrixExamples, ASingleTileServesEveryTileOfTheOther) {
  execution::TileRunOptions options{.format = Format::FP32};
  options.srca = source_input("every-bf16"); // 64 tiles
  options.srcb = source_input("value:1");
  const Program program = program_of(GetParam(), of_chip("matmul"));
  const auto many = execution::run_on_tiles(GetParam(), program, {}, options);
  ASSERT_TRUE(many);
  EXPECT_EQ(many->tiles, 64U);
  EXPECT_EQ(many->output.shape, options.srca->values.shape);

  const tensors::Tensor all = options.srca->values;
  const auto from = all.bits.begin() + 48 * kTileElements;
  options.srca->values = {{kTileEdge, kTileEdge}, {from, from + kTileElements}, all.format};
  const auto one = execution::run_on_tiles(GetParam(), program, {}, options);
  ASSERT_TRUE(one);
  EXPECT_TRUE(std::ranges::equal(
      one->output.bits, std::span(many->output.bits).subspan(48 * kTileElements, kTileElements)));

  options.srca->values = all;
  options.srcb->values = {
      {2, kTileEdge, kTileEdge}, std::vector<std::uint32_t>(2 * kTileElements), Format::BF16};
  EXPECT_FALSE(execution::run_on_tiles(GetParam(), program, {}, options)) << "2 tiles and 64";
}

TEST_P(MatrixExamples, ReferenceErrorIsThatOfTheResult) {
  const Sources sources{source_input("random:1"), source_input("random:2")};
  const std::vector<double> found =
      run(GetParam(), program_of(GetParam(), of_chip("matmul")), sources, Format::FP32);
  tensors::Tensor output{{kTileEdge, kTileEdge}, {}, Format::FP32};
  for (const double number : found)
    output.bits.push_back(formats::round_to_bits(Format::FP32, number));
  const auto error = tensors::matmul_error(sources.srcb, sources.srca, output);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->largest, largest_difference(found, product(sources)));
  EXPECT_LE(error->mean, error->largest);
}

// Seed 003: one instruction a cycle, sixteen for a phase. The front end adds the recording.
TEST_P(MatrixExamples, AMatmulHasSixteenMvmulsForAPhase) {
  for (const unsigned phases : {1U, 2U, 4U}) {
    const auto timed = execution::schedule_on_tile(
        GetParam(), program_of(GetParam(), of_chip("matmul"), phases), {});
    ASSERT_TRUE(timed);
    const auto is_mvmul = [](const MicroOp& op) { return op.op == isa::Op::MVMUL; };
    EXPECT_EQ(std::ranges::count_if(timed->program.ops, is_mvmul), 16 * phases);
  }
}

TEST_P(MatrixExamples, MatmulReluIsTheMatmulWithoutNegativeNumbers) {
  const Sources sources{source_input("random:1"), source_input("random:2")};
  for (const Format format : {Format::BF16, Format::FP32}) {
    std::vector<double> expected =
        run(GetParam(), program_of(GetParam(), of_chip("matmul"), 2), sources, format);
    for (double& number : expected) number = std::max(number, 0.0);
    EXPECT_EQ(run(GetParam(), program_of(GetParam(), of_chip("matmul_relu")), sources, format),
              expected);
  }
}

TEST_P(MatrixExamples, ElementwiseRowAddsABias) {
  const Sources sources{source_input("random:1"), source_input("random:2")};
  const auto a = numbers_of(sources.srca), b = numbers_of(sources.srcb);
  std::vector<double> exact;
  for (unsigned i = 0; i < kTileElements; ++i) exact.push_back(a[i] + b[i % kTileEdge]);
  // Below 16. The smaller number is aligned to 10 fraction bits of the larger (MU 5.7), then a
  // bf16 has 7.
  const Program program = program_of(GetParam(), "elementwise_row.tt");
  EXPECT_LE(largest_difference(run(GetParam(), program, sources, Format::FP32), exact), 0x1p-8);
  EXPECT_LE(largest_difference(run(GetParam(), program, sources, Format::BF16), exact),
            0x1p-5 + 0x1p-8);
}

TEST_P(MatrixExamples, ElementwiseColumnScales) {
  const Sources sources{source_input("random:1"), source_input("random:2")};
  const auto a = numbers_of(sources.srca), b = numbers_of(sources.srcb);
  std::vector<double> exact;
  for (unsigned i = 0; i < kTileElements; ++i) exact.push_back(a[i] * b[i / kTileEdge * kTileEdge]);
  const Program program = program_of(GetParam(), "elementwise_column.tt", 4);
  EXPECT_EQ(run(GetParam(), program, sources, Format::FP32), exact) << "16 bits of product";
  // Each of four phases rounds numbers below 64 to a bf16: 2^-3 is half a unit.
  EXPECT_LE(largest_difference(run(GetParam(), program, sources, Format::BF16), exact), 4 * 0x1p-3);
}

/// Whole numbers -8..8 in bf16, so that their sums are exact in FP32.
Sources whole_numbers_and_ones() {
  Sources sources{source_input("ramp"), source_input("value:1")};
  for (std::uint32_t& bits : sources.srca.values.bits) {
    const double number = std::round(formats::value_of_bits(Format::BF16, bits));
    bits = formats::round_to_bits(Format::BF16, number);
  }
  return sources;
}

TEST_P(MatrixExamples, ReduceColumnSumsAndFindsMaxima) {
  const Sources sources = whole_numbers_and_ones();
  const auto a = numbers_of(sources.srca);
  const Program program = program_of(GetParam(), "reduce_column.tt");
  const auto sums = run(GetParam(), program, sources, Format::FP32);
  for (const Format format : {Format::FP32, Format::BF16}) {
    const auto maxima = run(GetParam(), program, sources, format, 1);
    for (unsigned column = 0; column < kTileEdge; ++column) {
      double sum = 0, maximum = a[column];
      for (unsigned row = 0; row < kTileEdge; ++row) {
        sum += a[row * kTileEdge + column];
        maximum = std::max(maximum, a[row * kTileEdge + column]);
      }
      EXPECT_EQ(sums[column], sum) << column;
      EXPECT_EQ(maxima[column], maximum) << column;
    }
  }
}

TEST_P(MatrixExamples, ReduceRowSums) {
  const Sources sources = whole_numbers_and_ones();
  const auto a = numbers_of(sources.srca);
  const auto found =
      run(GetParam(), program_of(GetParam(), "reduce_row.tt"), sources, Format::BF16);
  for (unsigned row = 0; row < kTileEdge; ++row) {
    double sum = 0;
    for (unsigned column = 0; column < kTileEdge; ++column) sum += a[row * kTileEdge + column];
    // Sums are below 256, where a bf16 has all whole numbers.
    EXPECT_EQ(found[row * kTileEdge], sum) << row;
  }
}

TEST_P(MatrixExamples, ReduceScalarSums) {
  Sources sources{source_input("value:3"), source_input("value:1")};
  const Program program = program_of(GetParam(), "reduce_scalar.tt");
  for (const Format format : {Format::FP32, Format::BF16})
    EXPECT_EQ(run(GetParam(), program, sources, format)[0], 3072) << "and 192 on the way";
  sources.srca = source_input("random:1:1:2");
  double exact = 0;
  for (const double number : numbers_of(sources.srca)) exact += number;
  // Sums of columns are rounded to bf16, below 2^-8 of them; in SrcA they lose nothing more.
  EXPECT_NEAR(run(GetParam(), program, sources, Format::FP32)[0], exact, exact * 0x1p-7);
}

} // namespace
} // namespace lanewise
