// Kernels that use every part of the SFPI interface (tests/sfpi/kernels/api_*.cpp): they compile
// for both chips, run without a fault, and their words do what the interpreter says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "chip/machine/kernel_entry.h"
#include "project.h"
#include "run/oracle/interpreter.h"
#include "run/oracle/kernel_check.h"
#include "sfpi/kernel_files.h"
#include "source/compiler/compiler.h"
#include "source/sfpi/kernel.h"

namespace lanewise::sfpi {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = in_project("tests/sfpi/kernels");

/// Entries about operations that only Blackhole has.
constexpr std::array<std::string_view, 3> kBlackholeOnly{"api_approximations",
                                                         "api_fractional_products", "api_random"};

std::vector<std::string> api_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("api_")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// The entry about what only SFPI 5.0 has.
constexpr std::string_view kOldOnly = "api_epoch_constants";

/// All functions void api_...() of the file, one call after the other.
KernelSource source_of(Arch arch, const std::string& file, int epoch) {
  std::ifstream stream(kFolder / file);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  KernelSource source;
  source.file = (kFolder / file).string();
  source.epoch = epoch;
  const std::regex entry(R"(void (api_\w+)\(\))");
  for (std::sregex_iterator i(text.begin(), text.end(), entry), end; i != end; ++i) {
    const std::string name = (*i)[1];
    const bool is_missing =
        arch != Arch::Blackhole &&
        std::find(kBlackholeOnly.begin(), kBlackholeOnly.end(), name) != kBlackholeOnly.end();
    if (name == kOldOnly && epoch != 500) continue;
    if (!is_missing) source.calls.push_back(name + "()");
  }
  return source;
}

void expect_agreement(Arch arch, const std::string& file, int epoch) {
  const KernelSource source = source_of(arch, file, epoch);
  ASSERT_FALSE(source.calls.empty()) << file;
  const auto recording = record_kernel(arch, source);
  ASSERT_TRUE(recording) << to_string(recording.error());
  for (const bool optimises : {true, false}) {
    compiler::Options options;
    options.combine = options.cc = options.dce = options.replay = optimises;
    const auto compiled = compiler::compile(*recording, options);
    ASSERT_TRUE(compiled.ok) << file << ": " << to_string(compiled.diagnostics.front());
    const auto reference = compiler::combined(*recording, options);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const auto check = oracle::check_kernel(reference, compiled.program, seed);
      EXPECT_TRUE(check.ok()) << file << " epoch " << epoch << ": " << check.difference;
      for (const Fault& fault : check.program_faults)
        EXPECT_TRUE(leaves_results_valid(fault.kind)) << to_string(fault);
      for (const Fault& fault : check.interpreter_faults) {
        EXPECT_TRUE(leaves_results_valid(fault.kind)) << to_string(fault);
      }
    }
  }
}

class ApiKernels : public testing::TestWithParam<std::tuple<Arch, std::string>> {};

TEST_P(ApiKernels, WordsDoWhatTheInterpreterSays) {
  const auto& [arch, file] = GetParam();
  expect_agreement(arch, file, kDefaultEpoch);
}

std::string name_of(const testing::TestParamInfo<std::tuple<Arch, std::string>>& chosen) {
  const std::string stem = fs::path(std::get<1>(chosen.param)).stem().string();
  return fmt::format("{}_{}", arch_params(std::get<0>(chosen.param)).names.id, stem);
}
INSTANTIATE_TEST_SUITE_P(Files, ApiKernels,
                         testing::Combine(testing::ValuesIn(kArchs),
                                          testing::ValuesIn(api_files())),
                         name_of);

// Each version has headers of its own to precompile, which takes longest: by day for one chip, in
// turn. What differs between versions differs on both.
TEST(ApiEpochs, EveryVersionOfTheInterfaceCompiles) {
  const bool is_night = std::getenv("LANEWISE_NIGHTLY") != nullptr;
  std::size_t turn = 0;
  for (const int epoch : {500, 738, 749, 750, 751, 771, 780}) {
    const Arch of_day = kArchs[turn++ % kArchs.size()];
    for (const Arch arch : kArchs)
      if (is_night || arch == of_day) expect_agreement(arch, "api_epochs.cpp", epoch);
  }
}

// Each print's label is the bits that follow from the documented meaning of the operation.
TEST(ApiValues, AreThoseOfTheDocumentation) {
  for (const Arch arch : kArchs) {
    const auto recording = record_kernel(arch, source_of(arch, "api_values.cpp", kDefaultEpoch));
    ASSERT_TRUE(recording) << to_string(recording.error());
    MachineState state(arch);
    enter_kernel(state);
    FrontEnd front_end(arch);
    unsigned prints = 0;
    oracle::InterpretOptions options;
    options.print = [&](const oracle::Printed& printed) {
      ++prints;
      const auto expected =
          static_cast<std::uint32_t>(std::stoul(std::string(printed.label), nullptr, 16));
      for (const std::uint32_t lane : printed.lanes) {
        ASSERT_EQ(lane, expected) << "line " << printed.site->line;
      }
    };
    const auto faults =
        oracle::interpret(compiler::combined(*recording, {}), state, front_end, options);
    for (const Fault& fault : faults)
      EXPECT_TRUE(leaves_results_valid(fault.kind)) << to_string(fault);
    EXPECT_GT(prints, 50U);
  }
}

TEST_F(KernelTest, ConstantRegistersByNumberAreThoseOfTheChip) {
  const auto fault_of_statement = [&](const std::string& statement) {
    return fault_of("#include \"sfpi.h\"\nusing namespace sfpi;\nvoid kernel() {\n" + statement +
                    "\n}\n");
  };
  using Case = std::pair<std::string, std::string_view>;
  for (const auto& [number, message] :
       {Case{"CREG_IDX_0", "the hardware fixes this constant register"},
        Case{"CREG_IDX_TILEID", "the hardware fixes this constant register"},
        Case{"16", "the hardware fixes this constant register"},
        Case{"7", "the hardware fixes this constant register"}}) {
    const Fault fault =
        fault_of_statement("const impl_::LRegFile::vCReg<vFloat> c(" + number + "); c = 1.0f;");
    EXPECT_EQ(fault.message, message) << number;
    EXPECT_EQ(fault.line, 4U) << number;
  }
  for (const std::string number : {"7", "16", "4294967295U"}) {
    const Fault fault = fault_of_statement("const impl_::LRegFile::vCReg<vFloat> c(" + number +
                                           "); dst_reg[0] = c;");
    EXPECT_EQ(fault.message, "there is no such constant register") << number;
  }
}

} // namespace
} // namespace lanewise::sfpi
