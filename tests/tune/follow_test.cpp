// Flags, addresses and modes of a followed program, and identities that hold under conditions only.
#include <gtest/gtest.h>

#include <algorithm>

#include "study/tune/equal_graphs.h"
#include "study/tune/lane_conditions.h"
#include "study/tune/rows.h"
#include "tune/tune_doubles.h"

namespace lanewise::tune {
namespace {

class FollowedRows : public testing::TestWithParam<Arch> {
 protected:
  static Expected<Rows> found(std::string_view body) {
    const Plain plain = plain_rows(GetParam(), body);
    return find_rows(plain.arch, plain.program, {.as_kernel = true});
  }
  static RowGraph graph(std::string_view body) {
    const auto rows = found(body);
    EXPECT_TRUE(rows) << (rows ? "" : to_string(rows.error())) << body;
    return rows ? rows->row : RowGraph{};
  }
  static std::string refusal(std::string_view body) {
    const auto rows = found(body);
    return rows ? "" : rows.error().message;
  }
  /// The one condition of a row that sets L0 to 1 where the flags of `test` say so.
  static Node condition(std::string_view test) {
    const RowGraph row = graph(fmt::format("{}\nSFPMOV L10, L0, 0\nSFPENCC 3, 0, 10", test));
    const auto found = std::ranges::find(row.nodes, NodeKind::Condition, &Node::kind);
    EXPECT_NE(found, row.nodes.end()) << test;
    return found == row.nodes.end() ? Node{} : *found;
  }
  /// SFPLOAD and SFPSTORE with the address modifier that leaves the counter alone.
  static std::string access(std::string_view name, unsigned lreg, unsigned address) {
    const unsigned still = GetParam() == Arch::Blackhole ? 7 : 3;
    return fmt::format("{} L{}, SRCB, {}, {}\n", name, lreg, still, address);
  }
};
INSTANTIATE_TEST_SUITE_P(, FollowedRows, testing::Values(Arch::Blackhole, Arch::Wormhole),
                         [](const auto& chip) {
                           return std::string(chip.param == Arch::Blackhole ? "bh" : "wh");
                         });

constexpr unsigned kLt0 = 0, kNe0 = 2, kGte0 = 4, kEq0 = 6; // SFPSETCC's modes

// ------------------------------------------------------------------ flags
// Bit 1 tests VC against 0, bit 3 inverts what was tested (VU C27).
TEST_P(FollowedRows, LeadingZerosTestTheirSource) {
  EXPECT_EQ(condition("SFPLZ L0, L1, 2").mod, kNe0);
  EXPECT_EQ(condition("SFPLZ L0, L1, 10").mod, kEq0);
}

/// A row that sets L0 to 1 where the flags of `test` say so, and loses some cycles, is tuned and
/// proved over all inputs.
void expect_proved_condition(Arch arch, std::string_view test) {
  const Plain plain = plain_rows(
      arch, fmt::format("SFPNOP\nSFPNOP\n{}\nSFPMOV L10, L0, 0\nSFPENCC 3, 0, 10", test));
  const auto result = tune(plain, {.macros = false, .steps_per_interval = 2'000});
  ASSERT_TRUE(result && result->tuned) << test << (result ? "" : to_string(result.error()));
  EXPECT_TRUE(result->proof.holds) << test;
}

// With bit 2 it is VC without its sign that is tested (VU C27): what SFPSETSGN makes of it.
TEST_P(FollowedRows, LeadingZerosTestTheirSourceWithoutItsSign) {
  for (const unsigned mod : {6U, 14U}) {
    const std::string test = fmt::format("SFPLZ L0, L1, {}\nSFPMOV L1, L2, 2", mod);
    const RowGraph row = graph(test + "\nSFPMOV L10, L0, 0\nSFPENCC 3, 0, 10");
    const Node found = condition(test);
    EXPECT_EQ(found.mod, mod == 6 ? kNe0 : kEq0);
    EXPECT_EQ(row.nodes[found.operands.at(0)].op, isa::Op::SFPSETSGN) << to_text(row);
    expect_proved_condition(GetParam(), test);
  }
}

// Bit 3 alone inverts the flags that were there (VU C27).
TEST_P(FollowedRows, LeadingZerosThatInvertFlagsAreRefused) {
  EXPECT_NE(refusal("SFPLZ L0, L1, 8\nSFPENCC 3, 0, 10").find("SFPLZ in this mode"),
            std::string::npos);
}

// What is tested is what was there, not the count that takes its place.
TEST_P(FollowedRows, LeadingZerosOverTheirSourceTestWhatWasThere) {
  for (const unsigned mod : {2U, 10U}) {
    const std::string test = fmt::format("SFPLZ L0, L0, {}", mod);
    const RowGraph row = graph(test + "\nSFPMOV L10, L0, 0\nSFPENCC 3, 0, 10");
    EXPECT_EQ(row.nodes[condition(test).operands.at(0)].kind, NodeKind::Load) << to_text(row);
    expect_proved_condition(GetParam(), test);
  }
}

// Bit 2 counts without the sign: it is part of the value, the flags' bits are not.
TEST_P(FollowedRows, LeadingZerosKeepTheModeOfTheirValue) {
  const auto value = [](unsigned mod) {
    return graph(fmt::format("SFPLZ L0, L1, {}\nSFPENCC 3, 0, 10\nSFPMOV L1, L0, 2", mod))
        .nodes.back();
  };
  EXPECT_EQ(value(0).op, isa::Op::SFPLZ);
  EXPECT_EQ(value(0).mod, 0U);
  EXPECT_EQ(value(4).mod, 4U);
  EXPECT_EQ(value(2).mod, 0U);
}

// Without bit 2 the flags are those of the sum, below 0 or, with bit 3, not (VU C26).
TEST_P(FollowedRows, SumsTestTheirResult) {
  EXPECT_EQ(condition("SFPIADD 5, L0, L1, 1").mod, kLt0);
  EXPECT_EQ(condition("SFPIADD 5, L0, L1, 9").mod, kGte0);
}

// Bits 2 and 3 invert the flags that were there, without a test (VU C26).
TEST_P(FollowedRows, SumsThatInvertFlagsAreRefused) {
  for (const unsigned mod : {12U, 13U})
    EXPECT_NE(refusal(fmt::format("SFPMOV L0, L1, 2\nSFPIADD 5, L0, L1, {}\nSFPENCC 3, 0, 10", mod))
                  .find("SFPIADD in this mode"),
              std::string::npos)
        << mod;
}

// SFPPOPC brings back the conditions at the last SFPPUSHC, not those before the first (VU C11).
TEST(LaneConditions, PopToWhatTheLastPushFound) {
  constexpr NodeId kOuter = 3, kMiddle = 4, kInner = 5;
  LaneConditions conditions;
  conditions.push();
  conditions.narrow(kOuter);
  conditions.push();
  conditions.narrow(kMiddle);
  conditions.narrow(kInner);
  ASSERT_TRUE(conditions.pop());
  EXPECT_EQ(conditions.all(), (std::vector<NodeId>{kOuter}));
  ASSERT_TRUE(conditions.pop());
  EXPECT_TRUE(conditions.empty());
  EXPECT_FALSE(conditions.pop());
}

// A choice between two values is the first where its conditions hold; an operation that keeps its
// register in the other lanes is still itself there, not its operand.
TEST(LaneConditions, AChosenOperationIsItsOwnResult) {
  std::vector<Node> nodes{{.kind = NodeKind::Load},
                          {.kind = NodeKind::Constant},
                          {.kind = NodeKind::Condition, .op = isa::Op::SFPSETCC, .operands = {0}}};
  Node choice{.kind = NodeKind::Operation, .op = isa::Op::SFPMOV, .operands = {0, 1, 2}};
  choice.conditions = 1;
  nodes.push_back(choice);
  choice.op = isa::Op::SFPABS;
  nodes.push_back(choice);
  constexpr NodeId kValue = 0, kCondition = 2, kMove = 3, kAbs = 4;
  EXPECT_EQ(value_under(nodes, kMove, {kCondition}), kValue);
  EXPECT_EQ(value_under(nodes, kMove, {}), kMove);
  EXPECT_EQ(value_under(nodes, kAbs, {kCondition}), kAbs);
}

// ------------------------------------------------------------------ addresses
// What is loaded from where the row has stored is what it has stored: one value, in the same
// format.
TEST_P(FollowedRows, LoadsOfWhatWasStoredAreThatValue) {
  const std::string stored = "SFPABS L0, L0, 1\n" + access("SFPSTORE", 0, 0);
  EXPECT_EQ(refusal(stored + access("SFPLOAD", 0, 0)), "");
  EXPECT_EQ(refusal("SFPABS L0, L0, 1\n" + access("SFPLOAD", 0, 0)), "");
}

// Lanes that a second store leaves alone have what the first one stored.
TEST_P(FollowedRows, APredicatedStoreKeepsWhatWasStored) {
  const std::string row = access("SFPLOAD", 0, 0) + "SFPABS L0, L1, 1\n" +
                          access("SFPSTORE", 1, 0) + "SFPSETCC 0, L0, 0, 0\nSFPMOV L10, L0, 0\n" +
                          access("SFPSTORE", 0, 0) + "SFPENCC 3, 0, 10\nINCRWC DstInc=2\n";
  const Program program = assembled_program(GetParam(), fmt::format(".repeat 32\n{}.endr\n", row));
  const auto rows = find_rows(GetParam(), program, {.as_kernel = true});
  ASSERT_TRUE(rows) << to_string(rows.error());
  const RowGraph& graph = rows->row;
  const Node& choice = graph.nodes.back();
  ASSERT_EQ(choice.conditions, 1);
  EXPECT_EQ(graph.nodes[kept_operand(choice)].op, isa::Op::SFPABS) << to_text(graph);
}

// ------------------------------------------------------------------ identities
/// Whether a graph takes the maximum of the loaded value itself.
bool clamps_first(const RowGraph& row) {
  return std::ranges::any_of(row.nodes, [&](const Node& node) {
    return node.op == isa::Op::SFPSWAP && row.nodes[node.operands[0]].kind == NodeKind::Load;
  });
}
bool has_clamp_first(const RowGraph& row) {
  return std::ranges::any_of(equal_graphs(row, {.allow_nan = true}), clamps_first);
}
/// max(x + addend, L`limit`), with the addend's upper half.
std::string maximum_of_sum(unsigned addend, unsigned limit) {
  return fmt::format("SFPADDI 0x{:x}, L0, 0\nSFPNOP\nSFPMOV L{}, L1, 2\nSFPSWAP L0, L1, 1\n",
                     addend, limit);
}

// max(x + a, b) is max(x, b - a) + a only where b - a is an FP32 number: 1 - 2^25 is none.
TEST_P(FollowedRows, ClampsComeFirstOnlyWhereTheDifferenceIsExact) {
  EXPECT_TRUE(has_clamp_first(graph(maximum_of_sum(0x4B00, 10))));  // 1 - 2^23
  EXPECT_FALSE(has_clamp_first(graph(maximum_of_sum(0x4C00, 10)))); // 1 - 2^25
}

TEST_P(FollowedRows, TheLimitOfAnEarlierClampIsTheDifference) {
  const auto graphs = equal_graphs(graph(maximum_of_sum(0x3F80, 10)), {.allow_nan = true});
  const auto first = std::ranges::find_if(graphs, clamps_first);
  ASSERT_NE(first, graphs.end());
  const auto clamp = std::ranges::find(first->nodes, isa::Op::SFPSWAP, &Node::op);
  EXPECT_EQ(first->nodes[clamp->operands[1]].bits, kZeroBits); // 1 - 1
}

// max(x + 127, 0) * (x + 127): the sum is needed as it is.
TEST_P(FollowedRows, ClampsStayBehindSumsThatOthersUse) {
  const std::string sum = "SFPADDI 0x42fe, L0, 0\nSFPNOP\nSFPMOV L0, L2, 2\n";
  const std::string clamp = "SFPMOV L9, L1, 2\nSFPSWAP L0, L1, 1\n";
  EXPECT_TRUE(has_clamp_first(graph(sum + clamp)));
  EXPECT_FALSE(has_clamp_first(graph(sum + clamp + "SFPMUL L0, L2, L9, L0, 0\nSFPNOP")));
}

// |x| | x ^ x ..., three uses of x: only the last one loads it again.
TEST_P(FollowedRows, OnlyTheLastUseLoadsAgain) {
  const RowGraph row = graph(
      "SFPABS L0, L1, 1\nSFPXOR L0, L1\nSFPABS L1, L1, 1\nSFPXOR L0, L1\n"
      "SFPMOV L1, L0, 2");
  const auto loads = [](const RowGraph& each) {
    return std::ranges::count(each.nodes, NodeKind::Load, &Node::kind);
  };
  long most = 0;
  for (const RowGraph& each : equal_graphs(row, {})) most = std::max<long>(most, loads(each));
  EXPECT_EQ(loads(row), 1);
  EXPECT_EQ(most, 2);
}

} // namespace
} // namespace lanewise::tune
