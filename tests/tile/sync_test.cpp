// What the documents say of semaphores, mutexes and the Wait Gate, fact by fact (core.md 6, 7).
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

class Sync : public TileOnBothChips {
 protected:
  tile::Semaphore& semaphore(unsigned i) { return rig.state().sync.semaphore[i]; }
  /// Whether a thread's next instruction has to wait.
  bool is_stuck(unsigned thread) { return rig.tile.has_work(thread); }
  void go_on(unsigned thread) {
    while (rig.tile.step(thread)) {
    }
  }
  std::uint32_t x(unsigned thread) {
    return rig.state().counters.of(thread, 2)[0][tile::Axis::X].value;
  }
  /// A bit of STALLWAIT's condition mask: SrcA of the unpackers is free.
  unsigned free_srca() const { return is_blackhole() ? 1U << 5 : 1U << 8; }
  unsigned filled_srca() const { return is_blackhole() ? 1U << 7 : 1U << 10; }
};
LANEWISE_ON_BOTH_CHIPS(Sync);

TEST_P(Sync, SeminitSetsSeveralSemaphores) {
  rig.run(0, "SEMINIT NewMax=3, NewValue=2, SemaphoreMask=129");
  EXPECT_EQ(semaphore(0), (tile::Semaphore{.value = 2, .max = 3}));
  EXPECT_EQ(semaphore(7), (tile::Semaphore{.value = 2, .max = 3}));
  EXPECT_EQ(semaphore(1), tile::Semaphore());
}

TEST_P(Sync, PostsSaturateAtFifteenWhateverTheMaximum) {
  semaphore(2) = {.value = 14, .max = 1};
  rig.run(0, "SEMPOST SemaphoreMask=4\nSEMPOST SemaphoreMask=4");
  EXPECT_EQ(semaphore(2).value, 15U);
}

TEST_P(Sync, GetsEndAtZero) {
  semaphore(2) = {.value = 1, .max = 1};
  rig.run(0, "SEMGET SemaphoreMask=4\nSEMGET SemaphoreMask=4");
  EXPECT_EQ(semaphore(2).value, 0U);
}

TEST_P(Sync, CoresPostAndGetBySemaphoreAddresses) {
  constexpr std::uint32_t kSemaphore3 = 0xFFE80000 + 0x20 + 4 * 3;
  for (const std::uint32_t value : {0U, 2U, 1U}) // even posts, odd gets
    ASSERT_TRUE(rig.tile.store(0, kSemaphore3, 4, value, 1).value_or(false));
  EXPECT_EQ(rig.tile.load(0, kSemaphore3, 4).value().value_or(0), 1U);
}

TEST_P(Sync, SemwaitWaitsWhileAnyIsZero) {
  semaphore(0) = {.value = 1, .max = 1};
  rig.run(0, "SEMWAIT BlockMask=2, SemaphoreMask=3, ConditionMask=1\nSEMPOST SemaphoreMask=128");
  EXPECT_TRUE(is_stuck(0));
  EXPECT_EQ(rig.tile.wait(0).cause, tile::WaitCause::SemaphoreZero);
  EXPECT_EQ(rig.tile.wait(0).what, 1U);
  rig.run(1, "SEMPOST SemaphoreMask=2");
  go_on(0);
  EXPECT_FALSE(is_stuck(0));
}

TEST_P(Sync, SemwaitWaitsWhileAnyIsAtItsMaximumOrAbove) {
  semaphore(0) = {.value = 3, .max = 2};
  rig.run(0, "SEMWAIT BlockMask=2, SemaphoreMask=1, ConditionMask=2\nSEMPOST SemaphoreMask=128");
  EXPECT_TRUE(is_stuck(0));
  rig.run(1, "SEMGET SemaphoreMask=1");
  EXPECT_FALSE(rig.tile.step(0)) << "still at the maximum";
  rig.run(1, "SEMGET SemaphoreMask=1");
  EXPECT_TRUE(rig.tile.step(0));
}

TEST_P(Sync, OnlyWhatTheBlockMaskNamesIsHeld) {
  constexpr unsigned kUnpack = 1U << 3;
  rig.run(0, fmt::format("SEMWAIT BlockMask={}, SemaphoreMask=1, ConditionMask=1\n"
                         "SETADCXX PK=1, X0Val=5",
                         kUnpack));
  EXPECT_EQ(x(0), 5U) << "counters are none of the unpackers'";
  rig.run(0,
          "UNPACR_NOP WhichUnpacker=0, " + std::string(is_blackhole() ? "UnpackPop=1" : "NoOp=1"));
  EXPECT_TRUE(is_stuck(0));
}

TEST_P(Sync, WhatIsBehindAHeldInstructionWaitsToo) {
  rig.run(0,
          "SEMWAIT BlockMask=2, SemaphoreMask=1, ConditionMask=1\nSEMPOST SemaphoreMask=128\n"
          "SETADCXX PK=1, X0Val=5");
  EXPECT_EQ(x(0), 0U);
}

