// What a finding says, how repeats are merged, and programs about which nothing may be said.
#include "chip/machine/kernel_entry.h"
#include "timing/hazard_cases.h"

namespace lanewise::test {
namespace {

using timing::CheckOptions;
using timing::Hazard;

std::vector<Hazard> hazards_of(ClockRig& rig, std::string_view source,
                               const CheckOptions& options = {}) {
  const Expected<Program> words = assembly::assemble(rig.arch(), source, "test.tt");
  if (!words) {
    ADD_FAILURE() << to_string(words.error());
    return {};
  }
  const MicroProgram program = FrontEnd(rig.arch()).expand(*words);
  CheckOptions with_words = options;
  with_words.source = &*words;
  return timing::find_hazards(timing::schedule(rig.state(), program), program, rig.state(),
                              with_words);
}

std::string sentences(const std::vector<Hazard>& hazards) {
  std::string all;
  for (const Hazard& hazard : hazards) all += hazard.text("") + "\n";
  return all;
}

using HazardsOnBothChips = ClockOnBothChips;
using HazardsOnBlackhole = ClockOnBlackhole;
using HazardsOnWormhole = ClockOnWormhole;
LANEWISE_ON_BOTH_CHIPS(HazardsOnBothChips);

TEST_F(HazardsOnWormhole, FindingNamesLinesCycleAndMend) {
  const auto hazards = hazards_of(rig,
                                  "SFPMAD L0, L1, L9, L2, 0\n"
                                  "SFPSTORE L2, FP32, 3, 0\n"
                                  "SFPABS L4, L5, 1\n");
  ASSERT_EQ(hazards.size(), 1U);
  const Hazard& hazard = hazards[0];
  EXPECT_EQ(hazard.cycle, 1U);
  EXPECT_EQ(hazard.line, 2U);
  EXPECT_EQ(hazard.other_line, 1U);
  EXPECT_EQ(hazard.count, 1U);
  EXPECT_EQ(hazard.instruction, "SFPSTORE L2, 3, 3, 0");
  EXPECT_EQ(hazard.mend,
            "insert SFPNOP before line 2, or move line 3 (SFPABS L4, L5, 1), which is independent, "
            "here");
  const std::string text = hazard.text("kernel.tt");
  EXPECT_EQ(text.find("kernel.tt: line 2, cycle 1: mad-result: SFPSTORE L2, 3, 3, 0: reads L2"), 0U)
      << text;
  EXPECT_NE(text.find("SFPMAD of line 1"), std::string::npos) << text;
  EXPECT_NE(text.find("[VU 5.4"), std::string::npos) << text;
}

TEST_F(HazardsOnWormhole, FaultHasKindLineAndRemedy) {
  const auto hazards = hazards_of(rig, "SFPMAD L0, L1, L9, L2, 0\nSFPSTORE L2, FP32, 3, 0\n");
  ASSERT_EQ(hazards.size(), 1U);
  const Fault fault = hazards[0].to_fault();
  EXPECT_EQ(fault.kind, FaultKind::UnpredictableValue);
  EXPECT_EQ(fault.line, 2U);
  EXPECT_EQ(fault.instruction, "SFPSTORE");
  EXPECT_EQ(fault.remedy, hazards[0].mend);
}

TEST_F(HazardsOnWormhole, OnlyIndependentInstructionsAreOfferedToMove) {
  const std::string pair = "SFPMAD L0, L1, L9, L2, 0\nSFPSTORE L2, FP32, 3, 0\n";
  for (const std::string next : {
           "SFPABS L2, L5, 1\n",        // reads the result
           "SFPABS L5, L2, 1\n",        // overwrites it
           "SFPSETCC 0, L4, 0, 0\n",    // switches lanes off
           "SFPSTORE L4, FP32, 3, 4\n", // order of accesses
           "SFPMOV L9, L4, 8\n",        // order of random numbers
       }) {
    const auto hazards = hazards_of(rig, pair + next);
    ASSERT_FALSE(hazards.empty()) << next;
    EXPECT_EQ(hazards[0].mend, "insert SFPNOP before line 2") << next;
  }
}

TEST_F(HazardsOnWormhole, DistanceThatOthersNeedIsNotTakenAway) {
  const auto hazards = hazards_of(rig,
                                  "SFPMAD L0, L1, L9, L2, 0\n"
                                  "SFPSTORE L2, FP32, 3, 0\n"
                                  "SFPMAD L0, L1, L9, L4, 0\n"
                                  "SFPABS L5, L6, 1\n" // keeps the next line away from the SFPMAD
                                  "SFPSTORE L4, FP32, 3, 4\n");
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].mend.find("line 4"), std::string::npos) << hazards[0].mend;
}

