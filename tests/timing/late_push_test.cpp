// Pauses of the core: how they move a schedule, and what is said of them.
#include "chip/timing/hazards/late_push.h"
#include "chip/machine/kernel_entry.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::LatePushes;
using timing::PauseSearch;

using PausesOnBothChips = ClockOnBothChips;
using PausesOnBlackhole = ClockOnBlackhole;
using PausesOnWormhole = ClockOnWormhole;
LANEWISE_ON_BOTH_CHIPS(PausesOnBothChips);

LatePushes pauses(ClockRig& rig, std::string_view source, PauseSearch search = PauseSearch::Whole,
                  const timing::PauseProgress& progress = {}) {
  const Program program = rig.assemble(source);
  return timing::find_late_pushes(program, rig.machine().prepare(program), rig.state(), search,
                                  progress);
}

// A pause is counted from when the front end could take the word, and all that follow come later.
TEST_P(PausesOnBothChips, MoveTheWordAndAllBehindIt) {
  const std::string words = "SFPNOP\nSFPNOP\nSFPNOP\nSFPNOP\n";
  EXPECT_EQ(slots(rig.schedule(words, {.pauses = {{2, 3}}})), (Cycles{0, 1, 5, 6}));
  EXPECT_EQ(slots(rig.schedule(words, {.pauses = {{1, 1}, {3, 2}}})), (Cycles{0, 2, 3, 6}));
  EXPECT_EQ(slots(rig.schedule(words, {.push_interval = 2.0, .pauses = {{1, 1}}})),
            (Cycles{0, 3, 5, 7}));
}

// What REPLAY expands to comes without a pause; the next word that the core pushes does not.
TEST_P(PausesOnBothChips, ReplayedWordsStayTogether) {
  const std::string words = "REPLAY 0, 2, 0, 1\nSFPNOP\nSFPNOP\nREPLAY 0, 2, 0, 0\nSFPNOP\n";
  EXPECT_EQ(slots(rig.schedule(words, {.pauses = {{3, 2}, {4, 4}}})), (Cycles{5, 6, 11}));
}

/// A macro of cycles: |x| a cycle later, stored after three.
void program_late_macro(ClockRig& rig) {
  enter_kernel(rig.state());
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_misc(3); // stores are FP32
  rig.set_sequence(0, sequence({4}, {}, {}, {3, 2}));
}

TEST_P(PausesOnBothChips, NameTheWordTheStoreAndTheShortestPause) {
  program_late_macro(rig);
  const LatePushes late =
      pauses(rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\n");
  ASSERT_EQ(late.hazards.size(), 1U);
  EXPECT_EQ(late.hazards[0].rule->id, "late-push");
  EXPECT_EQ(late.hazards[0].line, 3U);
  EXPECT_EQ(late.hazards[0].other_line, 1U);
  EXPECT_EQ(late.hazards[0].instruction, "SFPLOADI L0, 0, 0x3f80");
  // On time it executes in cycle 2, and the store in cycle 3 takes what it has loaded. Late by one
  // it executes with the store, which takes what was there.
  EXPECT_NE(late.hazards[0].message.find("pushes it 1 cycle late"), std::string::npos)
      << late.hazards[0].message;
  EXPECT_NE(late.hazards[0].message.find("SFPSTORE that line 1 schedules"), std::string::npos)
      << late.hazards[0].message;
  // A pause before line 2 delays line 3 as much, and is no matter of its own.
  EXPECT_NE(late.hazards[0].message.find("any word from line 2 on"), std::string::npos)
      << late.hazards[0].message;
  EXPECT_EQ(late.tried.words, 3U);
  EXPECT_EQ(late.tried.changed, 2U);
  EXPECT_TRUE(late.tried.whole);
}

TEST_P(PausesOnBothChips, FindNothingWhereNothingIsUnderWay) {
  enter_kernel(rig.state());
  const LatePushes late =
      pauses(rig, "SFPLOAD L0, FP32, 3, 0\nSFPABS L0, L0, 1\nSFPNOP\nSFPSTORE L0, FP32, 3, 0\n");
  EXPECT_TRUE(late.hazards.empty());
  EXPECT_EQ(late.tried.words, 4U);
}

// VU 5.4: without an interlock a pause decides which value is read.
TEST_F(PausesOnWormhole, WholeSearchKnowsWhatHardwareReads) {
  enter_kernel(rig.state());
  const std::string source =
      "SFPLOAD L0, FP32, 3, 0\nSFPMAD L0, L0, L9, L0, 0\nSFPSTORE L0, FP32, 3, 0\n";
  const LatePushes late = pauses(rig, source);
  ASSERT_EQ(late.hazards.size(), 1U);
  EXPECT_EQ(late.hazards[0].line, 3U);
  EXPECT_TRUE(pauses(rig, source, PauseSearch::Quick).hazards.empty());
}

TEST_F(PausesOnBlackhole, InterlockHoldsWhatComesTooEarly) {
  enter_kernel(rig.state());
  const LatePushes late =
      pauses(rig, "SFPLOAD L0, FP32, 3, 0\nSFPMAD L0, L0, L9, L0, 0\nSFPSTORE L0, FP32, 3, 0\n");
  EXPECT_TRUE(late.hazards.empty());
}

// Without a store, registers are what a program leaves.
TEST_P(PausesOnBothChips, CompareRegistersWhereNothingIsStored) {
  enter_kernel(rig.state());
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 1}, {}, {}, {}));
  const LatePushes late = pauses(rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPMOV L0, L1, 0\n");
  ASSERT_EQ(late.hazards.size(), 1U);
  EXPECT_NE(late.hazards[0].message.find("L1 holds something else"), std::string::npos)
      << late.hazards[0].message;
}

