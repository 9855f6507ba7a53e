// Random kernels, compiled and run, against their interpretation: bit for bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "chip/isa/disassembler.h"
#include "machine/machine_fixture.h"
#include "run/oracle/kernel_check.h"
#include "run/oracle/random_kernel.h"
#include "source/compiler/compiler.h"

namespace lanewise::oracle {
namespace {

using compiler::Compiled;
using compiler::Options;
using compiler::Recording;

/// How many kernels a test compiles: LANEWISE_RANDOM_KERNELS, or this.
std::uint64_t kernels(std::uint64_t otherwise) {
  const char* wanted = std::getenv("LANEWISE_RANDOM_KERNELS");
  return wanted == nullptr ? otherwise : std::strtoull(wanted, nullptr, 10);
}

/// The first seed: LANEWISE_RANDOM_SEED, or 0.
std::uint64_t first_seed() {
  const char* wanted = std::getenv("LANEWISE_RANDOM_SEED");
  return wanted == nullptr ? 0 : std::strtoull(wanted, nullptr, 10);
}

std::string assembly(Arch arch, const Program& program) {
  std::string text;
  for (const ProgramWord& word : program.words) {
    text += fmt::format("{:<56}; line {}\n", isa::disassemble(arch, word.word), word.line);
  }
  return text;
}

/// The same with half as many registers, and without what Grayskull lacks.
RandomKernelOptions narrow_options_of(std::uint64_t seed) {
  constexpr unsigned kStatements[] = {6, 15, 40, 90};
  return {.statements = kStatements[seed % 4],
          .max_depth = 1 + static_cast<unsigned>(seed / 8 % 6),
          .max_live = 1 + static_cast<unsigned>(seed / 4 % 2),
          .random_numbers = false};
}

/// Sizes and register pressures in turn, from a few lines to some hundred.
RandomKernelOptions options_of(Arch arch, std::uint64_t seed) {
  if (has_narrow_lanes(arch)) return narrow_options_of(seed);
  RandomKernelOptions options;
  constexpr unsigned kStatements[] = {6, 15, 40, 120};
  options.statements = kStatements[seed % 4];
  options.max_live = 2 + static_cast<unsigned>(seed / 4 % 5);
  options.max_depth = 1 + static_cast<unsigned>(seed / 20 % 7);
  return options;
}

/// One of each set of rules of comparisons (source/compiler/comparison.h), and where other things
/// change.
constexpr std::array kEpochs{780, 738, 771, 777, 500, 770, 778};

class Differential : public ::testing::TestWithParam<Arch> {
 protected:
  /// Stops at the first kernel that differs: one is enough to read.
  void compare(const Options& options, std::uint64_t count) {
    std::uint64_t out_of_registers = 0;
    for (std::uint64_t seed = first_seed(); seed < first_seed() + count; ++seed) {
      Recording kernel = random_kernel(GetParam(), seed, options_of(GetParam(), seed));
      const int only = arch_params(GetParam()).only_sfpi_release;
      kernel.epoch = only != 0 ? only : kEpochs[seed % kEpochs.size()];
      const Compiled compiled = compiler::compile(kernel, options);
      if (!compiled.ok) {
        ASSERT_FALSE(compiled.diagnostics.empty()) << "seed " << seed;
        const std::string fault = to_string(compiled.diagnostics.front());
        ASSERT_NE(fault.find("LReg"), std::string::npos) << "seed " << seed << ": " << fault;
        ++out_of_registers;
        continue;
      }
      const Recording reference = compiler::combined(kernel, options);
      const KernelCheck check = check_kernel(reference, compiled.program, seed);
      ASSERT_TRUE(check.ok()) << "seed " << seed << ", epoch " << kernel.epoch << ": "
                              << check.difference << "\n\n"
                              << to_text(reference) << "\n"
                              << assembly(GetParam(), compiled.program);
      for (const Fault& fault : check.program_faults) {
        ASSERT_TRUE(leaves_results_valid(fault.kind))
            << "seed " << seed << ": " << to_string(fault) << "\n\n"
            << to_text(reference) << "\n"
            << assembly(GetParam(), compiled.program);
      }
    }
    // The generator counts registers with caution; of four, tables and conditions may want more.
    const std::uint64_t tolerated = has_narrow_lanes(GetParam()) ? 10 : 100;
    EXPECT_LE(out_of_registers * tolerated, count);
  }
};
INSTANTIATE_TEST_SUITE_P(Chip, Differential, ::testing::ValuesIn(kEveryArch), test::chip_name);

TEST_P(Differential, ProgramsDoWhatKernelsMean) {
  compare({}, kernels(1000));
}

TEST_P(Differential, AsTheyShip) {
  Options options;
  options.compiled = compiler::CompiledAs::Shipped;
  compare(options, kernels(1000) / 2);
}

TEST_P(Differential, WithoutOptionalPasses) {
  compare({.combine = false,
           .cc = false,
           .replay = false,
           .warn = false,
           .dce = false,
           .cse = false,
           .rematerialize = true,
           .hoist = false,
           .rows = false,
           .schedule = false,
           .dump = {}},
          kernels(1000) / 5);
}

} // namespace
} // namespace lanewise::oracle
