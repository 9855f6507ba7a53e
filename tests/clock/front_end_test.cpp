// The front end of a thread in time.
#include "chip/clock/front_end.h"

#include <gtest/gtest.h>

#include <vector>

#include "chip/isa/clock_record.h"

namespace lanewise::clock {
namespace {

constexpr const ClockParams& kChip = kBlackholeClock;

TEST(FrontEnd, BringsOneInstructionACycle) { // core.md 17.1
  FrontEnd front(Arch::Blackhole);
  for (std::uint64_t cycle = 0; cycle < 10; ++cycle) front.push(cycle, {.instructions = 1});
  std::uint64_t last = front.arrival();
  EXPECT_EQ(last, kChip.push_latency + kChip.gate_latency);
  for (int k = 1; k < 10; ++k) {
    front.issue(last);
    EXPECT_EQ(front.arrival(), last + 1);
    last = front.arrival();
  }
}

TEST(FrontEnd, ExpandsAMopWithoutAGapAndLosesACycleBehindIt) { // core.md 5
  FrontEnd front(Arch::Blackhole);
  front.push(0, {.instructions = 8, .is_mop = true});
  front.push(0, {.instructions = 8, .is_mop = true});
  front.push(0, {.instructions = 1});
  std::vector<std::uint64_t> arrivals;
  for (int k = 0; k < 17; ++k) {
    arrivals.push_back(front.arrival());
    front.issue(front.arrival());
  }
  for (int k = 1; k < 16; ++k) EXPECT_EQ(arrivals[k], arrivals[k - 1] + 1) << k;
  EXPECT_EQ(arrivals[16], arrivals[15] + 1 + kChip.after_mop);
}

// TB matmul_tiles: 16.8 cycles for each phase of 16 instructions.
TEST(FrontEnd, LosesACycleForEveryFewReplaysOfMops) {
  for (const Arch arch : kArchs) {
    FrontEnd front(arch);
    constexpr unsigned kInReplay = 16, kInMop = 2 * kInReplay, kMops = 6;
    for (unsigned k = 0; k < kMops; ++k) {
      front.push(0, {.instructions = kInMop, .is_mop = true, .replays = 2});
    }
    std::vector<std::uint64_t> arrivals;
    for (unsigned k = 0; k < kMops * kInMop; ++k) {
      arrivals.push_back(front.arrival());
      front.issue(front.arrival());
    }
    EXPECT_EQ(arrivals.back() - arrivals.front(),
              kMops * kInMop - 1 + kMops * 2 / clock_params(arch).replays_a_gap);
    EXPECT_EQ(arrivals[kInReplay] - arrivals[kInReplay - 1], 2U);
    EXPECT_EQ(arrivals[kInMop] - arrivals[kInMop - 1], 1U);
  }
}

TEST(FrontEnd, SpreadsWhatIsLostWithinAMop) { // four phases and what comes behind them
  FrontEnd front(Arch::Blackhole);
  front.push(0, {.instructions = 16, .is_mop = true, .replays = 1});
  front.push(0, {.instructions = 65, .is_mop = true, .replays = 4});
  front.push(0, {.instructions = 16, .is_mop = true, .replays = 1});
  std::vector<unsigned> gaps;
  std::uint64_t last = front.arrival();
  for (unsigned k = 0; k < 97; ++k) {
    if (front.arrival() > last + 1) gaps.push_back(k);
    last = front.arrival();
    front.issue(last);
  }
  // Two of the MOP in the middle, and one of the REPLAYs before and behind it.
  EXPECT_EQ(gaps, (std::vector<unsigned>{16 + 21, 16 + 43, 16 + 65 + 8}));
}

TEST(FrontEnd, TakesACycleForAWordThatComesToNothing) { // MOP_CFG, or one that is recorded
  FrontEnd front(Arch::Blackhole);
  front.push(0, {.instructions = 0});
  front.push(0, {.instructions = 0});
  front.push(0, {.instructions = 1});
  EXPECT_EQ(front.arrival(), kChip.push_latency + 2U + kChip.gate_latency);
}

TEST(FrontEnd, TakesAsManyWordsAsItsQueuesHold) { // TB: about 31 on either chip
  for (const Arch arch : kArchs) {
    FrontEnd front(arch);
    const ClockParams& chip = clock_params(arch);
    unsigned pushed = 0;
    for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
      if (!front.has_room(cycle)) continue;
      front.push(cycle, {.instructions = 1});
      ++pushed;
    }
    // Nothing has issued: what stands behind the expanders has left the first queue.
    EXPECT_EQ(pushed, chip.pushed_words + chip.expanded);
    EXPECT_FALSE(front.room_from());
    front.issue(200);
    ASSERT_TRUE(front.room_from());
    EXPECT_TRUE(front.has_room(*front.room_from()));
    EXPECT_FALSE(front.has_room(*front.room_from() - 1));
  }
}

TEST(FrontEnd, HasRoomAgainOnceTheNextWordIsTaken) { // core.md 5
  constexpr unsigned kInMop = 4;
  FrontEnd front(Arch::Blackhole);
  front.push(0, {.instructions = kInMop, .is_mop = true});
  for (unsigned k = 0; k < kChip.pushed_words; ++k) front.push(0, {.instructions = 0});
  const std::uint64_t taken = kChip.push_latency + kInMop + kChip.after_mop;
  EXPECT_EQ(front.room_from(), taken);
  EXPECT_TRUE(front.has_room(taken));
  EXPECT_FALSE(front.has_room(taken - 1));
}

} // namespace
} // namespace lanewise::clock
