// Issue slots and stalls (VU 5.1 to 5.4; timing.md T1 to T5).
#include "chip/timing/schedule.h"

#include "chip/semantics/dst_format.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::Schedule;
using timing::StallCause;

using ScheduleOnBothChips = ClockOnBothChips;
using ScheduleOnBlackhole = ClockOnBlackhole;
using ScheduleOnWormhole = ClockOnWormhole;

LANEWISE_ON_BOTH_CHIPS(ScheduleOnBothChips);

/// Two instructions, the second of which reads or not what the first writes.
struct Pair {
  std::string_view first, second;
};

void PrintTo(const Pair& pair, std::ostream* out) {
  *out << pair.first << " / " << pair.second;
}

StallCause stall_cause(const timing::Issue& issue) {
  return issue.inside != 0 ? issue.inside_cause : issue.before_cause;
}

std::string source_of(const Pair& pair) {
  return fmt::format("{}\n{}\n", pair.first, pair.second);
}

TEST_P(ScheduleOnBothChips, OneInstructionPerCycleInOrder) { // T1
  const Schedule s = rig.schedule(
      "SFPLOAD L0, SRCB, 3, 0\nSFPABS L0, L1, 1\nSFPNOP\nSETRWC DstVal=0\nINCRWC DstInc=0\n"
      "SFPSTORE L1, SRCB, 3, 0\n");
  EXPECT_EQ(slots(s), (Cycles{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(execute_cycles(s), slots(s));
  EXPECT_EQ(s.cycles, 6U);
}

/// Five words, of which the core computes the third.
Program with_a_computed_word(const ClockRig& rig, std::string_view source) {
  Program program = rig.assemble(source);
  program.words[2].computed = true;
  return program;
}

// T5: a word whose fields are variables takes the core about 6 cycles, where its compiler has not
// made a constant of it; what is pushed behind it is later by as much.
TEST_P(ScheduleOnBothChips, ComputedWordIsPushedLate) {
  const MicroProgram program = rig.machine().prepare(with_a_computed_word(
      rig, "SFPMOV L0, L1, 0\nSFPMOV L0, L2, 0\nSFPMOV L0, L3, 0\nSFPMOV L0, L4, 0\nSFPNOP\n"));
  EXPECT_EQ(program.computed, std::vector<std::uint32_t>{2});
  EXPECT_EQ(slots(timing::schedule(rig.state(), program)), (Cycles{0, 1, 2, 3, 4}));
  const Schedule computed =
      timing::schedule(rig.state(), program, {.computed_push = timing::kComputedPush});
  EXPECT_EQ(slots(computed), (Cycles{0, 1, 7, 8, 9}));
  EXPECT_EQ(stall_cause(computed.issues[2]), StallCause::Push);
  EXPECT_EQ(stall_cause(computed.issues[3]), StallCause::None);
}

// T5, T1: the core computes while the expander plays what one word has brought: the word behind a
// replay of ten is there in cycle 4 + 5, while the last of them issues in cycle 13.
TEST_P(ScheduleOnBothChips, ReplayHidesWhatTheCoreComputes) {
  Program program = rig.assemble("REPLAY 0, 2, 0, 1\nSFPNOP\nSFPNOP\nREPLAY 0, 2, 0, 0\nSFPNOP\n");
  const auto last_slot = [&](std::uint32_t push) {
    return timing::schedule(rig.state(), rig.machine().prepare(program), {.computed_push = push})
        .issues.back()
        .slot;
  };
  const std::uint64_t constant = last_slot(1);
  program.words[4].computed = true;
  // Slots 3 and 4 replay; the word itself would be there in cycle 4.
  EXPECT_EQ(constant, 5U);
  EXPECT_EQ(last_slot(2), 5U);
  EXPECT_EQ(last_slot(3), 6U);
  EXPECT_EQ(last_slot(timing::kComputedPush), 9U);
}

TEST_P(ScheduleOnBothChips, EmptyProgramTakesNoCycle) {
  const Schedule s = rig.schedule("");
  EXPECT_EQ(s.cycles, 0U);
  EXPECT_TRUE(s.events.empty());
}

// T3: the instruction after SFPSWAP waits, independent or not; SFPNOP fills the hole.
TEST_P(ScheduleOnBothChips, SwapHoldsTheUnit) {
  const Schedule dependent = rig.schedule("SFPSWAP L1, L0, 1\nSFPABS L0, L0, 1\nSFPNOP\n");
  EXPECT_EQ(execute_cycles(dependent), (Cycles{0, 2, 3}));
  EXPECT_EQ(stall_cause(dependent.issues[1]), StallCause::TwoCycles);
  const Schedule independent = rig.schedule("SFPSWAP L1, L0, 1\nSFPABS L5, L5, 1\n");
  EXPECT_EQ(execute_cycles(independent), (Cycles{0, 2}));
  const Schedule filled = rig.schedule("SFPSWAP L1, L0, 1\nSFPNOP\nSFPABS L0, L0, 1\n");
  EXPECT_EQ(execute_cycles(filled), (Cycles{0, 1, 2}));
}

TEST_P(ScheduleOnBothChips, SwapsRunAtTwoCyclesEach) { // VU 5.2: measured 2.000
  const Schedule s = rig.schedule(".repeat 100\nSFPSWAP L1, L0, 1\n.endr\nSFPNOP\n");
  EXPECT_EQ(s.issues.back().executes(), 199U);
}

// T4: a stalled store waits inside the unit, and INCRWC goes past it.
TEST_F(ScheduleOnBlackhole, StalledStoreDoesNotHoldTheCounters) {
  const Schedule s = rig.schedule(
      ".repeat 2\nSFPLOAD L3, SRCB, 7, 0\nSFPLUT L3, 4\nSFPSTORE L3, SRCB, 7, 0\nINCRWC 0, 0, 0, "
      "2\n.endr\n");
  EXPECT_EQ(slots(s), (Cycles{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 1, 3, 3, 4, 5, 7, 7}));
  ASSERT_EQ(s.issues.size(), 8U);
  EXPECT_EQ(s.issues[2].inside_cause, StallCause::Result);
  EXPECT_EQ(s.issues[4].before, 0U);
}

// chip/isa/arch.h, stalls_inside_unit: what LLK's reduce kernels need on Wormhole.
TEST_P(ScheduleOnBothChips, StalledInstructionHoldsTheThreadOnWormhole) {
  const Schedule s = rig.schedule("SFPSWAP L1, L0, 1\nSFPABS L5, L5, 1\nINCRWC DstInc=2\nSFPNOP\n");
  const bool passes = GetParam() == Arch::Blackhole;
  EXPECT_EQ(execute_cycles(s), passes ? (Cycles{0, 2, 2, 3}) : (Cycles{0, 2, 3, 4}));
}

TEST_F(ScheduleOnBlackhole, WithoutAnotherUnitsInstructionTheStallShows) { // T4
  const Schedule s = rig.schedule(
      "SFPLOAD L3, SRCB, 7, 0\nSFPLUT L3, 4\nSFPSTORE L3, SRCB, 7, 0\nSFPLOAD L3, SRCB, 7, 2\n");
  EXPECT_EQ(slots(s), (Cycles{0, 1, 2, 4}));
  EXPECT_EQ(s.issues[3].before, 1U);
  EXPECT_EQ(s.issues[3].before_cause, StallCause::Result);
}

TEST_F(ScheduleOnBlackhole, StoredAddressIsThatOfTheProgram) { // T4: the address is captured
  rig.set_lreg(3, 0x3F800000);
  rig.run_timed(
      "SFPLUTFP32 L2, 0\nSFPSTORE L2, FP32, 7, 0\nINCRWC DstInc=4\nSFPSTORE L3, FP32, 7, 0\n");
  EXPECT_EQ(rig.rwc().dst, 4U);
  EXPECT_EQ(semantics::unshuffle_32(rig.state().dst.load_32(4, 0)), 0x3F800000U);
}

class DependentPairs : public ::testing::TestWithParam<Pair> {};

INSTANTIATE_TEST_SUITE_P(
    MadClass, DependentPairs,
    ::testing::Values(Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPMAD L3, L1, L2, L4, 0"},
                      Pair{"SFPADD L10, L1, L2, L3, 0", "SFPABS L3, L4, 1"},
                      Pair{"SFPMUL L0, L1, L9, L3, 0", "SFPSTORE L3, SRCB, 7, 0"},
                      Pair{"SFPADDI 0x3f80, L3, 0", "SFPMULI 0x4000, L3, 0"},
                      Pair{"SFPMULI 0x3f80, L3, 0", "SFPIADD 1, L3, L3, 5"},
                      Pair{"SFPLUT L3, 0", "SFPMOV L3, L0, 0"},
                      Pair{"SFPLUTFP32 L3, 0", "SFPMOV L3, L0, 0"},
                      Pair{"SFPMUL24 L0, L1, L9, L3, 0", "SFPSETCC 0, L3, 0, 0"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPTRANSP"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPAND 0, L3, L4, 0"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPGT L5, L3, 1"}));

TEST_P(DependentPairs, WaitOneCycleOnBlackhole) { // T2; VU 5.2
  ClockRig rig(Arch::Blackhole);
  const Schedule s = rig.schedule(source_of(GetParam()));
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 2}));
  EXPECT_EQ(s.issues[1].inside_cause, StallCause::Result);
}

TEST_P(DependentPairs, OneInstructionBetweenHidesIt) { // T2
  ClockRig rig(Arch::Blackhole);
  const Schedule s =
      rig.schedule(fmt::format("{}\nSFPLOADI L7, 0, 0\n{}\n", GetParam().first, GetParam().second));
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 1, 2}));
}

