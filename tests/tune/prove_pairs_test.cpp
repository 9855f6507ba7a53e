// Proofs over all pairs of 32 bits: what is equal, what is not, and what is left open.
#include "study/tune/prove_pairs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "study/sweep/diff.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

using formats::Format;

ProofOptions pairs_of(Format format) {
  ProofOptions options;
  options.format = format;
  options.operands = 2;
  return options;
}

class ProofOfPairs : public testing::TestWithParam<Arch> {
 protected:
  /// A row that has x in L0 and y in L1, and leaves its result in L0.
  static Plain rows(const std::string& body, std::string_view once = "SFPENCC 3, 0, 10",
                    const char* mode = "INT32") {
    return {GetParam(),
            assembled_program(
                GetParam(),
                fmt::format("{0}\n.repeat 32\nSFPLOAD L0, {2}, 3, 0\nSFPLOAD L1, {2}, 3, 64\n{1}\n"
                            "SFPSTORE L0, {2}, 3, 0\nINCRWC DstInc=2\n.endr\n",
                            once, body, mode)),
            true};
  }

  static PairsAnswer answer(const Plain& first, const Plain& second,
                            const ProofOptions& options = pairs_of(Format::UINT32)) {
    auto found = compare_all_pairs(first, second, options);
    EXPECT_TRUE(found) << (found ? "" : to_string(found.error()));
    return found.value_or(PairsAnswer{});
  }
};
INSTANTIATE_TEST_SUITE_P(, ProofOfPairs, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

// x + y = (x ^ y) + 2 (x & y), which no sample proves.
constexpr const char* kSum = "SFPIADD 0, L1, L0, 4";
std::string sum_by_bits(Arch arch) {
  const char* both = arch == Arch::Blackhole ? "SFPAND L2, L1, L2, 0" : "SFPAND L1, L2";
  return fmt::format(
      "SFPMOV L0, L2, 2\n{}\nSFPXOR L1, L0\nSFPSHFT 1, L2, L2, 1\n"
      "SFPIADD 0, L2, L0, 4",
      both);
}

TEST_P(ProofOfPairs, FindsEqualWhatIsWrittenInAnotherWay) {
  const PairsAnswer same = answer(rows(kSum), rows(sum_by_bits(GetParam())));
  EXPECT_EQ(same.verdict, SolverVerdict::Never) << same.why;
  EXPECT_EQ(same.questions, 1U) << "all rows ask the same";
}

// The same operations in another order and in other registers ask nobody; and where nobody is to be
// asked, all else stays open.
TEST_P(ProofOfPairs, SameExpressionsNeedNoSolver) {
  const char* two = "SFPIADD 0, L1, L0, 4\nSFPXOR L1, L0\nSFPNOT L1, L2\nSFPXOR L2, L0";
  const char* reordered =
      "SFPNOT L1, L3\nSFPMOV L1, L2, 2\nSFPIADD 0, L0, L1, 4\n"
      "SFPXOR L1, L2\nSFPXOR L3, L2\nSFPMOV L2, L0, 2";
  ProofOptions options = pairs_of(Format::UINT32);
  options.only_soon = true;
  const PairsAnswer same = answer(rows(two), rows(reordered), options);
  EXPECT_EQ(same.verdict, SolverVerdict::Never) << same.why;
  EXPECT_EQ(same.questions, 0U);
  const PairsAnswer other = answer(rows(kSum), rows(sum_by_bits(GetParam())), options);
  EXPECT_EQ(other.verdict, SolverVerdict::Undecided);
  EXPECT_NE(other.why.find("in another way"), std::string::npos) << other.why;
  EXPECT_TRUE(find_difference(rows(kSum), rows(sum_by_bits(GetParam())), options)
                  .value_or("")
                  .starts_with(kNotProvedSoon));
  const auto soon = tune(rows(two), {.steps_per_interval = 20'000, .proof = options});
  ASSERT_TRUE(soon && soon->tuned) << (soon ? soon->proof.failure : to_string(soon.error()));
  EXPECT_EQ(soon->proof.kind, ProofKind::Expressions);
  EXPECT_EQ(soon->proof.inputs, std::uint64_t{1} << 20);
}

// A look-up is the same expression where its table and its input are.
TEST_P(ProofOfPairs, LookUpsAreExpressions) {
  ProofOptions options = pairs_of(Format::FP32);
  options.only_soon = true;
  const auto table = [](unsigned last) {
    return fmt::format(
        "SFPENCC 3, 0, 10\nSFPLOADI L0, USHORT, 0x1F2F\nSFPLOADI L1, USHORT, 0x3F4F\n"
        "SFPLOADI L2, USHORT, 0x{:x}",
        last);
  };
  const auto looked_up = [](const std::string& once, const char* body) {
    return Plain{GetParam(),
                 assembled_program(
                     GetParam(), fmt::format("{}\n.repeat 32\nSFPLOAD L3, SRCB, 3, 0\nSFPLOAD L4, "
                                             "SRCB, 3, 64\n{}\nSFPSTORE L3, SRCB, 3, 0\n"
                                             "INCRWC DstInc=2\n.endr\n",
                                             once, body)),
                 true};
  };
  const char* body = "SFPLUT L3, 4\nSFPNOP\nSFPADD L10, L3, L4, L3, 0\nSFPNOP";
  const char* moved = "SFPMOV L4, L5, 2\nSFPLUT L6, 4\nSFPNOP\nSFPADD L10, L6, L5, L3, 0\nSFPNOP";
  const Plain plain = looked_up(table(0x5F6F), body);
  const PairsAnswer same = answer(plain, looked_up(table(0x5F6F), moved), options);
  EXPECT_EQ(same.verdict, SolverVerdict::Never) << same.why;
  EXPECT_EQ(same.questions, 0U);
  EXPECT_EQ(answer(plain, looked_up(table(0x5F6E), body), options).verdict,
            SolverVerdict::Undecided);
}

// A result in another tile than the first, of which no cell is an operand's.
TEST_P(ProofOfPairs, ComparesTheTileOfTheResult) {
  const auto in_tile_two = [](const char* body) {
    return Plain{GetParam(),
                 assembled_program(
                     GetParam(),
                     fmt::format("SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, INT32, 3, 0\nSFPLOAD "
                                 "L1, INT32, 3, 64\n{}\nSFPSTORE L0, INT32, 3, 128\n"
                                 "INCRWC DstInc=2\n.endr\n",
                                 body)),
                 true};
  };
  ProofOptions options = pairs_of(Format::UINT32);
  options.output_tile = 2;
  EXPECT_EQ(answer(in_tile_two(kSum), in_tile_two(kSum), options).verdict, SolverVerdict::Never);
  EXPECT_EQ(answer(in_tile_two(kSum), in_tile_two("SFPXOR L1, L0"), options).verdict,
            SolverVerdict::Sometimes);
  const auto result = tune(in_tile_two(kSum), {.steps_per_interval = 20'000, .proof = options});
  ASSERT_TRUE(result && result->tuned) << (result ? result->proof.failure : "");
  options.output_tile = 0;
  EXPECT_EQ(answer(in_tile_two(kSum), in_tile_two("SFPXOR L1, L0"), options).verdict,
            SolverVerdict::Never)
      << "tile 0 stays as it was";
}

/// A row that takes y where x is not negative, else z.
Plain choice_of_three(Arch arch, const char* taken, const char* other) {
  return {
      arch,
      assembled_program(arch, fmt::format("SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, SRCB, 3, 0\n"
                                          "SFPLOAD L1, SRCB, 3, 64\nSFPLOAD L2, SRCB, 3, 128\n"
                                          "SFPMOV {}, L3, 2\nSFPPUSHC 0, 0\nSFPSETCC 0, L0, 0, 4\n"
                                          "SFPMOV {}, L3, 0\nSFPPOPC 0, 0\n"
                                          "SFPSTORE L3, SRCB, 3, 0\nINCRWC DstInc=2\n.endr\n",
                                          other, taken)),
      true};
}

TEST_P(ProofOfPairs, OfThreeOperandsAsWell) {
  const Plain plain = choice_of_three(GetParam(), "L1", "L2");
  for (const Format format : {Format::BF16, Format::FP32}) {
    ProofOptions options{.format = format, .operands = 3};
    const auto result = tune(plain, {.steps_per_interval = 20'000, .proof = options});
    ASSERT_TRUE(result && result->tuned) << (result ? result->proof.failure : "");
    EXPECT_NE(result->proof.kind, ProofKind::Inputs);
    const auto proof = prove(plain, *result->tuned, options);
    ASSERT_TRUE(proof && proof->holds) << (proof ? proof->failure : "");
    const auto wrong = prove(choice_of_three(GetParam(), "L2", "L1"), *result->tuned, options);
    ASSERT_TRUE(wrong) << to_string(wrong.error());
    EXPECT_FALSE(wrong->holds);
    EXPECT_NE(wrong->failure.find("tile 2 = 0x"), std::string::npos) << wrong->failure;
  }
}

/// One pair gives another result than kSum.
constexpr std::uint32_t kX = 0x12345678, kY = 0x0F1E2D3C;
constexpr const char* kConstants =
    "SFPENCC 3, 0, 10\nSFPLOADI L0, UPPER, 0x1234\nSFPLOADI L0, LOWER, 0x5678\nSFPCONFIG 0, 12, 0\n"
    "SFPLOADI L0, UPPER, 0x0F1E\nSFPLOADI L0, LOWER, 0x2D3C\nSFPCONFIG 0, 13, 0";
std::string wrong_once(Arch arch) {
  const char* either = arch == Arch::Blackhole ? "SFPOR L2, L3, L2, 0" : "SFPOR L3, L2";
  return fmt::format(
      "SFPMOV L0, L2, 2\nSFPXOR L12, L2\nSFPMOV L1, L3, 2\nSFPXOR L13, L3\n{}\n"
      "SFPIADD 0, L1, L0, 4\nSFPPUSHC 0, 0\nSFPSETCC 0, L2, 0, 6\n"
      "SFPNOT L0, L0\nSFPPOPC 0, 0",
      either);
}

TEST_P(ProofOfPairs, FindsTheOnePairThatDiffers) {
  const Plain first = rows(kSum), second = rows(wrong_once(GetParam()), kConstants);
  const PairsAnswer found = answer(first, second);
  ASSERT_EQ(found.verdict, SolverVerdict::Sometimes) << found.why;
  EXPECT_EQ(found.operands, (std::vector<std::uint32_t>{kX, kY}));
  const auto changes = sweep::find_changes(
      {first.arch, first.program, true}, {second.arch, second.program, true},
      {.x = {kX, kX + 1}, .y = {kY, kY}, .positives = 0}, {.format = Format::UINT32});
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_EQ(changes->front().found, ~(kX + kY));
}

/// What the tuner makes of the rows.
Tuned tuned_of(const Plain& plain) {
  auto result = tune(
      plain, {.macros = false, .steps_per_interval = 20'000, .proof = pairs_of(Format::UINT32)});
  EXPECT_TRUE(result && result->tuned) << (result ? result->proof.failure : result.error().message);
  return result && result->tuned ? *result->tuned : Tuned{};
}

TEST_P(ProofOfPairs, AWrongProgramIsRefutedByAPairThatWasRun) {
  const Plain other = rows(wrong_once(GetParam()), kConstants);
  const Tuned tuned = tuned_of(rows(kSum));
  const ProofOptions options = pairs_of(Format::UINT32);
  EXPECT_EQ(find_difference(other, tuned, options).value_or("?"), "") << "no sample has the pair";
  const auto proof = prove(other, tuned, options);
  ASSERT_TRUE(proof) << to_string(proof.error());
  EXPECT_FALSE(proof->holds);
  EXPECT_FALSE(proof->is_undecided);
  EXPECT_EQ(proof->failure,
            fmt::format("z3 has found a pair where results differ: x = 0x{:x}, y = 0x{:x}: 0x{:x} "
                        "instead of 0x{:x}",
                        kX, kY, kX + kY, ~(kX + kY)));
}

TEST_P(ProofOfPairs, WhatIsNotDecidedStaysASample) {
  const Plain sum = rows(kSum);
  const Tuned tuned = tuned_of(sum);
  ProofOptions options = pairs_of(Format::UINT32);
  options.solver_time = std::chrono::milliseconds(0);
  const auto late = prove(rows(sum_by_bits(GetParam())), tuned, options);
  ASSERT_TRUE(late) << to_string(late.error());
  EXPECT_FALSE(late->holds);
  EXPECT_TRUE(late->is_undecided);
  EXPECT_NE(late->failure.find("z3 does not decide it within"), std::string::npos) << late->failure;
  EXPECT_NE(late->failure.find("; 1048576 pairs of a sample agree, which is no proof"),
            std::string::npos)
      << late->failure;
  const PairsAnswer refused = answer(rows("SFPTRANSP"), sum);
  EXPECT_EQ(refused.verdict, SolverVerdict::Undecided);
  EXPECT_NE(refused.why.find("SFPTRANSP"), std::string::npos) << refused.why;
}

// A multiply-add is a function of which z3 knows nothing: what only holds for the chip's is open.
TEST_P(ProofOfPairs, AMultiplyAddStaysOpen) {
  const char* once = "SFPENCC 3, 0, 10";
  const Plain sum = rows("SFPADD L10, L0, L1, L0, 0\nSFPNOP", once, "FP32"),
              swapped = rows("SFPADD L10, L1, L0, L0, 0\nSFPNOP", once, "FP32"),
              factors = rows("SFPMAD L0, L10, L1, L0, 0\nSFPNOP", once, "FP32");
  const ProofOptions options = pairs_of(Format::FP32);
  EXPECT_EQ(answer(sum, factors, options).verdict, SolverVerdict::Never);
  EXPECT_EQ(answer(sum, swapped, options).verdict, SolverVerdict::Sometimes);
  auto result = tune(swapped, {.steps_per_interval = 20'000, .proof = options});
  ASSERT_TRUE(result && result->tuned);
  const auto proof = prove(sum, *result->tuned, options);
  ASSERT_TRUE(proof) << to_string(proof.error());
  EXPECT_FALSE(proof->holds);
}

// x and x without its sign where it is a NaN: equal but for NaNs.
TEST_P(ProofOfPairs, LeavesOutWhatIsAllowed) {
  const char* once = "SFPENCC 3, 0, 10";
  const Plain plain = rows("SFPSETSGN 0, L0, L0, 1", once, "FP32"),
              other = rows("SFPABS L0, L0, 1", once, "FP32"); // negative NaNs stay (VU C29)
  ProofOptions options = pairs_of(Format::FP32);
  EXPECT_EQ(answer(plain, other, options).verdict, SolverVerdict::Sometimes);
  options.allow_denormal = true;
  EXPECT_EQ(answer(plain, other, options).verdict, SolverVerdict::Sometimes);
  options.allow_nan = true;
  EXPECT_EQ(answer(plain, other, options).verdict, SolverVerdict::Never);
}

TEST(ProofOfPairsOfIntegers, NobodyAsksForMinusZero) {
  // -0 in Dst is no number outside of it. A row that gives 1.0 there does nothing else.
  const auto row = [](const char* body) {
    return Plain{
        Arch::Blackhole,
        assembled_program(Arch::Blackhole,
                          fmt::format("SFPENCC 3, 0, 10\n.repeat 32\nSFPLOAD L0, INT32, 3, "
                                      "0\n{}\nSFPSTORE L0, INT32, 3, 0\nINCRWC "
                                      "DstInc=2\n.endr\n",
                                      body)),
        true};
  };
  const Plain minus_zero = row(
                  "SFPMOV L0, L1, 2\nSFPPUSHC 0, 0\nSFPSETCC 0, L0, 0, 0\nSFPSETSGN 0, L0, L1, 1\n"
                  "SFPSETCC 0, L1, 0, 6\nSFPMOV L10, L0, 0\nSFPPOPC 0, 0"),
              nothing = row("");
  const auto found = compare_all_pairs(minus_zero, nothing, pairs_of(Format::INT32));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->verdict, SolverVerdict::Never);
  EXPECT_EQ(compare_all_pairs(minus_zero, nothing, pairs_of(Format::UINT32))->verdict,
            SolverVerdict::Sometimes);
}

} // namespace
} // namespace lanewise::tune
