// The C++ examples do what their comments say: on both chips, for every bf16 input, as words and
// interpreted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "number/tensors/pattern.h"
#include "project.h"
#include "run/execution/tile_runner.h"
#include "source/compiler/compiler.h"
#include "source/sfpi/kernel.h"

namespace lanewise {
namespace {

using formats::Format;
using tensors::Tensor;

struct ExampleRun {
  Tensor input, output;
};

/// Runs the example's words, and checks that the interpreter gives the same bits.
ExampleRun run_example(Arch arch, const std::string& name, std::string_view specification,
                       Format format) {
  ExampleRun run;
  sfpi::KernelSource source;
  source.file = in_project(fmt::format("examples/{}.cpp", name));
  const auto recording = sfpi::record_kernel(arch, source);
  if (!recording) {
    ADD_FAILURE() << to_string(recording.error());
    return run;
  }
  const auto compiled = compiler::compile(*recording, {});
  for (const Fault& fault : compiled.diagnostics) ADD_FAILURE() << to_string(fault);
  run.input = tensors::make_input(specification, format).value();
  const Tensor inputs[] = {run.input};
  execution::TileRunOptions options;
  options.format = format;
  options.as_kernel = true;
  auto words = execution::run_on_tiles(arch, compiled.program, inputs, options);
  auto values = execution::interpret_on_tiles(compiler::combined(*recording, {}), inputs, options);
  if (!words || !values) {
    ADD_FAILURE() << to_string(words ? values.error() : words.error());
    return run;
  }
  for (const Fault& fault : words->faults) ADD_FAILURE() << to_string(fault);
  for (const Fault& fault : values->faults) ADD_FAILURE() << to_string(fault);
  EXPECT_EQ(words->output.bits, values->output.bits) << name;
  run.output = std::move(words->output);
  return run;
}

/// Distance in units of the last place of bf16 at the true value.
double bf16_ulps(double found, double expected) {
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::abs(found - expected) / std::ldexp(1.0, exponent - 8);
}

class KernelExamples : public testing::TestWithParam<Arch> {
 protected:
  /// Checks every finite, normal bf16 for which the true value is a normal number in bf16's range,
  /// a factor of 2 away from its small end.
  void expect_ulps(const std::string& name, double most,
                   const std::function<double(double)>& function) {
    const ExampleRun run = run_example(GetParam(), name, "every-bf16", Format::BF16);
    ASSERT_EQ(run.output.bits.size(), 65536U);
    double worst = 0, where = 0;
    for (std::size_t i = 0; i < run.output.bits.size(); ++i) {
      const double x = formats::value_of_bits(Format::BF16, run.input.bits[i]);
      if (!std::isnormal(static_cast<float>(x)) && x != 0) continue;
      const double expected = function(x);
      if (!(std::abs(expected) >= 0x1p-125) || std::abs(expected) > 0x1.FEp127) continue;
      const double error =
          bf16_ulps(formats::value_of_bits(Format::BF16, run.output.bits[i]), expected);
      if (!(error <= worst)) worst = error, where = x;
    }
    EXPECT_LE(worst, most) << name << " at " << where;
    EXPECT_GT(worst, 0) << "nothing was checked";
  }
};

std::string chip_name(const testing::TestParamInfo<Arch>& chip) {
  return std::string(arch_params(chip.param).names.id);
}
INSTANTIATE_TEST_SUITE_P(Chips, KernelExamples, testing::ValuesIn(kArchs), chip_name);

// Rounding to nearest alone costs 0.5; what lies above is the error of the method.
TEST_P(KernelExamples, Gelu) {
  expect_ulps("gelu", 0.515, [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); });
}

TEST_P(KernelExamples, Softplus) {
  expect_ulps("softplus", 0.515,
              [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); });
}

TEST_P(KernelExamples, Exp) {
  expect_ulps("exp", 0.501, [](double x) { return std::exp(x); });
}

// 3 percent of a number just above a power of two are 0.03 * 2^8 units.
TEST_P(KernelExamples, ApproximateExp) {
  expect_ulps("exp_approximate", 0.03 * 256, [](double x) { return std::exp(x); });
}

TEST_P(KernelExamples, Reciprocal) {
  expect_ulps("reciprocal", 0.5, [](double x) { return 1 / x; });
}

TEST_P(KernelExamples, Tanh) {
  expect_ulps("tanh", 0.5, [](double x) { return std::tanh(x); });
}

TEST_P(KernelExamples, ReciprocalOfZeroAndInfinity) {
  const ExampleRun run = run_example(GetParam(), "reciprocal", "every-bf16", Format::BF16);
  ASSERT_EQ(run.output.bits.size(), 65536U);
  for (const auto& [in, out] : std::map<std::uint32_t, std::uint32_t>{
           {0x0000, 0x7F80}, {0x8000, 0xFF80}, {0x7F80, 0x0000}, {0xFF80, 0x8000}}) {
    EXPECT_EQ(run.output.bits[in], out) << fmt::format("{:04X}", in);
  }
}

/// Every number of the input but NaN; denormals are the zero that a store makes of them.
void expect_exact(Arch arch, const std::string& name,
                  const std::function<double(double)>& function) {
  const ExampleRun run = run_example(arch, name, "every-bf16", Format::BF16);
  ASSERT_EQ(run.output.bits.size(), 65536U);
  for (std::size_t i = 0; i < run.output.bits.size(); ++i) {
    const double x = formats::value_of_bits(Format::BF16, run.input.bits[i]);
    if (std::isnan(x) || (x != 0 && std::abs(x) < 0x1p-126)) continue;
    ASSERT_EQ(formats::value_of_bits(Format::BF16, run.output.bits[i]), function(x))
        << name << " of " << x;
  }
}

TEST_P(KernelExamples, ClampIsExact) {
  expect_exact(GetParam(), "clamp", [](double x) { return std::clamp(x, -1.0, 1.0); });
}

TEST_P(KernelExamples, PiecesAreExact) {
  expect_exact(GetParam(), "pieces", [](double x) {
    if (x < 0) return x > -4 && x < -2 ? -1.0 : x;
    if (x == 0 || x > 6) return 0.0;
    for (int i = 0; i < 3 && x >= 1; ++i) x /= 2;
    return x;
  });
}

TEST_P(KernelExamples, PopcountIsExact) {
  const ExampleRun run = run_example(GetParam(), "popcount", "bits:3", Format::UINT32);
  ASSERT_EQ(run.output.bits.size(), 1024U);
  for (std::size_t i = 0; i < run.output.bits.size(); ++i) {
    ASSERT_EQ(run.output.bits[i], static_cast<unsigned>(std::popcount(run.input.bits[i])));
  }
}

TEST_P(KernelExamples, RawWordsAreARoughSigmoid) {
  const ExampleRun run = run_example(GetParam(), "raw_words", "ramp", Format::FP32);
  ASSERT_EQ(run.output.bits.size(), 1024U);
  for (std::size_t i = 0; i < run.output.bits.size(); ++i) {
    const double x = formats::value_of_bits(Format::FP32, run.input.bits[i]);
    ASSERT_NEAR(formats::value_of_bits(Format::FP32, run.output.bits[i]), 1 / (1 + std::exp(-x)),
                0.05)
        << x;
  }
}

} // namespace
} // namespace lanewise