TEST_P(DependentPairs, RunOnWhereAutomaticStallsAreOff) { // VU 5.2, last sentence
  ClockRig rig(Arch::Blackhole);
  EXPECT_EQ(execute_cycles(rig.schedule(source_of(GetParam()), {.auto_stall = false})),
            (Cycles{0, 1}));
}

TEST_F(ScheduleOnBlackhole, MadChainTakesTwoCyclesPerResult) { // timing.md, probes: 2.000
  const Schedule s =
      rig.schedule(".repeat 100\nSFPMAD L0, L1, L0, L0, 0\n.endr\nSFPMOV L0, L1, 0\n");
  EXPECT_EQ(s.issues.back().executes(), 200U);
}

TEST_F(ScheduleOnWormhole, HasNoInterlock) { // T2; VU 5.4
  const Schedule s = rig.schedule(
      "SFPMAD L0, L1, L2, L3, 0\nSFPMAD L3, L1, L2, L4, 0\n"
      "SFPSHFT2 0, L0, L1, 3\nSFPLOADI L2, 0, 0\n");
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 1, 2, 3}));
}

TEST_F(ScheduleOnWormhole, SwapStallIsASwitch) { // VU Q2
  const Schedule s =
      rig.schedule("SFPSWAP L1, L0, 1\nSFPABS L5, L5, 1\n", {.wormhole_swap_stalls = false});
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 1}));
}