// VU 5.4: behind an SFPSHFT2 of two cycles nothing may execute that shares its result port.
TEST_F(HazardsOnWormhole, WhatSharesTheResultPortIsNotMovedBehindAShuffle) {
  const std::string pair = "SFPSHFT2 0, L4, L4, 3\nSFPSTORE L4, FP32, 3, 0\n";
  for (const std::string sharer : {"SFPABS L5, L6, 1\n", "SFPSTOCHRND 0, 0, L6, L6, L5, 1\n"}) {
    const auto hazards = hazards_of(rig, pair + sharer);
    ASSERT_EQ(hazards.size(), 1U) << sentences(hazards);
    EXPECT_EQ(hazards[0].mend.find("move"), std::string::npos) << hazards[0].mend;
  }
  const auto hazards = hazards_of(rig, pair + "SFPMAD L5, L6, L9, L5, 0\n");
  ASSERT_EQ(hazards.size(), 1U) << sentences(hazards);
  EXPECT_NE(hazards[0].mend.find("move line 3"), std::string::npos) << "MAD has its own port";
}

TEST_F(HazardsOnWormhole, DistanceToTheResultPortIsNotTakenAway) {
  const auto mend_with = [&](const std::string& last) {
    const auto hazards = hazards_of(rig,
                                    "SFPMAD L0, L1, L9, L2, 0\n"
                                    "SFPSTORE L2, FP32, 3, 0\n"
                                    "SFPSHFT2 0, L4, L4, 3\n"
                                    "SFPMUL L6, L6, L9, L5, 0\n" + // between it and the last
                                        last);
    EXPECT_EQ(hazards.size(), 1U) << sentences(hazards);
    return hazards.empty() ? "" : hazards[0].mend;
  };
  EXPECT_EQ(mend_with("SFPABS L7, L7, 1\n").find("line 4"), std::string::npos);
  EXPECT_NE(mend_with("SFPLOADI L7, 2, 0\n").find("line 4"), std::string::npos);
}

// VU 5.5: of Simple and Round in one cycle exactly one must write L16. That is the whole finding:
// what both write is not also one about the order of two writes.
TEST_P(HazardsOnBothChips, SimpleAndRoundOfOneCycleAreOneFinding) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_template(1, "SFPSTOCHRND 0, 0, L0, L0, L0, 1");
  for (const bool macro_lreg : {false, true}) {
    rig.set_sequence(0, sequence({.selector = 4, .macro_lreg = macro_lreg}, {},
                                 {.selector = 5, .macro_lreg = macro_lreg}, {}));
    const auto hazards = hazards_of(rig, std::string(kLoadMacro) + "SFPNOP\nSFPNOP\n");
    const auto count = [&](std::string_view id) {
      return std::ranges::count_if(hazards,
                                   [&](const Hazard& hazard) { return hazard.rule->id == id; });
    };
    EXPECT_EQ(count("macro-write-port"), 1) << sentences(hazards);
    EXPECT_EQ(count("write-order"), 0) << sentences(hazards);
  }
}

TEST_F(HazardsOnWormhole, RepeatsAreCounted) {
  const auto hazards =
      hazards_of(rig, ".repeat 5\nSFPMAD L0, L1, L9, L2, 0\nSFPSTORE L2, FP32, 3, 0\n.endr\n");
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_EQ(hazards[0].count, 5U);
  EXPECT_EQ(hazards[0].cycle, 1U) << "the first time";
  EXPECT_NE(hazards[0].text("").find("(5 times)"), std::string::npos);
}

