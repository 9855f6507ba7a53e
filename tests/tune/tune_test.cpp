// The tuner from end to end: what it finds is proved, and what it cannot do it says by name.
#include "study/tune/tune.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

#include "number/tensors/pattern.h"
#include "run/execution/tile_runner.h"
#include "study/tune/forms.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

class TuneOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, TuneOnBothChips, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

TuneResult tuned_or_fail(const Plain& plain, const TuneOptions& options = {}) {
  auto result = tune(plain, options);
  EXPECT_TRUE(result) << (result ? "" : to_string(result.error()));
  return result ? std::move(*result) : TuneResult{};
}

std::string refusal_of(const Plain& plain) {
  TuneOptions options;
  options.blocks = false;
  const auto result = tune(plain, options);
  return result ? "" : result.error().message;
}

// One macro does everything: load, operation, store. So shipped kernels do it (timing.md, T1).
TEST_P(TuneOnBothChips, OneOperationTakesACycleWithMacros) {
  const TuneResult result = tuned_or_fail(plain_rows(GetParam(), "SFPABS L0, L0, 1"));
  ASSERT_TRUE(result.tuned);
  EXPECT_EQ(result.interval, 1U);
  EXPECT_EQ(result.lowest_interval, 1U);
  // Wormhole: SETC16 of ADDR_MOD_SET_Base in front of the rows.
  EXPECT_EQ(result.proof.cycles, GetParam() == Arch::Wormhole ? 33U : 32U);
  EXPECT_EQ(result.proof.inputs, 65536U);
}

TEST_P(TuneOnBothChips, WithoutMacrosEveryInstructionHasItsSlot) {
  const TuneResult result =
      tuned_or_fail(plain_rows(GetParam(), "SFPABS L0, L0, 1"), {.macros = false});
  ASSERT_TRUE(result.tuned);
  EXPECT_EQ(result.interval, 3U); // load, operation, store; ADDR_MOD moves the counter
  EXPECT_EQ(result.tuned->macros, 0U);
}

// VU 5.1, 5.5: SFPSWAP works for two cycles, so no row can take less.
TEST_P(TuneOnBothChips, SwapBoundsTheInterval) {
  const TuneResult result =
      tuned_or_fail(plain_rows(GetParam(), "SFPMOV L9, L1, 2\nSFPSWAP L0, L1, 1"));
  ASSERT_TRUE(result.tuned);
  EXPECT_EQ(result.interval, 2U);
  EXPECT_EQ(result.lowest_resource, "Simple");
}

TEST_P(TuneOnBothChips, TwoCycleResultsAreInterleaved) {
  const TuneResult result = tuned_or_fail(
      plain_rows(GetParam(), "SFPMUL L0, L0, L9, L1, 0\nSFPNOP\nSFPMUL L1, L0, L9, L0, 0\nSFPNOP"),
      {.macros = false});
  ASSERT_TRUE(result.tuned);
  EXPECT_EQ(result.interval, 4U);
}

TEST_P(TuneOnBothChips, ConservativeMacrosCountInstructions) {
  const TuneResult result =
      tuned_or_fail(plain_rows(GetParam(), "SFPABS L0, L0, 1"), {.conservative = true});
  ASSERT_TRUE(result.tuned);
  EXPECT_TRUE(result.tuned->options.counts_instructions);
  EXPECT_EQ(result.interval, 1U);
}

// What will do is asked of the judge where there is one: of what is found, and of what is printed.
TEST_P(TuneOnBothChips, TheJudgeDecides) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  TuneOptions options{.macros = false};
  unsigned asked = 0;
  options.proof.judge = [&](const Plain&) -> Expected<std::string> {
    return std::string(++asked > 1 ? "an error of 3 ULP" : "");
  };
  const TuneResult refused = tuned_or_fail(plain, options);
  EXPECT_GE(asked, 2U);
  EXPECT_FALSE(refused.tuned);
  EXPECT_EQ(refused.proof.failure, "an error of 3 ULP");
}