// VU 5.3: what the stall logic does not see is not stalled.
class Holes : public ::testing::TestWithParam<Pair> {};

INSTANTIATE_TEST_SUITE_P(
    Readers, Holes,
    ::testing::Values(Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPAND L3, L5, L4, 1"}, // USE_VB, VB = L3
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPOR L3, L5, L4, 1"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPIADD 0, L4, L3, 4"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPSHFT 0, L4, L3, 0"},
                      Pair{"SFPMAD L0, L1, L2, L0, 0", "SFPCONFIG 0, 11, 0"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPSWAP L3, L4, 1"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPSWAP L3, L4, 0"}, // safe: reads later
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPSHFT2 0, L3, L4, 3"},
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPSHFT2 3, L5, L4, 5"}, // VB = L3
                      Pair{"SFPMAD L0, L1, L2, L3, 8", "SFPLOADI L3, 0, 0"}));

TEST_P(Holes, AreNotStalled) {
  ClockRig rig(Arch::Blackhole);
  EXPECT_EQ(execute_cycles(rig.schedule(source_of(GetParam()))), (Cycles{0, 1}));
}

// VU 5.3: and it stalls for what is not read.
class SpuriousStalls : public ::testing::TestWithParam<Pair> {};

INSTANTIATE_TEST_SUITE_P(
    Readers, SpuriousStalls,
    ::testing::Values(Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPAND L4, L5, L3, 1"},  // USE_VB, VD = L3
                      Pair{"SFPMAD L0, L1, L2, L3, 0", "SFPSHFT2 5, L4, L3, 5"}, // VD = L3
                      Pair{"SFPMAD L0, L1, L2, L3, 0",
                           "SFPSTOCHRND 0, 0, L3, L4, L5, 1"}, // VB = L3
                      Pair{"SFPMAD L3, L1, L2, L5, 0", "SFPLUTFP32 L4, 10"}));

