// The examples do what their comments say: on both chips, against the mathematical function.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "chip/isa/def_use.h"
#include "chip/isa/encoding.h"
#include "number/tensors/pattern.h"
#include "project.h"
#include "run/execution/tile_runner.h"
#include "source/assembly/assembly.h"

namespace lanewise {
namespace {

using formats::Format;
using tensors::Tensor;

std::string source_of(std::string_view name) {
  std::ifstream file(in_project(fmt::format("examples/{}", name)), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Program program_of(Arch arch, std::string_view name) {
  const std::string source = source_of(name);
  const Expected<Program> program = name.ends_with(".hex") ? assembly::parse_hex_words(source, name)
                                                           : assembly::assemble(arch, source, name);
  if (!program) {
    ADD_FAILURE() << to_string(program.error());
    return {};
  }
  EXPECT_FALSE(program->words.empty()) << name << " is missing or empty";
  return *program;
}

Tensor input_of(std::string_view specification, Format format) {
  auto input = tensors::make_input(specification, format);
  if (!input) {
    ADD_FAILURE() << to_string(input.error());
    return {};
  }
  return std::move(*input);
}

/// Value bits of the result; the run must raise no fault of any kind.
std::vector<std::uint32_t> run_example(Arch arch, std::string_view name,
                                       const std::vector<Tensor>& inputs, Format format) {
  const auto run =
      execution::run_on_tiles(arch, program_of(arch, name), inputs, {.format = format});
  if (!run) {
    ADD_FAILURE() << to_string(run.error());
    return {};
  }
  for (const Fault& fault : run->faults) ADD_FAILURE() << to_string(fault);
  return run->output.bits;
}

class Examples : public testing::TestWithParam<Arch> {};

std::string chip_name(const testing::TestParamInfo<Arch>& chip) {
  return std::string(arch_params(chip.param).names.id);
}
INSTANTIATE_TEST_SUITE_P(Chips, Examples, testing::ValuesIn(kArchs), chip_name);

// ---------------------------------------------------------------- Exact examples

using Function = std::function<double(double)>;

/// Every number of an input but NaN, with denormals as the zero that a store makes of them.
void expect_exact(Arch arch, std::string_view name, std::string_view specification, Format format,
                  const Function& function) {
  const double smallest_normal = format == Format::FP16 ? 0x1p-14 : 0x1p-126;
  const Tensor input = input_of(specification, format);
  const std::vector<std::uint32_t> output = run_example(arch, name, {input}, format);
  ASSERT_EQ(output.size(), input.bits.size());
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double x = formats::value_of_bits(format, input.bits[i]);
    if (std::isnan(x)) continue;
    const double expected = std::abs(x) < smallest_normal ? 0.0 : function(x);
    ASSERT_EQ(formats::value_of_bits(format, output[i]), expected) << name << " of " << x;
  }
}

void expect_exact_in_float_formats(Arch arch, std::string_view name, const Function& function) {
  expect_exact(arch, name, "every-bf16", Format::BF16, function);
  expect_exact(arch, name, "ramp", Format::FP16, function);
  expect_exact(arch, name, "bits:7", Format::FP32, function);
  expect_exact(arch, name, "random:1:-2:2", Format::FP32, function);
}

TEST_P(Examples, AbsIsExact) {
  expect_exact_in_float_formats(GetParam(), "abs.tt", [](double x) { return std::abs(x); });
}

TEST_P(Examples, WordsAreMinusTheMagnitude) {
  expect_exact_in_float_formats(GetParam(), "words.hex", [](double x) { return -std::abs(x); });
}

TEST_P(Examples, ClampIsExact) {
  expect_exact_in_float_formats(GetParam(), "clamp.tt",
                                [](double x) { return std::clamp(x, -1.0, 1.0); });
}

// x^2 + x of a whole x up to 8 needs 7 bits, so nothing is rounded.
TEST_P(Examples, ReplayIsASquarePlusX) {
  for (int x = -8; x <= 8; ++x) {
    expect_exact(GetParam(), "replay.tt", fmt::format("value:{}", x), Format::BF16,
                 [](double value) { return value * value + value; });
  }
}

/// To bf16, ties away from zero, as SFPSTOCHRND rounds to nearest (VU 3.5). Exact in fp32 before.
double nearest_bf16_ties_away(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<float>((bits + 0x8000U) & 0xFFFF0000U);
}

// 1 - |x| of these bf16 numbers is exact in fp32: the smallest but 0 is 2^-9.
TEST_P(Examples, MacrosAreOneMinusTheMagnitude) {
  expect_exact(GetParam(), "macros.tt", "ramp:-2:2", Format::BF16,
               [](double x) { return nearest_bf16_ties_away(1 - std::abs(x)); });
}

TEST_P(Examples, IntegerSaturates) {
  constexpr double kLargest = 2147483647.0;
  const std::vector<std::string> inputs{"ramp",
                                        "bits:1",
                                        "bits:2",
                                        "special",
                                        "zero",
                                        "value:2147483647",
                                        "value:-2147483647",
                                        "value:-1",
                                        "random:3:-2147483647:2147483647"};
  for (const std::string& left : inputs) {
    for (const std::string& right : inputs) {
      if ((left == "special") != (right == "special")) continue; // its shape is its own
      const Tensor a = input_of(left, Format::INT32);
      const Tensor b = input_of(right, Format::INT32);
      const auto output = run_example(GetParam(), "integer.tt", {a, b}, Format::INT32);
      ASSERT_EQ(output.size(), a.bits.size());
      for (std::size_t i = 0; i < output.size(); ++i) {
        const double sum = formats::value_of_bits(Format::INT32, a.bits[i]) +
                           formats::value_of_bits(Format::INT32, b.bits[i]);
        const double expected = std::clamp(sum, -kLargest, kLargest);
        const double found = formats::value_of_bits(Format::INT32, output[i]);
        ASSERT_EQ(found, expected) << left << " + " << right << " at " << i;
        ASSERT_FALSE(found == 0 && std::signbit(found)) << "-0 at " << i;
      }
    }
  }
}

TEST_P(Examples, TransposeMovesRowsOfFaces) {
  for (const Format format : {Format::UINT16, Format::BF16, Format::FP16}) {
    const Tensor input = input_of("bits:5", format);
    const auto output = run_example(GetParam(), "transpose.tt", {input}, format);
    ASSERT_EQ(output.size(), tensors::kTileElements);
    for (unsigned row = 0; row < tensors::kTileEdge; ++row) {
      const unsigned in_face = row % tensors::kFaceEdge;
      const unsigned old_row = row - in_face + 4 * (in_face % 4) + in_face / 4;
      for (unsigned column = 0; column < tensors::kTileEdge; ++column) {
        ASSERT_EQ(output[row * tensors::kTileEdge + column],
                  input.bits[old_row * tensors::kTileEdge + column])
            << formats::format_name(format) << " " << row << "," << column;
      }
    }
  }
}

// ---------------------------------------------------------------- Approximations

constexpr double kSmallestNormal = 0x1p-126;
/// From here on the nearest BF16 is infinity: half a unit above the largest finite one.
constexpr double kOverflow = 0x1.FFp127;

/// Distance in units in the last place of a BF16 of the size of the exact result.
double bf16_ulps(double found, double exact) {
  const double unit = std::ldexp(1.0, std::ilogb(exact) - 7);
  return std::abs(found - exact) / unit;
}

/// The largest error over all finite inputs, with what the comment of the example says about the
/// ends of the range.
double largest_error(Arch arch, std::string_view name, const Function& function) {
  const Tensor input = input_of("every-bf16", Format::BF16);
  const auto output = run_example(arch, name, {input}, Format::BF16);
  double largest = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double x = formats::value_of_bits(Format::BF16, input.bits[i]);
    const double found = formats::value_of_bits(Format::BF16, output[i]);
    if (std::isnan(x)) continue;
    const double exact = function(x);
    if (exact < kSmallestNormal) {
      EXPECT_EQ(found, 0.0) << name << " of " << x;
    } else if (exact >= kOverflow) {
      EXPECT_EQ(found, std::numeric_limits<double>::infinity()) << name << " of " << x;
    } else {
      largest = std::max(largest, bf16_ulps(found, exact));
    }
  }
  return largest;
}

TEST_P(Examples, ExpIsGoodToHalfAUnit) {
  EXPECT_LE(largest_error(GetParam(), "exp.tt", [](double x) { return std::exp(x); }), 0.50002);
}

TEST_P(Examples, SoftplusIsGoodToAboutHalfAUnit) {
  const Function softplus = [](double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
  };
  EXPECT_LE(largest_error(GetParam(), "softplus.tt", softplus), 0.514);
}

// ---------------------------------------------------------------- Random numbers

TEST_P(Examples, StochasticTakesEitherNeighbourAndKeepsTheAverage) {
  const Tensor input = input_of("random:1:1:2", Format::FP32);
  const auto output = run_example(GetParam(), "stochastic.tt", {input}, Format::FP32);
  ASSERT_EQ(output.size(), input.bits.size());
  constexpr std::uint32_t kUnit = 0x10000; // of a BF16 in the bits of an FP32
  double sum = 0;
  std::size_t up = 0;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const std::uint32_t below = input.bits[i] & ~(kUnit - 1);
    ASSERT_TRUE(output[i] == below || output[i] == below + kUnit) << i;
    up += output[i] != below;
    sum += (static_cast<double>(output[i]) - input.bits[i]) / kUnit;
  }
  const auto count = static_cast<double>(output.size());
  // Errors are uniform in (-1, 1) at most, with variance 1/6; six standard deviations of their
  // mean.
  EXPECT_LT(std::abs(sum / count), 6 * std::sqrt(1.0 / 6 / count));
  EXPECT_GT(up, output.size() / 4);
  EXPECT_LT(up, output.size() / 4 * 3);
}

TEST(ExamplesOnBothChips, StochasticGivesTheSameBits) {
  const Tensor input = input_of("random:2:1:2", Format::FP32);
  EXPECT_EQ(run_example(Arch::Blackhole, "stochastic.tt", {input}, Format::FP32),
            run_example(Arch::Wormhole, "stochastic.tt", {input}, Format::FP32));
}

// ---------------------------------------------------------------- Silicon

/// Those for the chip: some are written for one of them, and their names say for which.
std::vector<std::string> example_names(Arch arch) {
  const Arch other = arch == Arch::Blackhole ? Arch::Wormhole : Arch::Blackhole;
  const std::string others = fmt::format("_{}.tt", arch_params(other).names.id);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(in_project("examples"))) {
    const auto extension = entry.path().extension();
    const std::string name = entry.path().filename().string();
    if ((extension == ".tt" || extension == ".hex") && !name.ends_with(others))
      names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

// Values alone do not show it: nothing here waits, but on Wormhole nothing waits either (VU 5.4),
// and Blackhole overlooks some readers (VU 5.3).
TEST_P(Examples, LeaveACycleAfterResultsThatTakeTwo) {
  const Arch arch = GetParam();
  for (const std::string& name : example_names(arch)) {
    const std::vector<ProgramWord> words = program_of(arch, name).words;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const isa::Decoded writer = isa::decode(arch, words[i].word);
      if (writer.row->unit != isa::Unit::Vector || isa::latency(arch, words[i].word) != 2) continue;
      const std::uint32_t next = words[i + 1].word;
      EXPECT_EQ(isa::lregs_written(arch, words[i].word) & isa::lregs_read(arch, next), 0U)
          << name << ":" << words[i + 1].line;
      if (writer.row->op != isa::Op::SFPSWAP) continue;
      EXPECT_EQ(isa::decode(arch, next).row->op, isa::Op::SFPNOP)
          << name << ":" << words[i + 1].line;
    }
  }
}

} // namespace
} // namespace lanewise
