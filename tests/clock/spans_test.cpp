// What cores and units did when adds up to the figures of a run (docs/programs.md, "Time").
#include "chip/clock/spans.h"

#include <gtest/gtest.h>

#include <array>

#include "clock/timed_rig.h"

namespace lanewise::test {
namespace {

using clock::WorkUnit;

class SpansOnBothChips : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Chip, SpansOnBothChips, testing::ValuesIn(kArchs));

TEST_P(SpansOnBothChips, ThoseOfACoreFollowEachOtherAndAreItsCycles) {
  // Cores push faster than the scalar unit, which threads share, takes what they push.
  TimedRig rig(GetParam());
  const std::string scalar = repeat("ADDDMAREG 0, 3, 2, 1", 60);
  const clock::TimedResult run = rig.time_all({scalar, "NOP", scalar + repeat("SFPNOP", 9)});
  for (unsigned core = 0; core < kThreads; ++core) {
    std::uint64_t at = 0, own = 0, waited = 0, told = 0;
    for (const clock::CoreSpan& span : run.core_spans) {
      if (span.core != core) continue;
      EXPECT_EQ(span.begin, at);
      EXPECT_LE(span.begin, span.waits);
      EXPECT_LE(span.waits, span.end);
      own += span.waits - span.begin;
      waited += span.end - span.waits;
      at = span.end;
    }
    for (const clock::CoreWait& wait : run.core_waits)
      if (wait.core == core) told += wait.cycles;
    EXPECT_EQ(own, run.core[core].own);
    EXPECT_EQ(waited, run.core[core].waited);
    EXPECT_EQ(told, run.core[core].waited);
  }
  EXPECT_GT(run.core[0].waited, 0U) << "nobody waits, and nothing is tested";
}

TEST_P(SpansOnBothChips, ThoseOfAUnitDoNotOverlapAndAreItsWork) {
  TimedRig rig(GetParam());
  for (SourceFile* file : {&rig.machine().srca, &rig.machine().srcb})
    file->owned_by_matrix_unit = {true, true};
  const std::string pacr =
      GetParam() == Arch::Wormhole ? "PACR PackerMask=1" : "PACR ReadIntfSel=1";
  const clock::TimedResult run =
      rig.time_all({"", repeat("MVMUL 0, 0, 0, 0", 20) + repeat("SFPNOP", 7), repeat(pacr, 5)});
  std::array<std::uint64_t, clock::kWorkUnits> worked{}, end{};
  for (const clock::UnitSpan& span : run.unit_spans) {
    const auto unit = static_cast<unsigned>(span.unit);
    EXPECT_GE(span.begin, end[unit]);
    EXPECT_LT(span.begin, span.end);
    worked[unit] += span.end - span.begin;
    end[unit] = span.end;
  }
  // One cycle for each that enters; packers may wait for L1 besides.
  EXPECT_EQ(worked[static_cast<unsigned>(WorkUnit::Matrix)], 20U);
  EXPECT_EQ(worked[static_cast<unsigned>(WorkUnit::Vector)], 7U);
  EXPECT_GE(worked[static_cast<unsigned>(WorkUnit::Packer0)], run.units.packer[0]);
  EXPECT_GT(run.units.packer[0], 0U);
  EXPECT_EQ(worked[static_cast<unsigned>(WorkUnit::Unpacker0)], 0U);
}

TEST(Spans, OnlyARunWithATimelineKeepsThem) {
  TimedRig rig(Arch::Blackhole);
  const Program program = rig.assemble(repeat("ADDDMAREG 0, 3, 2, 1", 60));
  clock::ProgramCore core(program, 0);
  const auto run = clock::run_in_time(rig.tile, {&core, nullptr, nullptr});
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->core_spans.empty());
  EXPECT_TRUE(run->unit_spans.empty());
  EXPECT_FALSE(run->core_waits.empty()) << "waits are counted in any case";
}

} // namespace
} // namespace lanewise::test