TEST_P(SpuriousStalls, Stall) {
  ClockRig rig(Arch::Blackhole);
  const Schedule s = rig.schedule(source_of(GetParam()));
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 2}));
  EXPECT_EQ(s.issues[1].inside_cause, StallCause::Spurious);
}

// VU 5.2: indirect VA is taken to read everything, indirect VD to write everything.
TEST_F(ScheduleOnBlackhole, IndirectOperandsStallForAnyRegister) {
  EXPECT_EQ(execute_cycles(rig.schedule("SFPMAD L0, L1, L2, L3, 0\nSFPMAD L0, L1, L2, L4, 4\n")),
            (Cycles{0, 2}));
  EXPECT_EQ(execute_cycles(rig.schedule("SFPMAD L0, L1, L2, L3, 8\nSFPABS L6, L6, 1\n")),
            (Cycles{0, 2}));
}

TEST_F(ScheduleOnBlackhole, LutFp32TellsIndirectVdByItsMirrorOnly) { // VU 5.3, last row
  EXPECT_EQ(execute_cycles(rig.schedule("SFPLUTFP32 L4, 8\nSFPABS L6, L6, 1\n")), (Cycles{0, 1}));
  EXPECT_EQ(execute_cycles(rig.schedule("SFPLUTFP32 L4, 8, Mod1Mirror=8\nSFPABS L6, L6, 1\n")),
            (Cycles{0, 2}));
}

TEST_F(ScheduleOnBlackhole, ShuffleHoldsTheUnit) { // VU 5.2: modes 2 to 4
  for (unsigned mode = 0; mode <= 6; ++mode) {
    const Schedule s =
        rig.schedule(fmt::format("SFPSHFT2 0, L0, L1, {}\nSFPLOADI L7, 0, 0\n", mode));
    const bool held = mode >= 2 && mode <= 4;
    EXPECT_EQ(s.issues[1].executes(), held ? 2U : 1U) << "mode " << mode;
  }
}

TEST_F(ScheduleOnBlackhole, RoundingStallsNobody) { // VU C47
  EXPECT_EQ(execute_cycles(rig.schedule("SFPSTOCHRND 0, 0, L0, L4, L5, 1\nSFPABS L5, L6, 1\n")),
            (Cycles{0, 1}));
}

TEST_F(ScheduleOnBlackhole, TemplateWritesNeitherStallNorAreWaitedFor) { // VU C13
  EXPECT_EQ(execute_cycles(rig.schedule("SFPMAD L0, L1, L2, L13, 0\nSFPMAD L0, L1, L13, L3, 0\n")),
            (Cycles{0, 1}));
  EXPECT_EQ(execute_cycles(rig.schedule("SFPMAD L0, L1, L2, L3, 0\nSFPMAD L3, L3, L3, L12, 0\n")),
            (Cycles{0, 1}));
}

