// MOP and MOP_CFG: both templates, and REPLAY behind them (ISA MOPExpander).
#include "chip/isa/limits.h"
#include "machine/machine_fixture.h"

namespace lanewise::test {
namespace {

class Mop : public OnBothChips {
 protected:
  /// The words that a program expands to, as the numbers that its SETC16 write.
  std::vector<unsigned> expanded(std::string_view source) {
    const auto program = assembly::assemble(GetParam(), source, "test.tt");
    if (!program) {
      ADD_FAILURE() << to_string(program.error());
      return {};
    }
    last_ = rig.machine().prepare(*program);
    std::vector<unsigned> values;
    for (const MicroOp& op : last_.ops) values.push_back(op.word & 0xFF);
    return values;
  }
  std::vector<unsigned> expanded_clean(std::string_view source) {
    auto values = expanded(source);
    for (const Fault& fault : last_.faults) ADD_FAILURE() << to_string(fault);
    return values;
  }
  /// MopCfg[i] = SETC16 of i, but for the words named.
  static std::string config(std::string_view others) {
    std::string text;
    for (unsigned i = 0; i < kMopWords; ++i) text += fmt::format(".mop {} SETC16 0, {}\n", i, i);
    return text + std::string(others) + "\n";
  }
  MicroProgram last_;
  using List = std::vector<unsigned>;
};
LANEWISE_ON_BOTH_CHIPS(Mop);

TEST_P(Mop, Template0IssuesA0) {
  EXPECT_EQ(expanded_clean(config(".mop 1 0") + "MOP 0, 2, 0"), (List{3, 3, 3})) << "count - 1";
}

// Also one that has been met before.
TEST_P(Mop, WhatFollowsComesBehindTheLoop) {
  EXPECT_EQ(expanded_clean(config(".mop 1 0") + "SETC16 0, 9\nMOP 0, 2, 0\nSETC16 0, 9"),
            (List{9, 3, 3, 3, 9}));
}

TEST_P(Mop, Template0FlagsAddBAndA123) {
  EXPECT_EQ(expanded_clean(config(".mop 1 1") + "MOP 0, 1, 0"), (List{3, 2, 3, 2}));
  EXPECT_EQ(expanded_clean(config(".mop 1 2") + "MOP 0, 0, 0"), (List{3, 4, 5, 6}));
  EXPECT_EQ(expanded_clean(config(".mop 1 3") + "MOP 0, 0, 0"), (List{3, 4, 5, 6, 2}));
}

TEST_P(Mop, Template0MaskSkips) {
  EXPECT_EQ(expanded_clean(config(".mop 1 0") + "MOP 0, 3, 0b0110"), (List{3, 7, 7, 3}));
  EXPECT_EQ(expanded_clean(config(".mop 1 3") + "MOP 0, 1, 0b01"), (List{7, 8, 3, 4, 5, 6, 2}));
}

TEST_P(Mop, MopCfgGivesTheHighMaskAndKeepsIt) {
  const auto values = expanded_clean(config(".mop 1 0") + "MOP_CFG 1\nMOP 0, 33, 0\nMOP 0, 16, 0");
  ASSERT_EQ(values.size(), 34U + 17);
  EXPECT_EQ(values[16], 7U) << "bit 16";
  EXPECT_EQ(std::count(values.begin(), values.end(), 7U), 2);
  EXPECT_EQ(values[33], 3U) << "behind the 32 bits of the mask";
  EXPECT_EQ(values[34 + 16], 7U) << "the next MOP sees it too";
}

TEST_P(Mop, Template1IsADoubleLoop) {
  EXPECT_EQ(expanded_clean(config(".mop 0 2\n.mop 1 3\n.mop 6 NOP") + "MOP 1, 0, 0"),
            (List{2, 5, 5, 8, 3, 4, 2, 5, 5, 7, 3, 4}));
}

TEST_P(Mop, Template1Alternates) { // with LoopOp1, the inner loop is twice as long
  EXPECT_EQ(expanded_clean(config(".mop 0 2\n.mop 1 2") + "MOP 1, 0, 0"),
            (List{2, 5, 6, 5, 8, 3, 4, 2, 5, 6, 5, 7, 3, 4}));
}

TEST_P(Mop, Template1LeavesOutNops) {
  EXPECT_EQ(expanded_clean(config(".mop 0 1\n.mop 1 1\n.mop 2 NOP\n.mop 3 NOP\n.mop 6 NOP") +
                           "MOP 1, 0, 0"),
            (List{7}))
      << "without EndOp0 there is no EndOp1";
  EXPECT_EQ(expanded_clean(".mop 3 SETC16 0, 3\n.mop 4 NOP\nMOP 1, 0, 0"), (List{7, 3}));
  EXPECT_EQ(expanded_clean(".mop 2 SFPNOP\nMOP 1, 0, 0").size(), 3U) << "only NOP itself";
}

TEST_P(Mop, Template1CountsHaveSevenBits) {
  EXPECT_EQ(expanded_clean(config(".mop 0 0x81\n.mop 1 0x82\n.mop 6 NOP") + "MOP 1, 0, 0"),
            (List{2, 5, 7, 3, 4}));
  EXPECT_EQ(expanded_clean(".mop 0 0x80\nMOP 1, 0, 0"), List{});
  // The longest: 127 times 1 + 254 + 2.
  EXPECT_EQ(expanded_clean(config(".mop 0 127\n.mop 1 127") + "MOP 1, 0, 0").size(), 32639U);
}

TEST_P(Mop, Template1HardwareBug) { // outer 1, inner 0, no StartOp, an EndOp0: 129 times
  EXPECT_EQ(
      expanded_clean(config(".mop 0 1\n.mop 1 0\n.mop 2 NOP\n.mop 4 NOP") + "MOP 1, 0, 0").size(),
      129U);
  EXPECT_EQ(expanded_clean(".mop 2 SETC16 0, 2\nMOP 1, 0, 0"), (List{2, 3}));
}

TEST_P(Mop, ReplayComesBehind) {
  const std::string program = config(".mop 0 2\n.mop 1 1\n.mop 2 NOP\n.mop 3 NOP\n.mop 6 NOP") +
                              ".mop 7 REPLAY 4, 2, 0, 0\n.mop 8 REPLAY 4, 2, 0, 0\n"
                              "REPLAY 4, 2, 0, 1\nSETC16 0, 100\nSETC16 0, 101\nMOP 1, 0, 0\n"
                              "SETC16 0, 102";
  EXPECT_EQ(expanded_clean(program), (List{100, 101, 100, 101, 102}));
  ASSERT_EQ(last_.supply.size(), 5U);
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_EQ(last_.supply[i].word, 3U) << "the MOP brought it";
    EXPECT_TRUE(last_.supply[i].expanded);
  }
  EXPECT_EQ(last_.supply[4].word, 4U);
  EXPECT_FALSE(last_.supply[4].expanded);
}

TEST_P(Mop, WhatItIssuesCanBeRecorded) {
  EXPECT_EQ(expanded_clean(config(".mop 1 0") +
                           "REPLAY 0, 3, 0, 1\nMOP 0, 2, 0\nSETC16 0, 9\nREPLAY 0, 3, 0, 0"),
            (List{9, 3, 3, 3}));
}

TEST_P(Mop, LoopsOfAMatrixMultiplicationExecute) { // MU 3.3: counters move as in a matmul
  const ArchParams& chip = arch_params(GetParam());
  rig.run_clean(
      fmt::format("SETC16 {}, 8\n.mop 0 4\n.mop 1 16\n.mop 2 NOP\n.mop 3 NOP\n.mop 4 NOP"
                  "\n.mop 5 MOVD2A DstRow=0\n.mop 6 NOP\n.mop 7 MOVD2A DstRow=0\n"
                  ".mop 8 MOVD2A DstRow=0\nMOP 1, 0, 0",
                  chip.config.addr_mod_dst_word));
  EXPECT_EQ(rig.rwc().dst, 4 * 16 * 8U);
}

TEST_P(Mop, ConfigurationOutlivesAProgramAndCountsFromWhereItStands) {
  expanded_clean(config(".mop 1 0"));
  EXPECT_EQ(expanded_clean("MOP 0, 0, 0\n.mop 3 SETC16 0, 50\nMOP 0, 0, 0"), (List{3, 50}));
  EXPECT_EQ(last_.ops[0].line, 1U) << "the line of the other program means nothing";
  EXPECT_EQ(last_.ops[1].line, 2U) << "where the instruction is written";
  rig.machine().reset();
  EXPECT_FALSE(expanded("MOP 0, 0, 0").empty());
  EXPECT_FALSE(last_.faults.empty());
}

TEST_P(Mop, WordsThatNothingHasWrittenAreReported) {
  expanded(".mop 1 1\n.mop 3 SETC16 0, 3\nMOP 0, 0, 0");
  ASSERT_EQ(last_.faults.size(), 1U);
  EXPECT_EQ(last_.faults[0].kind, FaultKind::UnpredictableValue);
  EXPECT_NE(last_.faults[0].message.find("MopCfg[2]"), std::string::npos);
  EXPECT_EQ(last_.faults[0].line, 3U);
}

TEST_P(Mop, MopsDoNotNest) {
  EXPECT_EQ(expanded(config(".mop 1 1\n.mop 3 MOP 0, 0, 0") + "MOP 0, 0, 0"), (List{2}));
  ASSERT_EQ(last_.faults.size(), 1U);
  EXPECT_EQ(last_.faults[0].kind, FaultKind::UndefinedBehavior);
  EXPECT_EQ(last_.faults[0].instruction, "MOP");
}

TEST_P(Mop, ProgramsThatGrowTooLongAreCutAndReported) {
  const auto values = expanded(config(".mop 0 127\n.mop 1 127\n.mop 5 REPLAY 0, 0, 0, 0\n"
                                      ".mop 6 REPLAY 0, 0, 0, 0") +
                               "REPLAY 0, 32, 0, 1\n.repeat 32\nNOP\n.endr\n.repeat 1000\n"
                               "MOP 1, 0, 0\n.endr");
  EXPECT_EQ(values.size(), isa::kMostWords);
  ASSERT_FALSE(last_.faults.empty());
  EXPECT_EQ(last_.faults[0].kind, FaultKind::Unsupported);
}

TEST_P(Mop, TheDirectiveChecksItsPlaceAndNumbers) {
  const auto mistake = [&](std::string_view source) {
    const auto program = assembly::assemble(GetParam(), source, "test.tt");
    return program ? std::string() : to_string(program.error());
  };
  EXPECT_NE(mistake(".mop 9 0").find("MopCfg has no word 9"), std::string::npos);
  EXPECT_NE(mistake(".mop -1 0").find("MopCfg"), std::string::npos);
  EXPECT_NE(mistake(".mop 1 0x100000000").find("32 bits"), std::string::npos);
  EXPECT_NE(mistake(".repeat 2\n.mop 1 0\n.endr").find("before the .repeat"), std::string::npos);
  EXPECT_NE(mistake(".mop 1").find("1:7"), std::string::npos) << mistake(".mop 1");
  EXPECT_EQ(mistake(".equ LOOPS 3\n.mop 1, LOOPS\n.mop 5 TTI_SETC16(1, 2);\n.mop 6, setc16 1, 2"),
            "");
}

/// What cannot be executed counts as well: it takes its time.
TEST_P(Mop, ProgramsThatGrowTooLongWithNothingToExecuteAreCutAsWell) {
  EXPECT_EQ(
      expanded(
          ".mop 0 127\n.mop 1 127\n.mop 5 MOP 0, 0, 0\n.mop 7 MOP 0, 0, 0\n.mop 8 MOP 0, 0, 0\n"
          ".repeat 1000000\nMOP 1, 0, 0\n.endr\n"),
      List{});
  ASSERT_FALSE(last_.faults.empty());
  EXPECT_NE(last_.faults.back().message.find("more than 2000000 instructions"), std::string::npos);
}

} // namespace
} // namespace lanewise::test
