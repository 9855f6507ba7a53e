// Threads execute with the host's float instructions in another state than cores, whose code is the
// user's (chip/machine/host_arithmetic.h).
#include <immintrin.h>

#include <vector>

#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

/// Rounding and what becomes of denormals, without what has been met.
unsigned float_state() {
  constexpr unsigned kMet = 0x3F;
  return _mm_getcsr() & ~kMet;
}

/// A core that pushes, and looks at the host's state each time.
class Looker final : public tile::Feeder {
 public:
  explicit Looker(std::uint32_t word) : word_(word) {}

  Expected<tile::FeederStep> step(tile::Tile& tile) override {
    constexpr std::size_t kPushes = 20;
    seen.push_back(float_state());
    if (seen.size() > kPushes) return tile::FeederStep::Ended;
    EXPECT_TRUE(tile.push(kMathThread, {.word = word_, .line = 1}));
    return tile::FeederStep::Went;
  }
  std::string waits_for() const override { return "nothing"; }

  std::vector<unsigned> seen;

 private:
  std::uint32_t word_;
};

class HostState : public TileOnBothChips {};
LANEWISE_ON_BOTH_CHIPS(HostState);

TEST_P(HostState, IsTheUsualOneForCoresAndWhoeverIsAsked) {
  const unsigned usual = float_state();
  const Program program = rig.assemble("SFPNOP");
  for (const tile::Order order : {tile::Order::RoundRobin, tile::Order::Random}) {
    Looker core(program.words.front().word);
    std::vector<unsigned> paused;
    tile::RunLimits limits;
    limits.pause = [&] { paused.push_back(float_state()); };
    limits.pause_every = 3;
    const auto result =
        tile::run(rig.tile, std::array<tile::Feeder* const, 3>{nullptr, &core, nullptr},
                  {.order = order, .seed = 3}, limits);
    ASSERT_TRUE(result.has_value()) << to_string(result.error());
    EXPECT_EQ(core.seen, std::vector<unsigned>(core.seen.size(), usual));
    EXPECT_EQ(paused, std::vector<unsigned>(paused.size(), usual));
    EXPECT_GT(paused.size(), 5U);
    EXPECT_EQ(float_state(), usual);
  }
}

} // namespace
} // namespace lanewise::test
