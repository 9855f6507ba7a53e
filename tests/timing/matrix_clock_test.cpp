// The Matrix Unit's clock (MU 8).
#include "chip/timing/matrix_clock.h"

#include "chip/timing/summary.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::Schedule;
using timing::StallCause;

using MatrixClockOnBothChips = ClockOnBothChips;
LANEWISE_ON_BOTH_CHIPS(MatrixClockOnBothChips);

/// `count` MVMULs onto blocks of 8 rows that take turns.
std::string products(unsigned count, unsigned blocks) {
  std::string source;
  for (unsigned i = 0; i < count; ++i) source += fmt::format("MVMUL DstRow={}\n", 8 * (i % blocks));
  return source;
}

// MU 8: back-to-back accumulation needs five different blocks of 8 rows to run at full rate.
TEST_P(MatrixClockOnBothChips, FiveBlocksRunAtFullRate) {
  EXPECT_EQ(rig.schedule(products(20, 5)).cycles, 20U);
  EXPECT_EQ(rig.schedule(products(20, 8)).cycles, 20U);
  const Schedule four = rig.schedule(products(20, 4)); // each fifth waits one cycle
  EXPECT_EQ(four.cycles, 24U);
  EXPECT_EQ(four.issues[4].before_cause, StallCause::DstBlock);
  EXPECT_EQ(rig.schedule(products(10, 1)).issues.back().executes(), 45U) << "five cycles each";
}

TEST_P(MatrixClockOnBothChips, BlocksFollowCountersAndOffset) {
  EXPECT_EQ(execute_cycles(rig.schedule("MVMUL DstRow=0\nINCRWC DstInc=8\nMVMUL DstRow=0\n")),
            (Cycles{0, 1, 2}));
  EXPECT_EQ(execute_cycles(rig.schedule("MVMUL DstRow=8\nINCRWC DstInc=8\nMVMUL DstRow=0\n")),
            (Cycles{0, 1, 5}));
}

// MU 8: what only writes Dst does not wait for it.
TEST_P(MatrixClockOnBothChips, OnlyReadersWait) {
  EXPECT_EQ(execute_cycles(rig.schedule("MVMUL DstRow=0\nELWADD DstRow=0\n")), (Cycles{0, 1}));
  EXPECT_EQ(execute_cycles(rig.schedule("MVMUL DstRow=0\nELWADD AddDst=1, DstRow=0\n")),
            (Cycles{0, 5}));
  for (std::string_view reader :
       {"MVMUL", "DOTPV", "GAPOOL", "GMPOOL", "ELWMUL", "CONV3S1", "CONV3S2", "MFCONV3S1",
        "APOOL3S1", "APOOL3S2", "MPOOL3S1", "MPOOL3S2", "MOVD2A", "MOVD2B"}) {
    const Schedule s = rig.schedule(fmt::format("ELWSUB DstRow=16\n{} DstRow=16\n", reader));
    EXPECT_EQ(execute_cycles(s), (Cycles{0, 5})) << reader;
  }
}

// MU 8: after a move into Dst most readers wait three cycles, whatever their rows; ELWADD and
// ELWSUB are not in the list.
TEST_P(MatrixClockOnBothChips, MovesIntoDst) {
  for (std::string_view move : {"MOVA2D", "MOVB2D"}) {
    EXPECT_EQ(execute_cycles(rig.schedule(fmt::format("{} DstRow=0\nMVMUL DstRow=64\n", move))),
              (Cycles{0, 4}));
    EXPECT_EQ(
        execute_cycles(rig.schedule(fmt::format("{} DstRow=0\nELWADD AddDst=1, DstRow=0\n", move))),
        (Cycles{0, 1}));
  }
}

TEST_P(MatrixClockOnBothChips, InstructionsThatKeepOthersOut) { // MU 8, table
  EXPECT_EQ(execute_cycles(rig.schedule("SHIFTXB\nSETRWC DstVal=0\n")), (Cycles{0, 2}));
  EXPECT_EQ(execute_cycles(rig.schedule("SHIFTXB\nSHIFTXB\n")), (Cycles{0, 2}));
  EXPECT_EQ(execute_cycles(rig.schedule("SHIFTXB\nSFPNOP\n")), (Cycles{0, 1})) << "another unit";
  EXPECT_EQ(execute_cycles(rig.schedule("MOVD2A\nMOVD2A\nMOVB2A\nSETRWC DstVal=0\n")),
            (Cycles{0, 1, 2, 4}));
  EXPECT_EQ(execute_cycles(rig.schedule("MOVD2B\nMOVD2B\nSETRWC DstVal=0\n")), (Cycles{0, 1, 5}));
  EXPECT_EQ(rig.schedule("MOVD2B\nSETRWC DstVal=0\n").issues[1].before_cause,
            StallCause::MatrixUnit);
}

TEST_P(MatrixClockOnBothChips,
       StallWaitForTheMatrixUnit) { // VU C49: C4 on Blackhole, C7 on Wormhole
  const std::string_view condition = GetParam() == Arch::Blackhole ? "0x10" : "0x80";
  const Schedule s = rig.schedule(fmt::format("MVMUL\nSTALLWAIT 0x100, {}\nSFPNOP\n", condition));
  EXPECT_EQ(execute_cycles(s), (Cycles{0, 1, 5}));
  EXPECT_EQ(s.issues[2].before_cause, StallCause::Wait);
}

TEST_P(MatrixClockOnBothChips, ResultsAreAwaitedAtTheEnd) { // MU 8: latency 5
  EXPECT_EQ(rig.schedule("MVMUL\n").drained, 5U);
  EXPECT_EQ(rig.schedule("MOVA2D\n").drained, 4U);
}

// Seed 003, part 7: 4096 operations per cycle with one fidelity phase, half with two, a quarter
// with four: 4.096 TFLOP/s at 1 GHz.
TEST_P(MatrixClockOnBothChips, OperationsOfFidelityPhases) {
  AddrModSection next_phase;
  next_phase.fidelity_increment = 1;
  rig.state().config.set_addr_mod(1, next_phase);
  for (unsigned phases : {1U, 2U, 4U}) {
    std::string source;
    for (unsigned phase = 0; phase < phases; ++phase) {
      for (unsigned i = 0; i < 16; ++i)
        source += fmt::format("MVMUL AddrMod={}, DstRow={}\n", i == 15 ? 1 : 0, 8 * (i % 8));
    }
    const MicroProgram program = rig.prepare(source);
    const Schedule s = timing::schedule(rig.state(), program);
    const timing::Figures figures = timing::count(s, program);
    EXPECT_EQ(figures.operations, 2 * 32 * 32 * 32) << "a product of two 32x32 tiles";
    EXPECT_EQ(figures.operations / figures.cycles, 4096.0 / phases);
  }
}

TEST_P(MatrixClockOnBothChips, OperationsOfOtherInstructions) { // MU 8, peak
  const auto operations = [&](std::string_view line) {
    const MicroProgram program = rig.prepare(line);
    return timing::count(timing::schedule(rig.state(), program), program).operations;
  };
  EXPECT_EQ(operations("GAPOOL"), 2048);
  EXPECT_EQ(operations("ELWMUL"), 256);
  EXPECT_EQ(operations("GMPOOL"), 256);
  EXPECT_EQ(operations("ELWADD AddDst=1"), 256);
  EXPECT_EQ(operations("ELWADD"), 128);
  EXPECT_EQ(operations("SFPMAD L0, L1, L2, L3, 0"), 0);
}

} // namespace
} // namespace lanewise::test
