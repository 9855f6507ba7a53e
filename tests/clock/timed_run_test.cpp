// Costs of single instructions, by slopes, as they were measured on silicon: with one to three
// threads at work (docs/sources.md, "TB").
#include "chip/clock/timed_run.h"

#include <gtest/gtest.h>

#include "chip/isa/clock_record.h"
#include "clock/timed_rig.h"

namespace lanewise::test {
namespace {

struct Cost {
  const char* text;
  std::array<double, 3> cycles; ///< with one, two and three threads
};

class CostsOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chip, CostsOnBothChips, testing::ValuesIn(kArchs));

TEST_P(CostsOnBothChips, UnitsThatThreadsShareAreDividedAmongThem) { // TB
  constexpr Cost kCosts[] = {
      {"NOP", {1, 1, 1}},
      {"SETDMAREG 0, 1, 0, 2", {1, 2, 3}},
      {"DMANOP", {1, 2, 3}},
      {"SETRWC 0, 0, 0, 0, 0, 0", {1, 2, 3}},
      {"SFPNOP", {1, 2, 3}},
      {"ADDDMAREG 0, 3, 2, 1", {3, 6, 9}},
      {"SHIFTDMAREG 0, 0, 3, 2, 1", {3, 6, 9}},
  };
  for (const Cost& cost : kCosts) {
    for (unsigned threads = 1; threads <= 3; ++threads)
      EXPECT_NEAR(slope(GetParam(), cost.text, threads), cost.cycles[threads - 1], 0.05)
          << cost.text << " on " << threads << " threads";
  }
}

TEST(Costs, RdcfgTakesTwoCyclesOnWormhole) { // TB
  EXPECT_NEAR(slope(Arch::Blackhole, "RDCFG 1, 2", 1), 1.0, 0.05);
  EXPECT_NEAR(slope(Arch::Wormhole, "RDCFG 1, 2", 1), 1.97, 0.05);
}

TEST_P(CostsOnBothChips, AWaitThatIsMetCostsItsSlotAndOneCycle) { // ISA STALLWAIT; TB SETDMA_STALL
  EXPECT_NEAR(slope(GetParam(), "SETDMAREG 0, 1, 0, 2\nSTALLWAIT 1, 1", 1), 3.0, 0.05);
}

TEST_P(CostsOnBothChips, AListIsPushedAtTheIntervalThatIsAssumed) { // timing.md, "A whole tile"
  for (const std::uint64_t interval : {1, 6}) {
    TimedRig rig(GetParam());
    const Program program = rig.assemble(repeat("NOP", 11));
    clock::ProgramCore core(program, 0, interval);
    const auto result = clock::run_in_time(rig.tile, {&core, nullptr, nullptr},
                                           {.keeps_timeline = true, .limits = {}});
    ASSERT_TRUE(result && result->timeline.size() == 11U);
    EXPECT_EQ(result->timeline.back().cycle - result->timeline.front().cycle, 10 * interval);
  }
}

void give_sources(TimedRig& rig) {
  for (SourceFile* file : {&rig.machine().srca, &rig.machine().srcb})
    file->owned_by_matrix_unit = {true, true};
}

TEST(Costs, TheSameRowsOfDstTakeSixCyclesOnBlackhole) { // TB MVMUL, ELWADD, ELWMUL
  for (const char* text :
       {"MVMUL 0, 0, 0, 0", "ELWADD 0, 0, 1, 0, 0, 0, 0", "ELWMUL 0, 0, 1, 0, 0, 0, 0"}) {
    EXPECT_NEAR(slope(Arch::Blackhole, text, 1, give_sources), 6.0, 0.05) << text;
    EXPECT_NEAR(slope(Arch::Blackhole, text, 2, give_sources), 12.0, 0.05) << text;
    EXPECT_NEAR(slope(Arch::Blackhole, text, 3, give_sources), 18.0, 0.05) << text;
  }
}

/// Cycles from the first instruction of the math thread to the last one.
std::uint64_t from_first_to_last(Arch arch, const std::string& text) {
  TimedRig rig(arch);
  give_sources(rig);
  const clock::TimedResult result = rig.time_all({"", text, ""});
  EXPECT_GE(result.timeline.size(), 2U) << text;
  return result.timeline.back().cycle - result.timeline.front().cycle;
}

// CT abs, eqz and others of one face, less their copies: 28.06 cycles besides 32 rows. Of the wait
// for the Matrix Unit and that of the next copy for the last store, eq_binary (two SETRWCs more
// between) and exp (macros store) have 2 and 3 cycles less.
TEST_P(CostsOnBothChips, TheVectorUnitAndTheMatrixUnitWaitForEachOthersDst) {
  const Arch arch = GetParam();
  const std::string wait = arch == Arch::Wormhole ? "STALLWAIT 256, 128" : "STALLWAIT 256, 16";
  for (const std::string copy : {"MOVA2D Move8Rows=1", "ELWADD 0, 0, 1, 0, 0, 0, 0"}) {
    EXPECT_EQ(from_first_to_last(arch, copy + "\n" + wait + "\nSFPLOAD L0, 0, 0, 0"), 10U)
        << copy; // and the cycle in which the gate learns of it
    EXPECT_EQ(from_first_to_last(arch, "SFPSTORE L0, 0, 0, 0\n" + copy), 7U);
    EXPECT_EQ(from_first_to_last(arch, "SFPSTORE L0, 0, 0, 0\nNOP\nNOP\n" + copy), 7U);
    EXPECT_EQ(from_first_to_last(arch, "SFPLOAD L0, 0, 0, 0\n" + copy), 1U);
    EXPECT_EQ(from_first_to_last(arch, "SFPSTORE L0, 0, 0, 0\n" + repeat("NOP", 7) + copy), 8U);
  }
  EXPECT_EQ(from_first_to_last(arch, "SFPSTORE L0, 0, 0, 0\nSETRWC 0, 0, 0, 0, 0, 0"), 1U);
}

/// Cycles from the first of eight PACRs of one packer to another one behind them.
std::uint64_t behind_pacrs(Arch arch, const std::string& flush) {
  const std::string pacr = arch == Arch::Wormhole ? "PACR PackerMask=1" : "PACR ReadIntfSel=1";
  TimedRig rig(arch);
  const clock::TimedResult result = rig.time_all({"", "", repeat(pacr, 8) + pacr + flush});
  if (result.timeline.size() != 9) return 0;
  return result.timeline.back().cycle - result.timeline.front().cycle;
}

TEST_P(CostsOnBothChips, APacrThatFlushesWaitsForThoseBeforeIt) { // tt-llk 916: pack_untilize
  EXPECT_EQ(behind_pacrs(GetParam(), ""), 8U);
  const unsigned each = 1 + clock_params(GetParam()).pack_start;
  EXPECT_EQ(behind_pacrs(GetParam(), ", Flush=1"), 8 * each);
}

} // namespace
} // namespace lanewise::test