// Another row instead of the plain program's, and only what is faster than something else.
TEST_P(TuneOnBothChips, AnotherRowIsComputed) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  TuneOptions options{.macros = false};
  options.row = find_rows(plain.arch, plain.program, {})->row;
  options.row->nodes.back().op = isa::Op::SFPMOV;
  options.row->nodes.back().mod = 0;
  options.proof.judge = [](const Plain&) -> Expected<std::string> { return std::string(); };
  const TuneResult moved = tuned_or_fail(plain, options);
  ASSERT_TRUE(moved.tuned);
  EXPECT_NE(moved.text.find("SFPMOV"), std::string::npos);
  options.faster_than = static_cast<double>(moved.proof.cycles);
  EXPECT_FALSE(tuned_or_fail(plain, options).tuned);
  options.faster_than = static_cast<double>(moved.proof.cycles) + 1;
  EXPECT_TRUE(tuned_or_fail(plain, options).tuned);
}

TEST_P(TuneOnBothChips, TheSameArgumentsGiveTheSameWords) {
  const Plain plain = plain_rows(GetParam(), "SFPMUL L0, L0, L9, L1, 0\nSFPNOP\nSFPABS L1, L0, 1");
  EXPECT_EQ(to_hex(*tuned_or_fail(plain).tuned), to_hex(*tuned_or_fail(plain).tuned));
}

TEST_P(TuneOnBothChips, AStoppedSearchTellsWhatItHas) {
  const TuneResult result = tuned_or_fail(plain_rows(GetParam(), "SFPABS L0, L0, 1"),
                                          {.progress = [](const TuneProgress&) { return false; }});
  EXPECT_TRUE(result.stopped);
  EXPECT_TRUE(!result.tuned || result.proof.holds);
}

TEST_P(TuneOnBothChips, RefusesByName) {
  const Arch arch = GetParam();
  EXPECT_NE(refusal_of(plain_rows(arch, "SFPADD L10, L0, L1, L1, 0\nSFPNOP\nSFPMOV L1, L0, 2",
                                  "SFPLOADI L1, FLOATB, 0"))
                .find("computes something else"),
            std::string::npos);
  EXPECT_NE(refusal_of(plain_rows(arch, "SFPMUL L0, L3, L9, L0, 0")).find("has not written"),
            std::string::npos);
  EXPECT_NE(refusal_of(plain_rows(arch, "SFPSTOCHRND 1, 0, L0, L0, L0, 1")).find("random numbers"),
            std::string::npos);
  EXPECT_NE(refusal_of({arch, assembled_program(arch, "SFPNOP\n")}).find("stores nothing"),
            std::string::npos);
}

// ------------------------------------------------------------------ random rows
/// Operations in a row, each on one of the last results, written as an author would: LReg[0] is the
/// last result, LReg[1] the loaded value.
std::string random_body(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto one_of = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  std::string body = "SFPMOV L0, L1, 2\n";
  const unsigned operations = 1 + one_of(5);
  for (unsigned i = 0; i < operations; ++i) {
    switch (one_of(8)) {
      case 0: body += "SFPABS L0, L0, 1\n"; break;
      case 1: body += "SFPMUL L0, L1, L9, L0, 0\nSFPNOP\n"; break;
      case 2: body += "SFPADD L10, L0, L1, L0, 0\nSFPNOP\n"; break;
      case 3: body += "SFPMAD L0, L12, L13, L0, 0\nSFPNOP\n"; break;
      case 4: body += "SFPMOV L9, L2, 2\nSFPSWAP L0, L2, 1\n"; break;
      case 5: body += "SFPSETSGN 0, L0, L1, 0\nSFPMOV L1, L0, 2\n"; break;
      case 6: body += "SFPSETEXP 127, L0, L0, 1\n"; break;
      case 7: body += "SFPXOR L1, L0\n"; break;
    }
  }
  return body;
}

constexpr std::string_view kFourConstants =
    "SFPLOADI L0, FLOATB, 0x3f40\nSFPCONFIG 0, 12, 0\nSFPLOADI L0, FLOATB, 0xbe80\n"
    "SFPCONFIG 0, 13, 0";

class RandomRows : public testing::TestWithParam<std::tuple<Arch, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(, RandomRows,
                         testing::Combine(testing::Values(Arch::Blackhole, Arch::Wormhole),
                                          testing::Range(0U, 12U)));

