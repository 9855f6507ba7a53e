// Deadlocks: who waits, which lines would have ended the wait, and how far these came.
#include "chip/tile/blocked.h"

#include <gtest/gtest.h>

#include "report/tile/report.h"
#include "source/assembly/assembly.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

using tile::ExplainedWait;
using tile::WaitCause;

class BlockedTile : public testing::TestWithParam<Arch> {
 protected:
  std::vector<ExplainedWait> waits(const std::string& text) {
    const auto program = assembly::assemble_tile(GetParam(), text, "test");
    EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
    if (!program) return {};
    tile::Tile tile(GetParam());
    tile.state() = *tile::start_state(GetParam(), *program);
    tile::ExecutionCounts counts;
    tile.watch = [&](const tile::Executed& each) { ++counts[each.thread][each.word.line]; };
    const auto result = tile::run_program(tile, *program);
    EXPECT_TRUE(result.has_value());
    auto explained = tile::explain_blocked(tile.state(), *program, result->blocked, counts);
    text_ = report::blocked_text(GetParam(), explained);
    return explained;
  }

  bool says(std::string_view part) const { return text_.find(part) != std::string::npos; }

  std::string text_; ///< of the last waits()
};
LANEWISE_ON_BOTH_CHIPS(BlockedTile);

TEST_P(BlockedTile, TwoThreadsThatWaitForEachOther) {
  const auto found = waits(
      ".thread math\nSEMWAIT SemaphoreMask=1, ConditionMask=1, BlockMask=2\nSEMPOST "
      "SemaphoreMask=2\n"
      ".thread pack\nSEMWAIT SemaphoreMask=2, ConditionMask=1, BlockMask=2\nSEMPOST "
      "SemaphoreMask=1\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].blocked.wait.cause, WaitCause::SemaphoreZero);
  ASSERT_EQ(found[0].releases.size(), 1U);
  EXPECT_EQ(found[0].releases[0].thread, 2U);
  EXPECT_EQ(found[0].releases[0].word.line, 6U);
  EXPECT_EQ(found[0].releases[0].executed, 0U);
  EXPECT_TRUE(
      says("T2 pack, line 6: SEMPOST SemaphoreMask=1 (not reached, since T2 pack waits in "
           "line 6)"))
      << text_;
  EXPECT_FALSE(says("to mend it")) << "the lines that free either are there";
}

TEST_P(BlockedTile, ASemaphoreThatIsRaisedTooSeldom) {
  const auto found = waits(
      ".thread math\nSEMPOST SemaphoreMask=2\n.thread pack\n.repeat 2\n"
      "SEMWAIT SemaphoreMask=2, ConditionMask=1, BlockMask=2\n"
      "SEMGET SemaphoreMask=2\n.endr\n");
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].releases.size(), 1U);
  EXPECT_EQ(found[0].releases[0].executed, 1U);
  EXPECT_TRUE(says("(executed 1 time)")) << text_;
  EXPECT_TRUE(says("add SEMPOST SemaphoreMask=2")) << text_;
}

TEST_P(BlockedTile, ASemaphoreWithoutAMaximumIsAlwaysThere) {
  const auto found = waits(
      ".thread math\nSEMWAIT SemaphoreMask=4, ConditionMask=2, BlockMask=2\nSEMPOST "
      "SemaphoreMask=4\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].blocked.wait.cause, WaitCause::SemaphoreAtMax);
  EXPECT_TRUE(says("its maximum is 0")) << text_;
  EXPECT_TRUE(says("line 2 asks")) << text_;
}

TEST_P(BlockedTile, ABankThatNobodyHandsOver) {
  const auto found = waits(".thread math\nMOVA2D Move8Rows=1\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].blocked.wait.cause, WaitCause::SrcAFilled);
  EXPECT_TRUE(found[0].releases.empty());
  EXPECT_TRUE(says("no line hands a bank of SrcA to the Matrix Unit")) << text_;
}

TEST_P(BlockedTile, BanksThatNobodyGivesBack) {
  const auto found = waits(
      ".thread unpack\n.repeat 3\nSETDVALID FlipSrcB=1\n.endr\n"
      "UNPACR WhichUnpacker=1, FlipSrc=1, Last=1\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].blocked.wait.cause, WaitCause::SrcBToFill);
  EXPECT_TRUE(says("no line gives a bank of SrcB back to the unpackers")) << text_;
}

} // namespace
} // namespace lanewise::test