TEST_F(HazardsOnWormhole, FindingsComeInOrderOfCycle) {
  const auto hazards = hazards_of(rig,
                                  "SFPMAD L0, L1, L9, L2, 0\nSFPSTORE L2, FP32, 3, 0\n"
                                  "SFPLOAD L3, FP32, 3, 5\n"
                                  "SFPMAD L0, L1, L9, L4, 0\nSFPSTORE L4, FP32, 3, 8\n");
  ASSERT_EQ(hazards.size(), 3U) << sentences(hazards);
  EXPECT_LT(hazards[0].cycle, hazards[1].cycle);
  EXPECT_LT(hazards[1].cycle, hazards[2].cycle);
}

// timing.md: a checker must stay silent on these.
TEST_P(HazardsOnBothChips, SilentOnSwapsWithoutPadding) {
  const auto hazards = hazards_of(rig,
                                  "SFPSWAP L0, L1, 1\nSFPSWAP L0, L2, 1\nSFPSWAP L1, L2, 1\n"
                                  "SFPABS L0, L0, 1\n");
  EXPECT_TRUE(hazards.empty()) << sentences(hazards);
}

TEST_F(HazardsOnBlackhole, SilentOnLutAndItsStore) {
  for (const std::string_view lut : {"SFPLUT L0, 0", "SFPLUTFP32 L0, 0", "SFPLUTFP32 L0, 2"}) {
    const auto hazards =
        hazards_of(rig, std::string(lut) + "\nSFPSTORE L0, FP32, 3, 0\nINCRWC DstInc=2\n");
    EXPECT_TRUE(hazards.empty()) << sentences(hazards);
  }
}

TEST_P(HazardsOnBothChips, SilentOnIaddAndItsStore) {
  const auto hazards = hazards_of(rig, "SFPIADD 1, L0, L1, 5\nSFPSTORE L1, INT32, 3, 0\n");
  EXPECT_TRUE(hazards.empty()) << sentences(hazards);
}

TEST_F(HazardsOnBlackhole, SilentOnSpuriousStalls) { // VU 5.3: slow, not wrong
  for (const std::string_view reader :
       {"SFPSTOCHRND 0, 0, L2, L0, L3, 1", "SFPAND L0, L1, L2, 1", "SFPLUTFP32 L4, 0"}) {
    const auto hazards = hazards_of(rig, "SFPMAD L0, L1, L9, L2, 0\n" + std::string(reader) + "\n");
    EXPECT_TRUE(hazards.empty()) << sentences(hazards);
  }
}

// VU 5.5: a macro each cycle, whose Round writes LReg[16] while Store reads what was there before.
TEST_P(HazardsOnBothChips, SilentOnOneMacroPerCycle) {
  rig.set_template(2, "SFPSTOCHRND 0, 0, L0, L0, L0, 1");
  rig.set_sequence(0, sequence({}, {}, {6, 0, true}, {3, 1, true}));
  constexpr std::uint32_t kFp32 = 3;
  rig.set_misc(kFp32);
  std::string program = "REPLAY 0, 8, 0, 1\n";
  for (unsigned i = 0; i < 8; ++i)
    program += fmt::format("SFPLOADMACRO 0, {}, FP32, 3, {}, 0\n", i % 4, i);
  program += "REPLAY 0, 8, 0, 0\n";
  const auto hazards = hazards_of(rig, program, {.pushed = true});
  EXPECT_TRUE(hazards.empty()) << sentences(hazards);
}

