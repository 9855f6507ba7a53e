// Which instruction uses what another one has left, and which has waited for it.
#include "chip/timing/dependences.h"

#include "chip/timing/line_stalls.h"
#include "chip/timing/summary.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::Dependence;
using timing::dependences;
using timing::Schedule;
using timing::StallCause;
using Dependences = std::vector<Dependence>;

using DependencesOnBothChips = ClockOnBothChips;
using DependencesOnBlackhole = ClockOnBlackhole;
LANEWISE_ON_BOTH_CHIPS(DependencesOnBothChips);

constexpr timing::LRegMask kL0 = 1U << 0, kL1 = 1U << 1, kL3 = 1U << 3;

// T2: the store waits for the two cycles of SFPLUT, and SFPLUT for nothing.
TEST_F(DependencesOnBlackhole, ReaderOfATwoCycleResultHasWaited) {
  const Schedule s =
      rig.schedule("SFPLOAD L3, SRCB, 3, 0\nSFPLUT L3, SGN_RETAIN\nSFPSTORE L3, SRCB, 3, 0\n");
  EXPECT_EQ(dependences(s), (Dependences{{.from = 0, .to = 1, .registers = kL3},
                                         {.from = 1, .to = 2, .registers = kL3, .decides = true}}));
}

TEST_P(DependencesOnBothChips, NobodyWaitsBehindAnSfpnop) { // T2
  const Schedule s = rig.schedule("SFPMAD L9, L9, L10, L1, 0\nSFPNOP\nSFPMOV L1, L2, 0\n");
  // The operands of SFPMAD are constants, which nothing has written.
  const Dependences found = dependences(s);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found.front().decides);
}

TEST_P(DependencesOnBothChips, ValuesComeFromTheLastWriter) {
  const Schedule s = rig.schedule(
      "SFPLOADI L0, 0, 1\nSFPLOADI L0, 0, 2\nSFPLOADI L1, 0, 3\nSFPIADD 0, L0, L1, 4\n");
  EXPECT_EQ(dependences(s), (Dependences{{.from = 1, .to = 3, .registers = kL0},
                                         {.from = 2, .to = 3, .registers = kL1}}));
}

// Rows of Dst: even and odd columns of the same four rows are different places.
TEST_P(DependencesOnBothChips, LoadsFindWhatWasStored) {
  const Schedule s = rig.schedule(
      "SFPSTORE L0, FP32, 3, 0\nSFPLOAD L1, FP32, 3, 2\nSFPLOAD L2, FP32, 3, 4\n"
      "SFPLOAD L3, FP32, 3, 0\n");
  EXPECT_EQ(dependences(s), (Dependences{{.from = 0, .to = 3, .dst = true}}));
}

// MU 8: a block that is written cannot be read for four cycles.
TEST_P(DependencesOnBothChips, MatrixProductsWaitForTheirBlock) {
  EXPECT_EQ(dependences(rig.schedule("MVMUL DstRow=0\nMVMUL DstRow=0\n")),
            (Dependences{{.from = 0, .to = 1, .dst = true, .decides = true}}));
  EXPECT_EQ(dependences(rig.schedule("MVMUL DstRow=0\nMVMUL DstRow=8\n")), Dependences{});
  std::string five;
  for (unsigned i = 0; i < 6; ++i) five += fmt::format("MVMUL DstRow={}\n", 8 * (i % 5));
  EXPECT_EQ(dependences(rig.schedule(five)), (Dependences{{.from = 0, .to = 5, .dst = true}}));
}

// VU 5.5: what is scheduled reads what is in the register; SFPMAD's result is not there yet.
TEST_P(DependencesOnBothChips, ScheduledOnesSeeWhatTheClockSays) {
  rig.set_template(0, "SFPABS L0, L0, 1");
  rig.set_sequence(0, sequence({.selector = 4, .delay = 1}, {}, {}, {}));
  const Schedule s =
      rig.schedule("SFPLOADMACRO 0, 1, SRCB, 3, 0, 0\nSFPMAD L9, L9, L10, L1, 0\nSFPNOP\n");
  const auto abs = std::ranges::find_if(s.events, &timing::Event::scheduled);
  ASSERT_NE(abs, s.events.end());
  ASSERT_EQ(abs->cycle, 2U);
  const auto index = static_cast<std::uint32_t>(abs - s.events.begin());
  EXPECT_EQ(dependences(s), (Dependences{{.from = 0, .to = index, .registers = kL1}}));
}

// T4: the second SFPSWAP waits inside, which keeps the third out; on Wormhole each holds the
// thread.
TEST_P(DependencesOnBothChips, StallsBelongToTheLineThatWaits) {
  const MicroProgram program =
      rig.prepare("SFPSWAP L0, L1, 0\nSFPSWAP L2, L3, 0\nSFPSWAP L4, L5, 0\n");
  const Schedule s = timing::schedule(rig.state(), program);
  const timing::LineStalls stalls = timing::stalls_by_line(s, program, {.issues = s.issues.size()});
  const timing::LineStalls expected =
      GetParam() == Arch::Blackhole
          ? timing::LineStalls{{{2, StallCause::TwoCycles}, 1}}
          : timing::LineStalls{{{2, StallCause::TwoCycles}, 1}, {{3, StallCause::TwoCycles}, 1}};
  EXPECT_EQ(stalls, expected);
}

TEST_P(DependencesOnBothChips, StallsOfLinesAddUp) {
  const MicroProgram program = rig.prepare(
      ".repeat 20\nSFPMAD L0, L0, L1, L2, 0\nSFPMAD L3, L2, L0, L0, 0\nSFPSWAP L4, L5, 0\n"
      "SFPSWAP L4, L5, 0\nMVMUL DstRow=0\nMVMUL DstRow=0\n.endr\n");
  const Schedule s = timing::schedule(rig.state(), program);
  for (const std::size_t issues : {s.issues.size() / 3, s.issues.size()}) {
    double sum = 0;
    for (const auto& [where, cycles] : timing::stalls_by_line(s, program, {.issues = issues}))
      sum += cycles;
    EXPECT_EQ(sum, timing::count(s, program, {.issues = issues}).visible_stalls());
    EXPECT_GT(sum, 0);
  }
}

} // namespace
} // namespace lanewise::test
