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

/// As LLK does it: SrcB, which nobody reads, is handed over behind each UNPACR, and back with SrcA.
std::array<std::string, 3> with_idle_srcb(std::array<std::string, 3> texts, bool is_blackhole) {
  const auto replace_all = [](std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace_all(texts[0], "FlipSrc=1, Last=1\n",
              is_blackhole
                  ? "FlipSrc=1, Last=1\nUNPACR_NOP WhichUnpacker=1, SetDvalid=1, UnpackPop=1\n"
                  : "FlipSrc=1, Last=1\nUNPACR_NOP WhichUnpacker=1, NoOp=1\n"
                    "UNPACR_NOP WhichUnpacker=1, NoOp=7\n");
  replace_all(texts[1], "FlipSrcA=1", "FlipSrcA=1, FlipSrcB=1");
  return texts;
}

TEST_P(Datacopy, HandsBackWhatIsHandedOverRightBehind) {
  const auto texts = with_idle_srcb(programs(), is_blackhole());
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    TileRig fresh(GetParam());
    fresh.tile.state() = rig.tile.state();
    const auto order = seed % 2 == 0 ? tile::Order::Random : tile::Order::Adversarial;
    EXPECT_TRUE(fresh.run_all(texts, {.order = order, .seed = seed}).blocked.empty());
    EXPECT_EQ(fresh.tile.faults().size(), 0U) << "seed " << seed;
    std::swap(rig.tile.state(), fresh.tile.state());
    EXPECT_EQ(data(kOut), data(kIn)) << "seed " << seed;
    std::swap(rig.tile.state(), fresh.tile.state());
  }
}

TEST_P(Datacopy, ABankThatNobodyFillsIsHandedBackAllTheSame) { // MU 1.2: nothing waits there
  auto texts = programs();
  texts[1] = "SETRWC FlipSrcB=1\n" + texts[1];
  EXPECT_TRUE(rig.run_all(texts).blocked.empty());
  EXPECT_TRUE(rig.has_fault("does not belong to the Matrix Unit"));
  EXPECT_EQ(data(kOut), data(kIn));
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
