// A whole operation under all orders (core.md 15.1).
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

LANEWISE_ON_BOTH_CHIPS(Datacopy);

TEST_P(Datacopy, LeavesEveryDatumAsItWas) {
  const tile::RunResult result = rig.run_all(programs());
  EXPECT_TRUE(result.blocked.empty());
  EXPECT_EQ(rig.faults(), "");
  EXPECT_EQ(data(kOut), data(kIn));
}

TEST_P(Datacopy, DependsOnNoInterleaving) {
  for (const auto order : {tile::Order::Random, tile::Order::Adversarial}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      TileRig fresh(GetParam());
      fresh.tile.state() = rig.tile.state();
      const tile::RunResult result = fresh.run_all(programs(), {.order = order, .seed = seed});
      EXPECT_TRUE(result.blocked.empty());
      EXPECT_EQ(fresh.faults(), "");
      std::swap(rig.tile.state(), fresh.tile.state());
      EXPECT_EQ(data(kOut), data(kIn)) << "seed " << seed;
      std::swap(rig.tile.state(), fresh.tile.state());
    }
  }
}

TEST_P(Datacopy, WithoutPostPackWaitsForEver) {
  auto texts = programs();
  texts[1].resize(texts[1].find("SEMPOST"));
  const tile::RunResult result = rig.run_all(texts);
  ASSERT_EQ(result.blocked.size(), 1U);
  EXPECT_EQ(result.blocked[0].thread, 2U);
  EXPECT_EQ(result.blocked[0].reason, "waits for semaphore 1 to be above 0");
  EXPECT_EQ(result.blocked[0].wait.because_of.line, 1U) << "the SEMWAIT";
}

TEST_P(Datacopy, WithoutUnpackMathWaitsForSrcA) {
  auto texts = programs();
  texts[0].clear();
  const tile::RunResult result = rig.run_all(texts);
  ASSERT_EQ(result.blocked.size(), 2U);
  EXPECT_EQ(result.blocked[0].thread, 1U);
  EXPECT_EQ(result.blocked[0].wait.cause, tile::WaitCause::SrcAFilled);
  EXPECT_EQ(result.blocked[1].thread, 2U);
}

} // namespace
} // namespace lanewise::test