TEST_P(Sync, ABlockMaskOfZeroHoldsTheMatrixUnit) {
  rig.run(0,
          "SEMWAIT BlockMask=0, SemaphoreMask=1, ConditionMask=1\nSETADCXX PK=1, X0Val=5\n"
          "SETRWC Dst=1");
  EXPECT_EQ(x(0), 5U);
  EXPECT_TRUE(is_stuck(0));
}

TEST_P(Sync, NopIsHeldOnlyByAllBits) {
  rig.run(0, "SEMWAIT BlockMask=255, SemaphoreMask=1, ConditionMask=1\nNOP");
  EXPECT_FALSE(is_stuck(0));
  rig.run(1, "SEMWAIT BlockMask=511, SemaphoreMask=1, ConditionMask=1\nNOP");
  EXPECT_TRUE(is_stuck(1));
}

TEST_P(Sync, ANewWaitDoesNotReplaceAnOldOne) {
  // The second one's condition holds at once; the first one's does not.
  rig.run(0, fmt::format("SEMWAIT BlockMask=4, SemaphoreMask=1, ConditionMask=1\n"
                         "STALLWAIT BlockMask=1, ConditionMask={}\nSETADCXX PK=1, X0Val=5",
                         free_srca()));
  EXPECT_TRUE(is_stuck(0));
  EXPECT_EQ(x(0), 0U);
  rig.run(1, "SEMPOST SemaphoreMask=1");
  go_on(0);
  EXPECT_EQ(x(0), 5U);
}

TEST_P(Sync, AWaitIsOverAsSoonAsItsConditionsAreMet) {
  // The packer may start: that the semaphore is taken meanwhile makes no difference.
  constexpr unsigned kPack = 1U << 2;
  semaphore(0) = {.value = 1, .max = 1};
  rig.run(0, fmt::format("SEMWAIT BlockMask={}, SemaphoreMask=1, ConditionMask=1\n"
                         "SEMGET SemaphoreMask=1",
                         kPack));
  EXPECT_EQ(semaphore(0).value, 0U);
  rig.run(0, is_blackhole() ? "PACR ReadIntfSel=1, Flush=1" : "PACR PackerMask=1, Flush=1");
  EXPECT_FALSE(is_stuck(0));
}

TEST_P(Sync, AWaitThatIsMetForAMomentIsOver) {
  constexpr unsigned kPack = 1U << 2;
  rig.run(0, fmt::format("SEMWAIT BlockMask={}, SemaphoreMask=1, ConditionMask=1", kPack));
  rig.run(1, "SEMPOST SemaphoreMask=1\nSEMGET SemaphoreMask=1");
  rig.run(0, is_blackhole() ? "PACR ReadIntfSel=1, Flush=1" : "PACR PackerMask=1, Flush=1");
  EXPECT_FALSE(is_stuck(0));
}

TEST_P(Sync, StallwaitWaitsForBanks) {
  rig.run(1, fmt::format("STALLWAIT BlockMask=64, ConditionMask={}\nSETRWC Dst=1", filled_srca()));
  EXPECT_EQ(rig.tile.wait(1).cause, tile::WaitCause::SrcAFilled);
  rig.run(0, "UNPACR_NOP WhichUnpacker=0, " +
                 std::string(is_blackhole() ? "UnpackPop=1, SetDvalid=1" : "NoOp=7"));
  go_on(1);
  EXPECT_FALSE(is_stuck(1));
}

TEST_P(Sync, AMutexHasOneOwner) {
  rig.run(0, "ATGETM 0");
  rig.run(1, "ATGETM 0");
  EXPECT_EQ(rig.tile.wait(1).cause, tile::WaitCause::Mutex);
  rig.run(2, "ATRELM 0");
  EXPECT_FALSE(rig.tile.step(1)) << "released by one who does not own it";
  rig.run(0, "ATRELM 0");
  EXPECT_TRUE(rig.tile.step(1));
  EXPECT_EQ(rig.state().sync.mutex[0].owner, 1U);
}

TEST_P(Sync, OwnersMayAskAgain) {
  rig.run(0, "ATGETM 2\nATGETM 2");
  EXPECT_FALSE(is_stuck(0));
}

TEST_P(Sync, TheThreadBehindTheLastOwnerComesFirst) {
  rig.run(1, "ATGETM 0");
  rig.run(0, "ATGETM 0");
  rig.run(2, "ATGETM 0");
  rig.run(1, "ATRELM 0");
  EXPECT_FALSE(rig.tile.step(0)) << "2 is next after 1";
  EXPECT_TRUE(rig.tile.step(2));
  EXPECT_EQ(rig.state().sync.mutex[0].owner, 2U);
}

} // namespace
} // namespace lanewise::test