// T1; ISA REPLAY: playing costs no slot, recording and executing one, recording alone all of them.
TEST_P(ScheduleOnBothChips, ReplayCommands) {
  rig.prelude("REPLAY 0, 3, 0, 1\nSFPNOP\nSFPNOP\nSFPNOP\n");
  EXPECT_EQ(slots(rig.schedule("SFPNOP\nREPLAY 0, 3, 0, 0\nSFPNOP\n")), (Cycles{0, 1, 2, 3, 4}));
  const Schedule recorded = rig.schedule("SFPNOP\nREPLAY 0, 2, 1, 1\nSFPNOP\nSFPNOP\nSFPNOP\n");
  EXPECT_EQ(slots(recorded), (Cycles{0, 2, 3, 4}));
  EXPECT_EQ(recorded.issues[1].before_cause, StallCause::Recording);
  EXPECT_EQ(slots(rig.schedule("SFPNOP\nREPLAY 0, 2, 0, 1\nSFPNOP\nSFPNOP\nSFPNOP\n")),
            (Cycles{0, 4}));
}

// T5: Wormhole pushes a word in 1.25 to 1.41 cycles, and a replay needs only one.
TEST_P(ScheduleOnBothChips, PushedWordsComeAtTheCoresRate) {
  const Schedule pushed = rig.schedule(".repeat 100\nSFPNOP\n.endr\n", {.push_interval = 1.25});
  EXPECT_EQ(pushed.cycles, 124U); // the last of 100 words is there after 99 * 1.25 cycles
  EXPECT_EQ(pushed.issues[4].before_cause, StallCause::Push);
  rig.prelude("REPLAY 0, 10, 0, 1\n.repeat 10\nSFPNOP\n.endr\n");
  const Schedule replayed =
      rig.schedule(".repeat 10\nREPLAY 0, 10, 0, 0\n.endr\n", {.push_interval = 1.25});
  EXPECT_EQ(replayed.cycles, 100U);
}

TEST_F(ScheduleOnBlackhole, StallWaitForTheVectorUnit) { // VU C49: C11 on Blackhole
  const Schedule s =
      rig.schedule("SFPMAD L0, L1, L2, L3, 0\nSTALLWAIT 0x100, 0x800\nSETRWC DstVal=0\n");
  EXPECT_EQ(slots(s), (Cycles{0, 1, 2}));
  const Schedule later = rig.schedule(
      "SFPSWAP L0, L1, 1\nSFPMAD L0, L1, L2, L3, 0\nSTALLWAIT 0x100, 0x800\nSETRWC DstVal=0\n");
  EXPECT_EQ(slots(later), (Cycles{0, 1, 2, 4}));
  EXPECT_EQ(later.issues[3].before_cause, StallCause::Wait);
}

// What hardware reads where nothing keeps the distance: the old value (VU 5.3; timing.md,
// patterns).
TEST_P(ScheduleOnBothChips, HardwareModelReadsTheOldValue) {
  rig.set_lreg(0, 5);
  rig.set_lreg(3, 7);
  const std::string program =
      "SFPMAD L10, L10, L10, L3, 0\nSFPIADD 0, L0, L3, 4\n"; // L3 = 2.0, then L3 += L0
  MachineState before = rig.state();
  rig.run_timed(program);
  EXPECT_EQ(rig.lreg(3), all(0x40000005)) << "documented: program order";
  rig.state() = before;
  rig.run_timed(program, {.model = timing::HazardModel::Hardware});
  EXPECT_EQ(rig.lreg(3), all(12)) << "the interlock does not see VD of SFPIADD";
}

} // namespace
} // namespace lanewise::test
