// A whole operation in time: values as without time, and who waits for whom.
#include <gtest/gtest.h>

#include "clock/timed_rig.h"
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

class DatacopyInTime : public Datacopy {
 protected:
  clock::TimedResult time_it(bool keeps_timeline = true) {
    const auto texts = programs();
    const std::array words{rig.assemble(texts[0]), rig.assemble(texts[1]), rig.assemble(texts[2])};
    clock::ProgramCore t0(words[0], 0), t1(words[1], 1), t2(words[2], 2);
    auto result = clock::run_in_time(rig.tile, {&t0, &t1, &t2},
                                     {.keeps_timeline = keeps_timeline, .limits = {}});
    EXPECT_TRUE(result.has_value());
    return result ? *result : clock::TimedResult();
  }
};
INSTANTIATE_TEST_SUITE_P(Chip, DatacopyInTime, testing::ValuesIn(kArchs));

TEST_P(DatacopyInTime, LeavesTheValuesOfARunWithoutTime) {
  TileRig other(GetParam());
  other.tile.restart(rig.state());
  const auto untimed = other.run_all(programs());
  EXPECT_TRUE(untimed.blocked.empty());
  const clock::TimedResult timed = time_it();
  EXPECT_TRUE(timed.run.blocked.empty());
  EXPECT_TRUE(std::ranges::equal(rig.state().l1.bytes(), other.state().l1.bytes()));
  for (unsigned thread = 0; thread < kThreads; ++thread)
    EXPECT_EQ(rig.state().thread[thread].executed, other.state().thread[thread].executed);
}

TEST_P(DatacopyInTime, IsTheSameEachTime) {
  const tile::TileState start = rig.state();
  const clock::TimedResult first = time_it();
  rig.tile.restart(start);
  const clock::TimedResult second = time_it();
  EXPECT_EQ(first.cycles, second.cycles);
  ASSERT_EQ(first.timeline.size(), second.timeline.size());
  for (std::size_t k = 0; k < first.timeline.size(); ++k)
    EXPECT_EQ(first.timeline[k].cycle, second.timeline[k].cycle);
}

TEST_P(DatacopyInTime, LetsEachThreadWaitForTheOneBefore) {
  const clock::TimedResult result = time_it();
  const auto issued = [&](unsigned thread, isa::Op op, std::size_t number) {
    for (const clock::Issued& each : result.timeline) {
      const isa::Row* const row = isa::decode(GetParam(), each.word.word).row;
      if (each.thread == thread && row != nullptr && row->op == op && number-- == 0)
        return each.cycle;
    }
    ADD_FAILURE() << "no such instruction";
    return std::uint64_t{0};
  };
  // A face is there no earlier than its bytes can be fetched; a third one waits for a bank.
  EXPECT_GT(issued(1, isa::Op::MOVA2D, 0), issued(0, isa::Op::UNPACR, 0) + 4);
  EXPECT_GT(issued(2, isa::Op::PACR, 0), issued(1, isa::Op::SEMPOST, 0));
  EXPECT_GT(result.thread[1].waited[static_cast<unsigned>(clock::Why::Banks)], 0U);
  EXPECT_GT(result.thread[2].waited[static_cast<unsigned>(clock::Why::Semaphore)], 0U);
  // core.md 17.1: two cycles of address calculation keep the thread.
  EXPECT_GE(issued(0, isa::Op::UNPACR, 1), issued(0, isa::Op::UNPACR, 0) + 2);
  EXPECT_GT(result.units.unpacker[0], 0U);
  EXPECT_EQ(result.units.unpacker[1], 0U);
}

TEST_P(DatacopyInTime, NamesWhoIsStuck) {
  auto texts = programs();
  const std::array words{rig.assemble(texts[0]), rig.assemble(""), rig.assemble(texts[2])};
  clock::ProgramCore t0(words[0], 0), t1(words[1], 1), t2(words[2], 2);
  const auto result = clock::run_in_time(rig.tile, {&t0, &t1, &t2}, {});
  ASSERT_TRUE(result.has_value());
  ASSERT_EQ(result->run.blocked.size(), 2U);
  EXPECT_EQ(result->run.blocked[0].wait.cause, tile::WaitCause::SrcAToFill);
  EXPECT_EQ(result->run.blocked[1].wait.cause, tile::WaitCause::SemaphoreZero);
}

/// The Matrix Unit against an unpack thread that only hands banks over: LLK's MATH_ISOLATE of
/// ELWADD. Silicon: 16 cycles a tile beside what the zone costs (CT add_tiles).
TEST(HandOver, TakesFourCyclesAFaceOnBlackhole) {
  const std::string hand_over =
      "STALLWAIT BlockMask=1, ConditionMask=96\nSETDVALID FlipSrcA=1, FlipSrcB=1";
  const std::string add =
      "ELWADD\nELWADD\n"
      "SETRWC FlipSrcA=1, FlipSrcB=1";
  const auto last = [&](unsigned faces) {
    TimedRig rig(Arch::Blackhole);
    const clock::TimedResult result =
        rig.time_all({repeat(hand_over, faces), repeat(add, faces), ""});
    EXPECT_TRUE(result.run.blocked.empty());
    return result.thread[1].last;
  };
  EXPECT_EQ(last(64) - last(32), 4U * 32);
}

} // namespace
} // namespace lanewise::test
