// Runs with a pause of the core are what the whole program leaves when it is scheduled with that
// pause from its beginning.
#include "chip/timing/hazards/late_runs.h"

#include <tuple>

#include "chip/timing/hazards/random_tile.h"
#include "chip/timing/same_future.h"
#include "timing/clock_fixture.h"

namespace lanewise::test {
namespace {

using timing::HazardModel;
using timing::LatePush;
using timing::LateRuns;

using LateRunsOnBothChips = ClockOnBothChips;
LANEWISE_ON_BOTH_CHIPS(LateRunsOnBothChips);

constexpr std::uint32_t kPauses[] = {1, 2, 3, 6, 10};

/// How many pauses change something.
unsigned expect_as_from_the_beginning(ClockRig& rig, const MicroProgram& program,
                                      HazardModel model) {
  const MachineState start = timing::random_tile(rig.state(), 3);
  LateRuns runs(start, program, model);
  unsigned changed = 0;
  std::optional<std::uint32_t> before;
  for (std::uint32_t op = 0; op < program.ops.size(); ++op) {
    const std::uint32_t word = program.supply[op].word;
    if (std::exchange(before, word) == word) continue;
    for (const std::uint32_t pause : kPauses) {
      MachineState whole = start;
      const timing::ScheduleOptions options{.model = model, .pauses = {{word, pause}}};
      execute(whole, timing::schedule(start, program, options).ops(program));
      const std::optional<MachineState> late = runs.late({word, op, pause});
      EXPECT_TRUE(timing::same_future(late ? *late : runs.usual(), whole))
          << "word " << word << " late by " << pause;
      changed += timing::same_future(runs.usual(), whole) ? 0 : 1;
    }
  }
  return changed;
}

/// 1 - |x| of each second group of rows, as a macro that counts cycles.
void program_abs_macro(ClockRig& rig) {
  enter_kernel(rig.state());
  rig.set_template(0, "SFPSETSGN 1, L0, L0, 1");
  rig.set_template(1, "SFPMAD L10, L10, L0, L0, 0");
  rig.set_misc(3); // stores are FP32
  rig.set_sequence(0, sequence({4, 0}, {5, 1}, {}, {3, 3}));
}

struct LateCase {
  std::string_view name, source;
  bool changes;
};

constexpr LateCase kLateCases[] = {
    {"loop",
     ".repeat 8\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nINCRWC DstInc=2\n"
     "SFPLOADMACRO 0, 1, FP32, 3, 0, 0\nINCRWC DstInc=2\n.endr\nSFPNOP\nSFPNOP\nSFPNOP\n",
     false},
    // On time the store comes behind the load of the constant, or before it.
    {"value taken too late",
     ".repeat 6\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\n"
     "SFPLOADI L0, 0, 0x3F80\nINCRWC DstInc=2\nSFPNOP\n.endr\n",
     true},
    {"what is late is soon overwritten",
     "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPLOADI L0, 0, 0x3F80\nSFPNOP\nSFPNOP\n"
     "SFPSTORE L9, FP32, 3, 0\nSFPLOADI L0, 0, 0\nSFPNOP\nSFPNOP\n",
     false},
    {"replayed",
     "REPLAY 0, 4, 0, 1\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nINCRWC DstInc=2\n"
     "SFPMOV L0, L1, 0\nSFPNOP\n.repeat 5\nREPLAY 0, 4, 0, 0\n.endr\n",
     false},
    // SFPCONFIG makes the macro of what comes late: the schedule behind it is another one.
    {"configuration computed of a late value",
     "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPNOP\nSFPNOP\nSFPLOADI L0, 2, 0x0304\nSFPNOP\nSFPNOP\n"
     ".repeat 3\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nINCRWC DstInc=2\nSFPNOP\n.endr\n"
     "SFPMOV L0, L0, 0\nSFPCONFIG 0, 4, 0\nSFPNOP\n"
     ".repeat 3\nSFPLOADMACRO 0, 1, FP32, 3, 0, 0\nINCRWC DstInc=2\nSFPNOP\nSFPNOP\n.endr\n",
     true},
    // On time the macro's SFPMAD takes the constant and overwrites it; L3 keeps what is left, of
    // which a sequence is made long behind it.
    {"configuration computed long behind it",
     "SFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSFPLOADI L0, 2, 0x0304\n"
     ".repeat 12\nSFPNOP\n.endr\nSFPMOV L0, L3, 0\n"
     ".repeat 8\nSFPNOP\n.endr\nSFPMOV L3, L0, 0\nSFPNOP\nSFPCONFIG 0, 4, 0\nSFPNOP\n"
     ".repeat 3\nSFPLOADMACRO 0, 1, FP32, 3, 0, 0\nINCRWC DstInc=2\nSFPNOP\nSFPNOP\n.endr\n",
     true},
    // The second product waits for rows of the first, the macro does not.
    {"rows of Dst that are waited for",
     ".repeat 3\nELWADD DstRow=8\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nELWADD AddDst=1, DstRow=8\n"
     "SFPLOADI L0, 0, 0x3F80\nINCRWC DstInc=2\nSFPNOP\nSFPNOP\nSFPNOP\n.endr\n",
     true},
    {"held in the front end",
     ".repeat 5\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nSTALLWAIT 0x1FF, 0x4890\n"
     "SFPLOADI L1, 0, 1\nINCRWC DstInc=2\n.endr\n",
     false},
    {"results of two cycles",
     ".repeat 6\nSFPMAD L1, L0, L9, L0, 0\nSFPMAD L2, L0, L9, L1, 0\n"
     "SFPSTORE L1, FP32, 3, 0\nINCRWC DstInc=2\n.endr\n",
     false},
};

// What a late word costs does not grow with the program.
TEST_P(LateRunsOnBothChips, ScheduleAFewCyclesOfALongProgram) {
  program_abs_macro(rig);
  const MicroProgram program =
      rig.prepare(".repeat 500\nSFPLOADMACRO 0, 0, FP32, 3, 0, 0\nINCRWC DstInc=2\n.endr\n");
  LateRuns runs(timing::random_tile(rig.state(), 3), program, HazardModel::Documented);
  constexpr std::uint32_t kLate = 100, kMost = 40; // operations of both runs, for a word
  for (std::uint32_t word = 0; word < kLate; ++word)
    std::ignore = runs.late({.word = word, .op = word, .pause = 3});
  EXPECT_GT(runs.scheduled(), 0U);
  EXPECT_LE(runs.scheduled(), kLate * kMost);
}

TEST_P(LateRunsOnBothChips, AreThoseOfTheWholeProgram) {
  for (const LateCase& each : kLateCases) {
    SCOPED_TRACE(each.name);
    program_abs_macro(rig);
    const MicroProgram program = rig.prepare(each.source);
    ASSERT_FALSE(program.ops.empty());
    unsigned changed = 0;
    for (const HazardModel model : {HazardModel::Documented, HazardModel::Hardware})
      changed += expect_as_from_the_beginning(rig, program, model);
    if (each.changes) {
      EXPECT_GT(changed, 0U);
    }
  }
}

} // namespace
} // namespace lanewise::test
