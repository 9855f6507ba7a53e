// Races in stories made by chance: what is passed on in order has none, and without one step it
// has.
#include <random>

#include "grid/story.h"

namespace lanewise::grid {
namespace {

/// A place in DRAM or L1 that one core after the other has to itself. What was left out of one
/// step, nothing else makes up for.
struct Relay {
  explicit Relay(std::uint64_t seed) : random(seed) {}

  unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }

  /// `broken`: the step that lacks its order.
  void run(Story& story, unsigned steps, unsigned broken) {
    const bool is_dram = below(2) == 0;
    const unsigned home = below(4);
    const Location place = is_dram ? Story::dram() : Story::l1(home);
    unsigned holder = below(4);
    for (unsigned step = 0; step < steps; ++step) {
      unsigned next = below(4);
      if (next == holder) next = (next + 1) % 4;
      const Way way{.noc = below(2), .channel = 1 + below(2)};
      Way other{.noc = below(2), .channel = 1 + below(2)};
      const bool is_local = !is_dram && holder == home;
      const bool may_follow = !is_dram && next == home && !is_local;
      const bool follows = may_follow && below(2) == 0;
      const bool lacks_wait = step == broken && (is_local || below(2) == 0);
      const bool lacks_barrier = step == broken && !lacks_wait;
      std::optional<Transaction> late;
      if (is_local) {
        story.store(holder, 10 + step);
      } else {
        const Transaction data = story.ask_write(holder, place, 10 + step, way);
        if (lacks_barrier && below(2) == 0) {
          late = data;
        } else {
          story.races.land(holder, data);
        }
      }
      if (follows && !lacks_barrier) other = way;
      if (lacks_barrier && may_follow) other.noc = 1 - way.noc;
      if (!is_local && !follows && !lacks_barrier)
        story.wait(holder, NocWait::What::Writes, way.noc);
      story.increment(holder, next, 100 + step, other);
      if (!lacks_wait) story.await(next);
      if (late) {
        if (next == home && !is_dram) {
          story.store(next, 200 + step);
        } else {
          story.ask_read(next, place, 200 + step, below(2), 0x90000 + 0x100ULL * step);
          story.wait(next, NocWait::What::Reads, 0);
          story.wait(next, NocWait::What::Reads, 1);
        }
        story.races.land(holder, *late);
      }
      holder = next;
    }
    if (!is_dram && holder == home) {
      story.store(holder, 300);
    } else {
      story.races.land(holder, story.ask_write(holder, place, 300, {.noc = below(2)}));
    }
  }

  std::mt19937_64 random;
};

TEST(Races, WhatIsPassedOnInOrderHasNoRaceAndWithoutOneStepItHas) {
  constexpr unsigned kSteps = 12;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Story whole;
    Relay(seed).run(whole, kSteps, kSteps);
    ASSERT_EQ(whole.text(), "") << seed;
    Story broken;
    Relay relay(seed);
    relay.run(broken, kSteps, static_cast<unsigned>(seed % kSteps));
    ASSERT_NE(broken.text(), "") << seed;
  }
}

} // namespace
} // namespace lanewise::grid
