// Rows with v_if: choices in the graph, groups of instructions in the schedule, and the proof.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "study/tune/choices.h"
#include "study/tune/forms.h"
#include "study/tune/place.h"
#include "study/tune/registers.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

constexpr std::string_view kEnd = "SFPENCC 3, 0, 10\n";
constexpr std::string_view kThreeConstants =
    "SFPLOADI L0, FLOATB, 0x3f40\nSFPCONFIG 0, 12, 0\nSFPLOADI L0, FLOATB, 0xbe80\n"
    "SFPCONFIG 0, 13, 0";

std::string predicated(std::string_view test, std::string_view then) {
  return fmt::format("{}\n{}\n{}", test, then, kEnd);
}

RowGraph graph_of(const Plain& plain) {
  const auto rows = find_rows(plain.arch, plain.program, {.as_kernel = true});
  EXPECT_TRUE(rows) << (rows ? "" : to_string(rows.error()));
  return rows ? rows->row : RowGraph{};
}

bool has(const RowGraph& row, isa::Op op) {
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    return node.kind == NodeKind::Operation && node.op == op;
  });
}

class PredicatedRows : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(, PredicatedRows, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

// ------------------------------------------------------------------ the graph
TEST_P(PredicatedRows, AreChoicesThatKeepAValue) {
  const RowGraph row =
      graph_of(plain_rows(GetParam(), predicated("SFPSETCC 0, L0, 0, 0", "SFPMOV L10, L0, 0")));
  const Node& choice = row.nodes.back();
  EXPECT_EQ(choice.op, isa::Op::SFPMOV);
  EXPECT_EQ(choice.conditions, 1);
  EXPECT_EQ(row.nodes[kept_operand(choice)].kind, NodeKind::Load);
  EXPECT_EQ(row.nodes[choice.operands.back()].op, isa::Op::SFPSETCC);
}

// v_if (x < 0) y = 1; v_else y = -1: what the first choice keeps is never seen.
TEST_P(PredicatedRows, BranchesOfOneConditionAreOneChoice) {
  const RowGraph row =
      graph_of(plain_rows(GetParam(),
                          "SFPMOV L0, L1, 2\nSFPSETCC 0, L0, 0, 0\nSFPMOV L10, L1, 0\n"
                          "SFPCOMPC\nSFPMOV L11, L1, 0\nSFPENCC 3, 0, 10\n"
                          "SFPMOV L1, L0, 2"));
  EXPECT_EQ(std::ranges::count_if(row.nodes, [](const Node& node) { return node.conditions != 0; }),
            1);
  EXPECT_EQ(row.nodes[kept_operand(row.nodes.back())].bits, kOneBits);
}

// The branches of three conditions cover all lanes, so that what the register held before is
// unseen: rows do not depend on each other.
TEST_P(PredicatedRows, ARegisterThatAllBranchesWriteIsNotCarried) {
  const RowGraph row =
      graph_of(plain_rows(GetParam(),
                          "SFPSETCC 0, L0, 0, 0\nSFPMOV L10, L1, 0\nSFPCOMPC\nSFPPUSHC 0, 0\n"
                          "SFPSETCC 0, L0, 0, 6\nSFPMOV L9, L1, 0\nSFPCOMPC\nSFPMOV L11, L1, 0\n"
                          "SFPPOPC 0, 0\nSFPENCC 3, 0, 10\nSFPMOV L1, L0, 2"));
  EXPECT_EQ(std::ranges::count_if(row.nodes, [](const Node& node) { return node.conditions != 0; }),
            2)
      << to_text(row);
}

// x < 0 ? 0 : x takes zeros of both signs and NaNs as SFPSWAP orders them.
TEST_P(PredicatedRows, ReluIsAMaximum) {
  const RowGraph row =
      graph_of(plain_rows(GetParam(), predicated("SFPSETCC 0, L0, 0, 0", "SFPMOV L9, L0, 0")));
  const RowGraph straight = without_choices(row);
  EXPECT_TRUE(has(straight, isa::Op::SFPSWAP));
  EXPECT_TRUE(
      std::ranges::none_of(straight.nodes, [](const Node& node) { return node.conditions != 0; }));
}

TEST_P(PredicatedRows, AnOperationForTheChoiceAloneIsPredicatedItself) {
  const RowGraph row = graph_of(plain_rows(
      GetParam(), predicated("SFPSETCC 0, L0, 0, 0", "SFPMUL L0, L12, L9, L0, 0\nSFPNOP"),
      kThreeConstants));
  EXPECT_TRUE(has(row, isa::Op::SFPMOV));
  EXPECT_FALSE(has(joined_choices(row), isa::Op::SFPMOV));
}

TEST_P(PredicatedRows, AreRefusedWhereTheFlagsAreNotUnderstood) {
  const auto refusal = [&](std::string_view body) {
    TuneOptions options;
    options.blocks = false;
    const auto result = tune(plain_rows(GetParam(), body), options);
    return result ? std::string() : result.error().message;
  };
  EXPECT_NE(refusal("SFPSETCC 0, L0, 0, 0").find("lanes disabled"), std::string::npos);
  EXPECT_NE(refusal("SFPPOPC 0, 0\nSFPENCC 3, 0, 10").find("SFPPOPC in this mode"),
            std::string::npos);
  EXPECT_NE(refusal("SFPSETCC 0, L0, 0, 1\nSFPENCC 3, 0, 10").find("SFPSETCC in this mode"),
            std::string::npos);
  EXPECT_NE(refusal("SFPLUT L1, 0").find("SFPLUT in this mode"), std::string::npos);
  EXPECT_NE(refusal("SFPTRANSP").find("lanes are exchanged"), std::string::npos);
}

// ------------------------------------------------------------------ programs
void expect_proved(const Plain& plain, const std::string& body) {
  for (const bool macros : {true, false}) {
    const auto result = tune(plain, {.macros = macros, .steps_per_interval = 3'000});
    ASSERT_TRUE(result) << to_string(result.error()) << body;
    EXPECT_FALSE(result->tuned && !result->proof.holds) << body;
  }
}

TEST_P(PredicatedRows, ReluTakesTwoCycles) {
  const auto result =
      tune(plain_rows(GetParam(), predicated("SFPSETCC 0, L0, 0, 0", "SFPMOV L9, L0, 0")), {});
  ASSERT_TRUE(result && result->tuned);
  EXPECT_EQ(result->interval, 2U);
}

// x < 0 ? x * 0.75 : x has no form without predication: test, product and the end of the condition
// take a slot each.
constexpr std::string_view kLeaky =
    "SFPSETCC 0, L0, 0, 0\nSFPMUL L0, L12, L9, L0, 0\n"
    "SFPENCC 3, 0, 10\nSFPNOP";

TEST_P(PredicatedRows, APredicatedGroupIsPipelined) {
  const auto result = tune(plain_rows(GetParam(), kLeaky, kThreeConstants), {.macros = false});
  ASSERT_TRUE(result && result->tuned);
  EXPECT_EQ(result->interval, 5U); // load, three, store
  EXPECT_TRUE(result->proof.holds);
}

/// The program without one of its instructions.
Tuned without(Tuned tuned, isa::Op op) {
  const unsigned opcode = isa::find_row(tuned.arch, op)->opcode;
  const std::uint32_t nop = isa::find_row(tuned.arch, isa::Op::SFPNOP)->opcode << 24U;
  for (TunedWord& word : tuned.words) {
    if (word.word >> 24 == opcode) word.word = nop;
  }
  return tuned;
}

TEST_P(PredicatedRows, AMissingTestOrEndIsCaughtByTheProof) {
  const Plain plain = plain_rows(GetParam(), kLeaky, kThreeConstants);
  const auto result = tune(plain, {.macros = false});
  ASSERT_TRUE(result && result->tuned);
  EXPECT_TRUE(prove(plain, *result->tuned, {})->holds);
  EXPECT_FALSE(prove(plain, without(*result->tuned, isa::Op::SFPSETCC), {})->holds);
  EXPECT_FALSE(prove(plain, without(*result->tuned, isa::Op::SFPENCC), {})->holds);
}

TEST_P(PredicatedRows, NestedConditionsAndElse) {
  const std::string body =
      "SFPMOV L0, L1, 2\nSFPADD L10, L0, L12, L2, 0\nSFPNOP\nSFPSETCC 0, L0, 0, 0\n"
      "SFPMUL L0, L12, L9, L1, 0\nSFPCOMPC\nSFPPUSHC 0, 0\nSFPSETCC 0, L2, 4, 0\n"
      "SFPABS L1, L1, 1\nSFPCOMPC\nSFPMOV L13, L1, 0\nSFPPOPC 0, 0\nSFPENCC 3, 0, 10\n"
      "SFPMOV L1, L0, 2";
  expect_proved(plain_rows(GetParam(), body, kThreeConstants), body);
}

// !(a && b) is the other branch of two conditions.
TEST_P(PredicatedRows, TheOtherBranchOfTwoConditions) {
  const std::string body =
      "SFPMOV L0, L1, 2\nSFPADD L10, L0, L12, L2, 0\nSFPNOP\nSFPSETCC 0, L0, 0, 0\n"
      "SFPSETCC 0, L2, 4, 0\nSFPMOV L12, L1, 0\nSFPCOMPC\nSFPMOV L13, L1, 0\nSFPENCC 3, 0, 10\n"
      "SFPMOV L1, L0, 2";
  expect_proved(plain_rows(GetParam(), body, kThreeConstants), body);
}

// A store in some lanes leaves the others of Dst alone. The tuned row stores all of them, which
// makes zeros of denormals: equal only where these may differ.
TEST_P(PredicatedRows, APredicatedStoreKeepsAllButDenormals) {
  const unsigned still = GetParam() == Arch::Blackhole ? 7 : 3;
  const Plain plain{GetParam(),
                    assembled_program(GetParam(), fmt::format("{}\n.repeat 32\n"
                                                              "SFPLOAD L0, SRCB, {}, 0\n"
                                                              "SFPMUL L0, L12, L9, L1, 0\n"
                                                              "SFPNOP\nSFPSETCC 0, L0, 0, 0\n"
                                                              "SFPSTORE L1, SRCB, {}, 0\n"
                                                              "SFPENCC 3, 0, 10\n"
                                                              "INCRWC DstInc=2\n.endr\n",
                                                              kThreeConstants, still, still))};
  TuneOptions options{.macros = false, .steps_per_interval = 3'000, .blocks = false};
  const auto strict = tune(plain, options);
  ASSERT_TRUE(strict);
  EXPECT_FALSE(strict->tuned);
  options.proof.allow_denormal = true;
  const auto relaxed = tune(plain, options);
  ASSERT_TRUE(relaxed && relaxed->tuned);
  EXPECT_TRUE(relaxed->proof.holds);
  EXPECT_GT(relaxed->proof.different, 0U);
}

// v_if (x < a) x = a; v_elseif (x >= b) x = b, with a below b, is a maximum and a minimum. The
// constants are neither 0 nor 1: SFPSWAP must not name LReg[12] as VD.
TEST(PredicatedRowsOnBlackhole, AClampNeedsNoPredication) {
  const Plain plain = plain_rows(Arch::Blackhole,
                                 "SFPGT L0, L6, 1\nSFPLOADI L0, FLOATB, 0xbfc0\nSFPCOMPC\n"
                                 "SFPLE L0, L7, 1\nSFPLOADI L0, FLOATB, 0x4010\nSFPENCC 3, 0, 10",
                                 "SFPLOADI L6, FLOATB, 0xbfc0\nSFPLOADI L7, FLOATB, 0x4010");
  const RowGraph row = without_choices(with_kept_tests(graph_of(plain)));
  EXPECT_TRUE(std::ranges::none_of(row.nodes, [](const Node& node) {
    return node.conditions != 0;
  })) << to_text(row);
  const auto result = tune(plain, {.macros = false});
  ASSERT_TRUE(result && result->tuned);
  EXPECT_EQ(result->interval, 6U); // load, two SFPSWAPs of two cycles, store
}

// SFPMOV in mode 2 writes disabled lanes, too (VU C30): L1 is x in all of them, then 1 in some.
TEST_P(PredicatedRows, CopiesOfAllLanesAreNotPredicated) {
  const RowGraph row =
      graph_of(plain_rows(GetParam(),
                          "SFPSETCC 0, L0, 0, 0\nSFPMOV L0, L1, 2\nSFPMOV L10, L1, 0\n"
                          "SFPENCC 3, 0, 10\nSFPMOV L1, L0, 2"));
  EXPECT_EQ(row.nodes[kept_operand(row.nodes.back())].kind, NodeKind::Load);
}

// SFPSHFT2 with the amount in a register works in the Round unit.
TEST_P(PredicatedRows, ShiftsByARegister) {
  const auto result =
      tune(plain_rows(GetParam(), "SFPEXEXP L0, L1, 1\nSFPSHFT2 0, L1, L2, 5\nSFPMOV L2, L0, 2"),
           {.macros = false});
  ASSERT_TRUE(result) << to_string(result.error());
  EXPECT_TRUE(result->tuned);
}

// ------------------------------------------------------------------ random rows
/// Operations of which some are predicated: LReg[0] is the last result, LReg[1] the loaded value.
std::string random_predicated(std::uint32_t seed) {
  std::mt19937 random(seed);
  const auto one_of = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  const auto operation = [&] {
    switch (one_of(5)) {
      case 0: return std::string("SFPABS L0, L0, 1\n");
      case 1: return std::string("SFPMUL L0, L12, L9, L0, 0\nSFPNOP\n");
      case 2: return std::string("SFPADD L10, L0, L13, L0, 0\nSFPNOP\n");
      case 3: return std::string("SFPMOV L1, L0, 0\n");
      case 4: return std::string("SFPMOV L12, L0, 0\n");
    }
    return std::string();
  };
  std::string body = "SFPMOV L0, L1, 2\n";
  const unsigned parts = 1 + one_of(3);
  for (unsigned i = 0; i < parts; ++i) {
    // One after the other: the order in which operands are evaluated is the compiler's.
    const unsigned tested = one_of(2), condition = 2 * one_of(4);
    body += fmt::format("SFPSETCC 0, L{}, {}, 0\n", tested, condition);
    body += operation();
    if (one_of(2) == 0) body += "SFPCOMPC\n" + operation();
    body += kEnd;
    if (one_of(2) == 0) body += operation();
  }
  return body;
}

class RandomPredicatedRows : public testing::TestWithParam<std::tuple<Arch, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(, RandomPredicatedRows,
                         testing::Combine(testing::Values(Arch::Blackhole, Arch::Wormhole),
                                          testing::Range(0U, 10U)));

TEST_P(RandomPredicatedRows, AreProved) {
  const auto [arch, seed] = GetParam();
  const std::string body = random_predicated(seed);
  expect_proved(plain_rows(arch, body, kThreeConstants), body);
}

/// Every form and encoding that is offered computes the same: the search would hide a wrong one
/// behind its next attempt.
void expect_equal_forms(Arch arch, const std::string& body) {
  const Plain plain = plain_rows(arch, body, kThreeConstants);
  const auto rows = find_rows(arch, plain.program, {.as_kernel = true});
  ASSERT_TRUE(rows);
  for (const RowGraph& graph : equal_graphs(rows->row, {.macros = false})) {
    const auto forms = forms_of(graph, {.macros = false});
    if (!forms) continue;
    const PlaceResult placed =
        place(forms->front().row, forms->front().machine, {.steps_per_interval = 5'000});
    if (!placed.placement) continue;
    const auto tuned = emit(*rows, forms->front(), *placed.placement, {});
    ASSERT_TRUE(tuned);
    const auto proof = prove(plain, *tuned, {});
    EXPECT_TRUE(proof && proof->holds) << to_text(graph) << (proof ? proof->failure : "");
  }
}

TEST_P(RandomPredicatedRows, HaveOnlyFormsThatAreEqual) {
  const auto [arch, seed] = GetParam();
  expect_equal_forms(arch, random_predicated(seed));
}

// SFPABS leaves negative NaNs alone (VU C29).
TEST_P(PredicatedRows, AbsoluteValuesOfNegativeNumbersHaveOnlyEqualForms) {
  expect_equal_forms(
      GetParam(), "SFPMOV L0, L1, 2\nSFPSETCC 0, L1, 0, 0\nSFPABS L1, L0, 1\n" + std::string(kEnd));
}

// ------------------------------------------------------------------ the schedule
Operation lone(Unit unit, bool follows) {
  return {.unit = unit, .issued = {{}}, .follows = follows, .alone = true, .has_result = false};
}

// A load, a test and its end, a store: nothing of another row executes beside the test.
TEST(PredicatedGroups, ExcludeWhatOtherRowsExecute) {
  Row row;
  row.operations.push_back({.unit = Unit::Load});
  row.operations.push_back({.unit = Unit::Mad, .latency = 2, .operands = {0}, .issued = {{}}});
  Operation test = lone(Unit::Simple, false);
  test.operands = {1};
  row.operations.push_back(test);
  row.operations.push_back(lone(Unit::Simple, true));
  row.operations.push_back(
      {.unit = Unit::Store, .operands = {1}, .issued = {{}}, .carried = {{.macro_operand = 0}}});
  const MachineModel machine{.macros = 1};
  const PlaceResult placed = place(row, machine);
  ASSERT_TRUE(placed.placement);
  EXPECT_EQ(find_mistake(row, machine, *placed.placement), "");
  Placement apart = *placed.placement;
  ++apart.time[3];
  EXPECT_NE(find_mistake(row, machine, apart), "");
}

TEST(PredicatedGroups, AStoreWithinTheGroupIsAMistake) {
  Row row;
  row.operations.push_back({.unit = Unit::Load});
  row.operations.push_back(lone(Unit::Simple, false));
  row.operations.push_back(lone(Unit::Simple, true));
  row.operations.push_back(
      {.unit = Unit::Store, .operands = {0}, .issued = {{}}, .carried = {{.macro_operand = 0}}});
  const MachineModel machine{.macros = 1};
  Placement placement{.interval = 4,
                      .time = {0, 1, 2, 3},
                      .carrier = {0, kNone, kNone, 0},
                      .form = {0, 0, 0, 0},
                      .macros = {{.load = 0, .time = 0}},
                      .registers = {}};
  ASSERT_TRUE(allocate_registers(row, machine, placement));
  EXPECT_EQ(find_mistake(row, machine, placement), "");
  placement.time[3] = 2;
  EXPECT_EQ(find_mistake(row, machine, placement), "an operation is not alone in cycle 2");
}

// ------------------------------------------------------------------ proofs
TEST(Proofs, ASampleIsNone) {
  const Plain plain = plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1");
  const auto result = tune(plain, {});
  ASSERT_TRUE(result && result->tuned);
  ProofOptions sample;
  sample.space.sample = sweep::SweepSample{.count = 1000, .seed = 1};
  const auto sampled = prove(plain, *result->tuned, sample);
  ASSERT_TRUE(sampled);
  EXPECT_FALSE(sampled->holds);
  EXPECT_NE(sampled->failure.find("no proof"), std::string::npos);
  ProofOptions range;
  range.space.range = sweep::SweepRange{.lowest = 0, .highest = 1};
  EXPECT_FALSE(prove(plain, *result->tuned, range)->holds);
}

TEST(Proofs, GoThroughAllInputsOfTheFormat) {
  EXPECT_EQ(inputs_of({}), 65536U);
  EXPECT_EQ(inputs_of({.operands = 2}), std::uint64_t{1} << 32);
  EXPECT_EQ(inputs_of({.format = formats::Format::FP32}), std::uint64_t{1} << 32);
  EXPECT_FALSE(takes_long({.format = formats::Format::FP16}));
  EXPECT_TRUE(takes_long({.format = formats::Format::FP32}));
  EXPECT_TRUE(takes_long({.operands = 2}));
}

// Dst as fp16: other conversions on the way in and out.
TEST_P(PredicatedRows, Fp16IsProvedOverItsOwnNumbers) {
  TuneOptions options;
  options.proof.format = formats::Format::FP16;
  const auto result = tune(plain_rows(GetParam(), "SFPMUL L0, L0, L9, L0, 0\nSFPNOP"), options);
  ASSERT_TRUE(result && result->tuned);
  EXPECT_EQ(result->proof.inputs, 65536U);
}

/// x * y and x * (y * y) of tiles 0 and 1, which is 64 away.
Plain product(Arch arch, std::string_view more) {
  const unsigned still = arch == Arch::Blackhole ? 7 : 3;
  return {arch, assembled_program(
                    arch, fmt::format(".repeat 32\nSFPLOAD L0, SRCB, {}, 0\n"
                                      "SFPLOAD L1, SRCB, {}, 64\n{}SFPMUL L0, L1, L9, L0, 0\n"
                                      "SFPNOP\nSFPSTORE L0, SRCB, {}, 0\nINCRWC DstInc=2\n.endr\n",
                                      still, still, more, still))};
}

TEST_P(PredicatedRows, TwoOperandsAreComparedInPairs) {
  const Plain plain = product(GetParam(), "");
  const auto rows = find_rows(plain.arch, plain.program, {.as_kernel = true});
  ASSERT_TRUE(rows);
  const auto forms = forms_of(rows->row, {});
  ASSERT_TRUE(forms);
  const PlaceResult placed = place(forms->front().row, forms->front().machine);
  ASSERT_TRUE(placed.placement);
  const auto tuned = emit(*rows, forms->front(), *placed.placement, {.pads = 8});
  ASSERT_TRUE(tuned);
  const ProofOptions pairs{.operands = 2};
  EXPECT_EQ(find_difference(plain, *tuned, pairs).value(), "");
  const Plain other = product(GetParam(), "SFPMUL L1, L1, L9, L1, 0\nSFPNOP\n");
  EXPECT_NE(find_difference(other, *tuned, pairs).value(), "");
}

// Where all inputs take long, a stopped proof leaves no result.
TEST(Proofs, AStoppedOneLeavesNothing) {
  TuneOptions options;
  options.proof.format = formats::Format::FP32;
  options.progress = [](const TuneProgress& progress) { return !progress.is_proof; };
  const auto result = tune(plain_rows(Arch::Blackhole, "SFPABS L0, L0, 1"), options);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->tuned);
  EXPECT_FALSE(result->proof.holds);
  EXPECT_NE(result->proof.failure.find("stopped"), std::string::npos);
}

} // namespace
} // namespace lanewise::tune
