// A core that the tile refuses something is not asked again before the tile would let it: that
// changes nothing but how often it is asked.
#include <vector>

#include "tile/core_addresses.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

/// A core that pushes what comes to many instructions, more than there is room for, and looks now
/// and then whether all is done.
class Pusher final : public tile::Feeder {
 public:
  Pusher(unsigned core, std::uint32_t word, bool tells) : core_(core), word_(word), tells_(tells) {}

  Expected<tile::FeederStep> step(tile::Tile& tile) override {
    constexpr unsigned kActions = 400, kLookEvery = 150;
    ++asked;
    if (done == kActions) return tile::FeederStep::Ended;
    bool went = false;
    if (done % kLookEvery == kLookEvery - 1) {
      const auto found = tile.load(core_, kIdle, 4);
      EXPECT_TRUE(found.has_value());
      went = found && *found;
    } else {
      went = tile.push(core_, {.word = word_, .line = 1});
    }
    done += went ? 1 : 0;
    return went ? tile::FeederStep::Went : tile::FeederStep::Waits;
  }
  std::string waits_for() const override { return "its tile"; }
  bool waits_for_tile() const override { return tells_; }

  unsigned asked = 0, done = 0;

 private:
  unsigned core_;
  std::uint32_t word_;
  bool tells_;
};

class RefusedCore : public TileOnBothChips {
 protected:
  struct Outcome {
    std::vector<unsigned> done; ///< by the core of T0, when each instruction was executed
    std::uint64_t steps = 0;
    unsigned asked = 0;
  };

  Outcome run(bool tells, const tile::ScheduleChoice& choice) {
    TileRig own(GetParam());
    std::string recorded = "REPLAY 0, 16, 0, 1\n";
    for (unsigned i = 0; i < 16; ++i) recorded += "SFPNOP\n";
    for (unsigned thread = 0; thread < kThreads; ++thread) own.run(thread, recorded);
    const std::uint32_t word = own.assemble("REPLAY 0, 16, 0, 0").words.front().word;
    std::array cores{Pusher(0, word, tells), Pusher(1, word, tells), Pusher(2, word, tells)};
    Outcome outcome;
    own.tile.watch = [&](const tile::Executed&) { outcome.done.push_back(cores[0].done); };
    const auto result = tile::run(
        own.tile, std::array<tile::Feeder* const, 3>{&cores[0], &cores[1], &cores[2]}, choice);
    EXPECT_TRUE(result.has_value());
    if (!result) return outcome;
    EXPECT_TRUE(result->blocked.empty());
    outcome.steps = result->steps;
    for (const Pusher& core : cores) outcome.asked += core.asked;
    return outcome;
  }
};
LANEWISE_ON_BOTH_CHIPS(RefusedCore);

TEST_P(RefusedCore, IsNotAskedAgainBeforeItCanGoOn) {
  for (const tile::Order order :
       {tile::Order::RoundRobin, tile::Order::Random, tile::Order::Adversarial}) {
    const tile::ScheduleChoice choice{.order = order, .seed = 5};
    const Outcome patient = run(true, choice), asks = run(false, choice);
    EXPECT_EQ(patient.done, asks.done);
    EXPECT_EQ(patient.steps, asks.steps);
    EXPECT_LT(patient.asked, asks.asked);
  }
}

} // namespace
} // namespace lanewise::test
