// The Vector Unit, instruction by instruction, against the schedule of the whole program.
#include "chip/clock/vector_clock.h"

#include <gtest/gtest.h>

#include <random>

#include "chip/timing/schedule.h"
#include "clock/timed_rig.h"

namespace lanewise::test {
namespace {

class VectorClockOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chip, VectorClockOnBothChips, testing::ValuesIn(kArchs));

/// Instructions with one and two cycles, such that hold the unit, and one of another unit.
std::string random_program(std::mt19937& random, unsigned length) {
  const auto lreg = [&] { return fmt::format("L{}", random() % 4); };
  std::string text;
  for (unsigned k = 0; k < length; ++k) {
    switch (random() % 7) {
      case 0:
        text += fmt::format("SFPMAD {}, {}, {}, {}, 0\n", lreg(), lreg(), lreg(), lreg());
        break;
      case 1: text += fmt::format("SFPABS {}, {}, 1\n", lreg(), lreg()); break;
      case 2: text += fmt::format("SFPSWAP {}, {}, 1\n", lreg(), lreg()); break;
      case 3: text += fmt::format("SFPMOV {}, {}, 0\n", lreg(), lreg()); break;
      case 4: text += "SFPNOP\n"; break;
      case 5: text += fmt::format("SFPLOADI {}, 0, 7\n", lreg()); break;
      case 6: text += "INCRWC DstInc=2\n"; break;
    }
  }
  return text;
}

TEST_P(VectorClockOnBothChips, IssuesWhereTheScheduleDoes) { // docs/timing.md
  std::mt19937 random(7);
  for (unsigned round = 0; round < 40; ++round) {
    TimedRig rig(GetParam());
    const std::string text = random_program(random, 60);
    const Program program = rig.assemble(text);
    const timing::Schedule schedule =
        timing::schedule(rig.machine(), FrontEnd(GetParam()).expand(program));
    const clock::TimedResult result = rig.time_all({"", text, ""});
    ASSERT_EQ(result.timeline.size(), schedule.issues.size());
    for (std::size_t k = 0; k < schedule.issues.size(); ++k) {
      EXPECT_EQ(result.timeline[k].cycle - result.timeline[0].cycle,
                schedule.issues[k].slot - schedule.issues[0].slot)
          << "instruction " << k << " of\n"
          << text;
    }
  }
}

TEST_P(VectorClockOnBothChips, MacrosTakeOneSlotEach) { // T1
  const std::string macros = repeat("SFPLOADMACRO 0, 0, 0, 0", 16);
  TimedRig rig(GetParam());
  const clock::TimedResult result =
      rig.time_all({"", macros + "STALLWAIT 1, 0\nSETC16 3, 0\n", ""});
  EXPECT_TRUE(result.run.blocked.empty());
  ASSERT_GE(result.timeline.size(), 16U);
  for (unsigned k = 1; k < 16; ++k)
    EXPECT_EQ(result.timeline[k].cycle, result.timeline[k - 1].cycle + 1);
}

} // namespace
} // namespace lanewise::test
