// Sweeps whose operands stand in SrcA and SrcB.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "source/assembly/assembly.h"
#include "study/sweep/sweep.h"

namespace lanewise::sweep {
namespace {

using formats::Format;

/// Eight times the instruction, eight rows further each time.
std::string element_wise(const std::string& mnemonic) {
  return ".cfg ADDR_MOD_AB_SEC0  8 | 8 << 8\n.cfg ADDR_MOD_DST_SEC0 8\n.repeat 8\n" + mnemonic +
         " AddrMod=ADDR_MOD_0\n.endr\nSETRWC FlipSrcB=1, FlipSrcA=1, Dst=1, SrcB=1, SrcA=1\n";
}

Expected<SweepResult> swept(const std::string& mnemonic, const std::string& expression,
                            SweepOptions options, const std::string& domain = "") {
  std::vector<SweepProgram> programs;
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole}) {
    auto program = assembly::assemble(arch, element_wise(mnemonic), "test");
    EXPECT_TRUE(program) << to_string(program.error());
    programs.push_back({arch, std::move(*program)});
  }
  const auto reference = references::parse_reference(expression);
  const auto inputs = domain.empty() ? nullptr : std::move(*references::parse_reference(domain));
  options.domain = inputs.get();
  return sweep(programs, **reference, options);
}

constexpr SourceOperands kXInA{.srca = 0, .srcb = 1}, kYInA{.srca = 1, .srcb = 0};

SweepOptions sampled(Format format, SourceOperands sources, Format output_format) {
  return {.format = format,
          .output_format = output_format,
          .sources = sources,
          .space = {.range = SweepRange{-1e4, 1e4}, .sample = SweepSample{.count = 50'000}}};
}

void expect_exact(const Expected<SweepResult>& result, const char* what) {
  ASSERT_TRUE(result) << to_string(result.error());
  for (const SweepStatistics& chip : result->chips) {
    EXPECT_EQ(chip.error.largest, 0) << what;
    EXPECT_EQ(chip.error.lost, 0u) << what;
    EXPECT_GT(chip.error.count(), 1000u) << what;
  }
}

/// Every pair of numbers of three neighbouring exponents.
SweepOptions alike(Format format, SourceOperands sources) {
  return {.format = format,
          .output_format = Format::FP32,
          .sources = sources,
          .space = {.range = SweepRange{1, 7.96875}}};
}

// MU 5.7: the smaller operand is aligned to the 10 fraction bits of the larger one, and a BF16 has
// 7. So a difference of exponents up to 3 leaves the sum exact in FP32.
TEST(SweepSources, SumsOfNumbersOfLikeSizeAreExact) {
  expect_exact(swept("ELWADD", "x + y", alike(Format::BF16, kXInA)), "sum");
  expect_exact(swept("ELWSUB", "x - y", alike(Format::BF16, kXInA)), "difference");
}

// In BF16 the sum is rounded to the format: what the alignment cuts off is less than an eighth of
// a unit, so that the result is one of the two neighbours.
TEST(SweepSources, SumsInBf16AreWithinOneUlp) {
  const auto result = swept("ELWADD", "x + y", sampled(Format::BF16, kXInA, Format::BF16),
                            "abs(x) > 1e-20 && abs(y) > 1e-20");
  ASSERT_TRUE(result) << to_string(result.error());
  for (const SweepStatistics& chip : result->chips) EXPECT_LE(chip.error.largest, 1);
}

// Which operand stands where: SrcA - SrcB is not SrcB - SrcA.
TEST(SweepSources, OperandsStandWhereTheyAreAskedFor) {
  expect_exact(swept("ELWSUB", "y - x", alike(Format::BF16, kYInA)), "y, x");
  const SourceOperands both{.srca = 0, .srcb = 0};
  const auto doubled =
      swept("ELWADD", "x + x", {.format = Format::BF16, .sources = both, .space = {}},
            "abs(x) > 1e-30 && abs(x) < 1e38");
  expect_exact(doubled, "x, x");
}

// An FP16 has all 10 fraction bits: the sums of those of one exponent are exact.
TEST(SweepSources, Fp16HasItsOwnCells) {
  SweepOptions options = alike(Format::FP16, kYInA);
  options.space.range = SweepRange{1, 1.25};
  expect_exact(swept("ELWSUB", "y - x", options), "fp16");
}

TEST(SweepSources, SaysWhatTheyCannotHold) {
  const auto message = [](const char* expression, const SweepOptions& options) {
    const auto result = swept("ELWADD", expression, options);
    return result ? std::string() : to_string(result.error());
  };
  EXPECT_NE(message("x + y", sampled(Format::FP32, kXInA, Format::FP32)).find("every fp32"),
            std::string::npos);
  EXPECT_NE(message("x", sampled(Format::BF16, kXInA, Format::BF16)).find("of x alone"),
            std::string::npos);
  EXPECT_NE(
      message("x + y", sampled(Format::BF16, {.srca = 0, .srcb = {}}, Format::FP32)).find("in Dst"),
      std::string::npos);
}

} // namespace
} // namespace lanewise::sweep