// Where something is stored, registers are no result.
TEST_P(PausesOnBothChips, RegistersBesideStoresAreNotCompared) {
  enter_kernel(rig.state());
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({4, 1}, {}, {}, {}));
  const LatePushes late =
      pauses(rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPMOV L0, L1, 0\nSFPSTORE L2, FP32, 3, 2\n");
  EXPECT_TRUE(late.hazards.empty());
}

// On time the flags of line 1 come last; if SFPENCC comes late, all lanes are enabled at the end.
TEST_P(PausesOnBothChips, CompareWhichLanesAreEnabled) {
  enter_kernel(rig.state());
  rig.set_template(0, "SFPSETCC 0, L0, 0, 6");
  rig.set_sequence(0, sequence({4, 2}, {}, {}, {}));
  const LatePushes late = pauses(
      rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPENCC Imm2=3, Mod1=10\nSFPNOP\nSFPNOP\nSFPNOP\n");
  ASSERT_FALSE(late.hazards.empty());
  EXPECT_NE(late.hazards[0].message.find("other lanes are enabled"), std::string::npos)
      << late.hazards[0].message;
}

// Quick: of a line's words the last three as well as the first.
TEST_P(PausesOnBothChips, QuickSearchTriesBothEndsOfALine) {
  program_late_macro(rig);
  Program program = rig.assemble(
      ".repeat 7\nSFPNOP\n.endr\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 0, "
      "0x3F80\n");
  for (ProgramWord& word : program.words) word.line = 1;
  program.words[7].line = 2; // the macro
  const LatePushes late = timing::find_late_pushes(program, rig.machine().prepare(program),
                                                   rig.state(), PauseSearch::Quick);
  ASSERT_EQ(late.hazards.size(), 1U);
  EXPECT_EQ(late.hazards[0].instruction, "SFPLOADI L0, 0, 0x3f80");
}

// A store of 32 bits writes two halves of Dst; only the low one changes here.
TEST_P(PausesOnBothChips, NameTheStoreOfALowHalf) {
  program_late_macro(rig);
  const LatePushes late =
      pauses(rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 10, 0x1234\n");
  ASSERT_EQ(late.hazards.size(), 1U);
  EXPECT_NE(late.hazards[0].message.find(
                "SFPSTORE that line 1 schedules leaves something else in row 0,"),
            std::string::npos)
      << late.hazards[0].message;
}

TEST_P(PausesOnBothChips, StopWhenToldTo) {
  program_late_macro(rig);
  std::size_t all = 0;
  const LatePushes late =
      pauses(rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\n",
             PauseSearch::Whole, [&](std::size_t, std::size_t words) {
               all = words;
               return false;
             });
  EXPECT_TRUE(late.hazards.empty());
  EXPECT_FALSE(late.tried.whole);
  EXPECT_EQ(late.tried.runs, 0U);
  EXPECT_EQ(all, 3U);
}

TEST_P(PausesOnBothChips, AreNotTriedWhereNobodyWantsThem) {
  program_late_macro(rig);
  const LatePushes late = pauses(
      rig, "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\n", PauseSearch::None);
  EXPECT_TRUE(late.hazards.empty());
  EXPECT_EQ(late.tried.words, 0U);
}

} // namespace
} // namespace lanewise::test
