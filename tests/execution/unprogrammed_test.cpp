// State that nobody has programmed: what counts as filled, and that no correct kernel is blamed.
#include "run/execution/unprogrammed.h"

#include <gtest/gtest.h>

#include "machine/machine_fixture.h"
#include "number/tensors/pattern.h"
#include "run/oracle/random_kernel.h"
#include "source/assembly/assembly.h"
#include "source/compiler/compiler.h"

namespace lanewise::execution {
namespace {

using formats::Format;

class Unprogrammed : public ::testing::TestWithParam<Arch> {
 protected:
  Program assembled(std::string_view source) const {
    auto program = assembly::assemble(GetParam(), source, "test.tt");
    EXPECT_TRUE(program.has_value()) << to_string(program.error());
    return program.value_or(Program{});
  }

  std::vector<std::string> rules(std::string_view source, const FilledTiles& filled,
                                 Format format = Format::BF16) const {
    const Program program = assembled(source);
    const auto timed = schedule_on_tile(GetParam(), program, {.format = format});
    std::vector<std::string> names;
    for (const timing::Hazard& hazard : find_unprogrammed(*timed, program, filled))
      names.push_back(fmt::format("{}:{}", hazard.line, hazard.rule->id));
    return names;
  }
};
LANEWISE_ON_BOTH_CHIPS(Unprogrammed);

using Names = std::vector<std::string>;

TEST_P(Unprogrammed, TilesHaveTheirFormat) {
  const std::string load = "SFPLOAD L0, SRCB, 3, 64\n";
  EXPECT_EQ(rules(load, FilledTiles(std::vector{Format::BF16})), Names{"1:unprogrammed-dst"});
  EXPECT_EQ(rules(load, FilledTiles(std::vector{Format::BF16, Format::BF16})), Names{});
  EXPECT_EQ(rules(load, FilledTiles(std::vector<Format>{})), Names{"1:unprogrammed-dst"});
  EXPECT_EQ(rules(load, std::nullopt), Names{});
  EXPECT_EQ(rules(load, FilledTiles(std::vector{Format::FP32}), Format::FP32),
            Names{"1:unprogrammed-dst"});
  EXPECT_EQ(rules(load, FilledTiles(std::vector{Format::FP32, Format::FP32}), Format::FP32),
            Names{});
}

TEST_P(Unprogrammed, SettingsProgram) {
  const std::string load = "SFPLOAD L0, SRCB, ADDR_MOD_1, 0\n";
  EXPECT_EQ(rules(load, std::nullopt), Names{"1:unprogrammed-addr-mod"});
  EXPECT_EQ(rules(".cfg ADDR_MOD_DST_SEC1 0\n" + load, std::nullopt), Names{});
  const std::string draw = "SFPMOV L9, L0, 8\n";
  EXPECT_EQ(rules(draw, std::nullopt), Names{"1:unprogrammed-prng"});
  EXPECT_EQ(rules(".cfg PRNG_SEED_Seed_Val 5\n" + draw, std::nullopt), Names{});
}

TEST_P(Unprogrammed, OncePerRuleAndLine) {
  EXPECT_EQ(rules(".repeat 3\nSFPADD L10, L12, L10, L2, 0\nSFPSTORE L1, BF16, 3, 0\n.endr\n"
                  "SFPADD L10, L13, L12, L3, 0\n",
                  std::nullopt),
            (Names{"2:unprogrammed-constant", "3:unprogrammed-lreg", "5:unprogrammed-constant"}));
}

/// The interpreter finds nothing wrong with these kernels, so their words use no lane of an LReg
/// that they have not written.
TEST_P(Unprogrammed, NoCorrectKernelIsBlamed) {
  constexpr std::uint64_t kKernels = 200;
  for (std::uint64_t seed = 0; seed < kKernels; ++seed) {
    const auto compiled = compiler::compile(
        oracle::random_kernel(GetParam(), seed, {.lregs = false, .raw_words = false}), {});
    if (!compiled.ok) continue; // a few run out of registers
    const auto timed = schedule_on_tile(GetParam(), compiled.program, {.as_kernel = true});
    for (const timing::Hazard& hazard : find_unprogrammed(*timed, compiled.program, std::nullopt))
      EXPECT_NE(hazard.rule->id, "unprogrammed-lreg") << "seed " << seed << ": " << hazard.text("");
  }
}

} // namespace
} // namespace lanewise::execution
