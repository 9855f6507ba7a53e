// The Wait Gate: when a latched wait is forgotten, and that nothing takes its place (ISA
// STALLWAIT).
#include <algorithm>

#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

class WaitGates : public TileOnBothChips {
 protected:
  static constexpr unsigned kAllBits = 0x1FF;
};
LANEWISE_ON_BOTH_CHIPS(WaitGates);

TEST_P(WaitGates, AWaitWhoseConditionWasMetOnceIsForgotten) {
  rig.state().sync.semaphore[0] = {.value = 1, .max = 1};
  rig.run(1, fmt::format("SEMWAIT SemaphoreMask=1, ConditionMask=1, BlockMask={}", kAllBits));
  rig.run(0, "SEMGET SemaphoreMask=1");
  rig.run(1, "SETDMAREG PayloadSigSelSize=0, PayloadSigSel=5, ResultHalfReg=0");
  EXPECT_FALSE(rig.tile.has_work(1)) << "the semaphore is 0 again, but was not";
}

TEST_P(WaitGates, AWaitWhoseConditionWasNeverMetStays) {
  rig.run(1, fmt::format("SEMWAIT SemaphoreMask=1, ConditionMask=1, BlockMask={}", kAllBits));
  rig.run(0, "SEMGET SemaphoreMask=2");
  rig.run(1, "SETDMAREG PayloadSigSelSize=0, PayloadSigSel=5, ResultHalfReg=0");
  EXPECT_TRUE(rig.tile.has_work(1));
}

TEST_P(WaitGates, SayWhatIsMissingNow) {
  const auto bit = [](WaitFor condition) {
    const auto& all = arch_params(GetParam()).tile.wait_conditions;
    return 1U << (std::ranges::find(all, condition) - all.begin());
  };
  auto& srca = rig.machine().srca;
  rig.run(1, fmt::format("STALLWAIT BlockMask={}, ConditionMask={}", 1U << 6,
                         bit(WaitFor::SrcAFilled) | bit(WaitFor::SrcBFilled)));
  rig.run(1, "SETRWC SrcA=1");
  EXPECT_EQ(rig.tile.wait(1).cause, tile::WaitCause::SrcAFilled);
  srca.owned_by_matrix_unit[srca.current] = true;
  EXPECT_FALSE(rig.tile.step(1));
  EXPECT_EQ(rig.tile.wait(1).cause, tile::WaitCause::SrcBFilled);
}

TEST_P(WaitGates, SemwaitStaysBehindAWaitWithB1) {
  rig.state().sync.semaphore[0] = {.value = 1, .max = 1};
  constexpr unsigned kMathAndSync = 1U << 6 | 1U << 1;
  const unsigned srca_filled = is_blackhole() ? 1U << 7 : 1U << 10;
  rig.run(1, fmt::format("STALLWAIT BlockMask={}, ConditionMask={}", kMathAndSync, srca_filled));
  rig.run(1, fmt::format("SEMWAIT SemaphoreMask=1, ConditionMask=1, BlockMask={}", kMathAndSync));
  rig.run(1, "SETRWC SrcA=1");
  EXPECT_TRUE(rig.tile.has_work(1));
  EXPECT_EQ(rig.faults(), "");
}

} // namespace
} // namespace lanewise::test
