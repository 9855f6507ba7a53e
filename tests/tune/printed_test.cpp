// What the tuner prints is what it proved: each form is read again as its reader reads it, and
// computes what the plain program does.
#include <gtest/gtest.h>

#include "study/sweep/diff.h"
#include "study/tune/printed.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

class PrintedForms : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, PrintedForms, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

// v_if (x < 0) x = -1 + x * x: conditions and LReg[11], neither of which assembly starts with.
constexpr std::string_view kNeedsEntry =
    "SFPSETCC 0, L0, 0, 0\nSFPMAD L0, L0, L11, L0, 0\nSFPNOP\nSFPENCC 3, 0, 10\n";
constexpr std::string_view kStraight = "SFPABS L0, L0, 1";

/// As a kernel starts, whose source is written with v_if.
Plain kernel_rows(Arch arch, std::string_view body) {
  Plain plain = plain_rows(arch, body);
  plain.as_kernel = true;
  return plain;
}

TuneResult tuned_as(const Plain& plain, Form form) {
  auto result = tune(plain, {.macros = false, .steps_per_interval = 2'000, .form = form});
  EXPECT_TRUE(result && result->tuned) << (result ? "" : to_string(result.error()));
  return result ? std::move(*result) : TuneResult{};
}

/// Results that differ where both programs run as 'diff' runs them.
std::uint64_t differences(const Plain& plain, const Plain& printed) {
  const sweep::SweepProgram first{plain.arch, plain.program, plain.as_kernel};
  const sweep::SweepProgram second{printed.arch, printed.program, printed.as_kernel};
  const auto compared =
      sweep::diff_programs(std::span(&first, 1), std::span(&second, 1), 1, nullptr, {});
  EXPECT_TRUE(compared);
  return compared ? compared->chips.front().changed : 1;
}

void expect_equal_as_printed(const Plain& plain, Form form) {
  const TuneResult result = tuned_as(plain, form);
  ASSERT_TRUE(result.tuned);
  const auto printed = read_printed(plain.arch, form, result.text, "tuned");
  ASSERT_TRUE(printed) << to_string(printed.error()) << result.text;
  EXPECT_EQ(printed->as_kernel, form == Form::Tti);
  EXPECT_EQ(differences(plain, *printed), 0U) << result.text;
}

TEST_P(PrintedForms, AssemblyDoesWhatTheKernelDoes) {
  for (const std::string_view body : {kNeedsEntry, kStraight})
    expect_equal_as_printed(kernel_rows(GetParam(), body), Form::Assembly);
}

TEST_P(PrintedForms, WordsDoWhatTheKernelDoes) {
  for (const std::string_view body : {kNeedsEntry, kStraight})
    expect_equal_as_printed(kernel_rows(GetParam(), body), Form::Words);
}

TEST_P(PrintedForms, FunctionsDoWhatTheKernelDoes) { // g++: one body is enough
  expect_equal_as_printed(kernel_rows(GetParam(), kNeedsEntry), Form::Tti);
}

// Without the words in front, or with another word, nothing is proved.
TEST_P(PrintedForms, WhatIsPrintedWrongIsNotProved) {
  const Plain plain = kernel_rows(GetParam(), kNeedsEntry);
  const TuneResult result = tuned_as(plain, Form::Assembly);
  ASSERT_TRUE(result.tuned);
  const auto proof_of = [&](const Tuned& tuned, const std::string& text) {
    return prove_printed(plain, tuned,
                         read_printed(plain.arch, Form::Assembly, text, "tuned").value(), {})
        .value();
  };
  EXPECT_TRUE(proof_of(*result.tuned, result.text).holds);
  EXPECT_NE(proof_of(*result.tuned, result.text + "SFPNOP\n").failure.find("words instead"),
            std::string::npos);
  EXPECT_NE(proof_of(*result.tuned, "SFPNOP\n" + result.text).failure.find("is printed as one"),
            std::string::npos);
  Tuned bare = *result.tuned;
  ASSERT_EQ(bare.entry.size(), 2U); // flags, LReg[11]
  bare.entry.clear();
  // Flags are not in use where assembly starts, so that v_if switches nothing off.
  EXPECT_NE(proof_of(bare, to_assembly(bare)).failure.find("flags-unused"), std::string::npos);
}

} // namespace
} // namespace lanewise::tune