/// Runs a program on a tile whose elements are all different, apart from the sweep that proves it.
tensors::Tensor run_once(Arch arch, const Program& program) {
  const auto input = tensors::make_input("random:5", formats::Format::BF16);
  EXPECT_TRUE(input);
  const auto run =
      execution::run_on_tiles(arch, program, std::span(&*input, 1), {.as_kernel = true});
  EXPECT_TRUE(run) << (run ? "" : to_string(run.error()));
  return run->output;
}

TEST_P(RandomRows, AreTunedAndEqualThePlainOnes) {
  const auto [arch, seed] = GetParam();
  const std::string body = random_body(seed);
  const Plain plain = plain_rows(arch, body, kFourConstants);
  for (const bool macros : {true, false}) {
    const auto result = tune(plain, {.macros = macros, .steps_per_interval = 20'000});
    ASSERT_TRUE(result) << to_string(result.error()) << body;
    if (!result->tuned) continue; // a row without operations may be optimal as it is
    EXPECT_TRUE(result->proof.holds);
    EXPECT_EQ(run_once(arch, to_program(*result->tuned, "tuned")).bits,
              run_once(arch, plain.program).bits)
        << body;
  }
}

// ------------------------------------------------------------------ the proof can fail
TEST_P(TuneOnBothChips, AWrongDelayIsCaughtByTheProof) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  Tuned broken = *tuned_or_fail(plain).tuned;
  ASSERT_TRUE(prove(plain, broken, {})->holds);
  // The store waits one cycle (byte 3, bits 5:3): without the wait it takes the loaded value.
  for (TunedWord& word : broken.words) {
    if (word.comment == "macro 0") word.word &= ~(1U << 11);
  }
  const auto proof = prove(plain, broken, {});
  ASSERT_TRUE(proof);
  EXPECT_FALSE(proof->holds);
  EXPECT_FALSE(proof->failure.empty());
}

/// The program of one graph, whatever else would be found.
Tuned program_of(const Plain& plain, const RowGraph& graph) {
  const Rows rows = find_rows(plain.arch, plain.program, {.as_kernel = true}).value();
  const Formed formed = forms_of(graph, {}).value().front();
  const Placement placement = place(formed.row, formed.machine).placement.value();
  return emit(rows, formed, placement, {.pads = 8}).value();
}

// max(x + 127, 0) against max(x, -127) + 127: the same but for negative NaNs.
// Blackhole's sum makes positive NaNs of negative ones; Wormhole's keeps the sign.
TEST(TuneOnBlackhole, DifferencesAtNanAreAllowedOnlyOnRequest) {
  const Plain plain = plain_rows(
      Arch::Blackhole, "SFPADDI 0x42fe, L0, 0\nSFPNOP\nSFPMOV L9, L1, 2\nSFPSWAP L0, L1, 1");
  const Rows rows = find_rows(plain.arch, plain.program, {.as_kernel = true}).value();
  const RowGraph clamped = equal_graphs(rows.row, {.allow_nan = true}).back();
  ASSERT_EQ(clamped.nodes.back().op, isa::Op::SFPMAD) << to_text(clamped);
  const Tuned tuned = program_of(plain, clamped);
  EXPECT_FALSE(prove(plain, tuned, {})->holds);
  const Proof proof = prove(plain, tuned, {.allow_nan = true}).value();
  EXPECT_TRUE(proof.holds) << proof.failure;
  EXPECT_GT(proof.different, 0U);
  EXPECT_FALSE(proof.differences.empty());
}

TEST_P(TuneOnBothChips, AWrongPredictionIsCaughtByTheProof) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  Tuned broken = *tuned_or_fail(plain).tuned;
  ++broken.predicted_cycles;
  EXPECT_NE(prove(plain, broken, {})->failure.find("were predicted"), std::string::npos);
}

TEST_P(TuneOnBothChips, ARowLessIsCaughtByTheProof) {
  const Plain plain = plain_rows(GetParam(), "SFPABS L0, L0, 1");
  Tuned broken = *tuned_or_fail(plain).tuned;
  broken.words.pop_back();
  EXPECT_FALSE(prove(plain, broken, {})->holds);
}

} // namespace
} // namespace lanewise::tune