/// A macro per cycle, each with a product in LReg[16] and a store of it, replayed.
std::string products_and_stores(ClockRig& rig, unsigned delay, std::uint32_t misc) {
  rig.set_template(0, "SFPMAD L0, L10, L9, L0, 0");
  constexpr std::uint32_t kFp32 = 3;
  rig.set_misc(misc | kFp32);
  rig.set_sequence(0, sequence({}, {4, 0, true}, {}, {3, delay, true}));
  std::string macros;
  for (unsigned i = 0; i < 6; ++i)
    macros += fmt::format("SFPLOADMACRO 0, {}, FP32, 3, {}, 0\n", i % 4, 2 * i);
  return "REPLAY 0, 8, 0, 1\n" + macros + "SFPNOP\nSFPNOP\nREPLAY 0, 8, 0, 0\n";
}

// The store of each macro takes the product of its own, while that of the next is on its way: what
// it reads is what was there before, on purpose.
TEST_P(HazardsOnBothChips, SilentOnOldValuesThatAreWanted) {
  for (const std::uint32_t misc : {0U, 0xF00U}) {
    const auto hazards = hazards_of(rig, products_and_stores(rig, 2, misc));
    EXPECT_TRUE(hazards.empty()) << sentences(hazards);
  }
}

// One instruction earlier it takes the product of the macro before, and puts it into its own row.
TEST_P(HazardsOnBothChips, StoresOfAnotherMacrosResultAreFound) {
  for (const std::uint32_t misc : {0U, 0xF00U}) {
    const auto hazards = hazards_of(rig, products_and_stores(rig, 1, misc));
    ASSERT_EQ(hazards.size(), 6U) << sentences(hazards);
    for (const Hazard& each : hazards) EXPECT_EQ(each.rule->id, "macro-result");
  }
}

// Where the distance holds, two-cycle results of macros may be used.
TEST_P(HazardsOnBothChips, SilentOnMacrosThatKeepTheDistance) {
  rig.set_template(0, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_sequence(0, sequence({}, {4, 0}, {}, {3, 2}));
  constexpr std::uint32_t kFp32 = 3;
  rig.set_misc(kFp32);
  const auto hazards =
      hazards_of(rig,
                 "REPLAY 0, 4, 0, 1\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPNOP\n"
                 "REPLAY 0, 4, 0, 0\nREPLAY 0, 4, 0, 0\n");
  // The second pass loads what the first has stored one cycle before: that is a finding, and on
  // purpose the only one.
  ASSERT_EQ(hazards.size(), 1U) << sentences(hazards);
  EXPECT_EQ(hazards[0].rule->id, GetParam() == Arch::Blackhole ? "macro-store-load" : "store-load");
}

// The two findings of one pair of instructions are one.
TEST_F(HazardsOnWormhole, OneFindingForPortAndRegister) {
  const auto hazards = hazards_of(rig, "SFPSHFT2 0, L4, L4, 3\nSFPABS L4, L4, 1\n");
  ASSERT_EQ(hazards.size(), 1U) << sentences(hazards);
  EXPECT_EQ(hazards[0].rule->id, "shft2-result");
}

// A product and a constant land in the same cycle, and which of them stays depends on the core.
TEST_P(HazardsOnBothChips, ResultsThatLandTogetherDependOnTheCore) {
  rig.set_template(0, "SFPMAD L0, L10, L9, L0, 0");
  rig.set_sequence(0, sequence({}, {4}, {}, {}));
  const auto hazards =
      hazards_of(rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 2, 0\n");
  EXPECT_TRUE(std::ranges::any_of(hazards, [](const timing::Hazard& each) {
    return each.rule->id == "macro-core-timing";
  })) << sentences(hazards);
}

TEST_P(HazardsOnBothChips, WhatTheKernelFoundAlreadyIsNotItsFault) {
  rig.vector().set_lane_config({4, 4, 4, 4, 4, 4, 4, 4});
  rig.set_misc(0x100);
  const MachineState start = rig.state();
  const timing::Schedule schedule = rig.run_timed("SFPABS L0, L0, 1\n");
  const auto hazards = timing::find_contract_breaks(start, rig.state(), schedule);
  EXPECT_TRUE(hazards.empty()) << sentences(hazards);
}

} // namespace
} // namespace lanewise::test
