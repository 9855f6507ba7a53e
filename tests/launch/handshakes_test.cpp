// Semaphores that are tried: when they are raised, and how often they are waited for.
#include <gtest/gtest.h>

#include "chip/isa/arch.h"
#include "run/launch/handshakes.h"

namespace lanewise::launch {
namespace {

constexpr unsigned kCore = 3, kHere = 0, kThere = 1;
constexpr std::uint64_t kWord = 0x16030;

/// A core, its NoC, and what is tried of it.
class Tried {
 public:
  explicit Tried(Mend mend) : mends{std::move(mend)} {}

  /// For which value the core waits each time it comes to the line, a turn each time.
  std::vector<std::uint32_t> awaited(unsigned times) {
    std::vector<std::uint32_t> all;
    for (unsigned i = 0; i < times; ++i) {
      all.push_back(handshakes.come_to(12) ? handshakes.words().front().least : 0);
      handshakes.go_on();
      handshakes.end_turn();
    }
    return all;
  }
  /// How many increments the NoC was asked for.
  std::size_t asked() const { return noc.pending().size(); }

  std::vector<std::uint8_t> l1 = std::vector<std::uint8_t>(0x20000);
  noc::Noc noc{Arch::Blackhole,
               {.own = *noc::worker_place(Arch::Blackhole, 0, 0), .grid = NocPlace{2, 1}},
               {.l1 = l1, .dram = {}}};
  std::vector<Mend> mends;
  Handshakes handshakes{kCore, kHere, mends, noc};
};

Mend await(std::uint32_t raises, std::uint32_t turns, bool begins) {
  Mend mend{.kind = Mend::Kind::Await, .core = kCore, .line = 12, .address = kWord};
  mend.raises = raises;
  mend.turns = turns;
  mend.begins = begins;
  return mend;
}

Mend raise(std::vector<unsigned> receivers) {
  Mend mend{.kind = Mend::Kind::Raise, .core = kCore, .line = 12, .address = kWord};
  mend.receivers = std::move(receivers);
  return mend;
}

using Values = std::vector<std::uint32_t>;

TEST(Handshakes, ACoreWaitsForAsManyAsItsPartOfTheTurnsNeeds) {
  EXPECT_EQ(Tried(await(3, 3, false)).awaited(3), (Values{1, 2, 3}));
  EXPECT_EQ(Tried(await(8, 2, false)).awaited(2), (Values{4, 8}));
  EXPECT_EQ(Tried(await(2, 4, false)).awaited(4), (Values{1, 1, 2, 2}));
}

TEST(Handshakes, ItsFirstTurnMayNeedNone) {
  EXPECT_EQ(Tried(await(3, 3, true)).awaited(3), (Values{0, 1, 2}));
}

TEST(Handshakes, WhatALineDoesBetweenTwoTimesThatOthersMayHearIsOneTurn) {
  Tried tried(await(2, 2, false));
  EXPECT_TRUE(tried.handshakes.come_to(12));
  tried.handshakes.go_on();
  EXPECT_FALSE(tried.handshakes.come_to(12)); // its next load
  EXPECT_FALSE(tried.handshakes.come_to(13));
  tried.handshakes.end_turn();
  EXPECT_TRUE(tried.handshakes.come_to(12));
  EXPECT_EQ(tried.handshakes.words().front().least, 2U);
}

TEST(Handshakes, WordsAreRaisedBehindTheLineOnceForEachTurn) {
  Tried tried(raise({kThere, kHere}));
  tried.handshakes.end_turn();
  EXPECT_EQ(tried.asked(), 0U);
  for (int load = 0; load < 3; ++load) EXPECT_FALSE(tried.handshakes.come_to(12));
  EXPECT_TRUE(tried.handshakes.is_at(12));
  EXPECT_EQ(tried.asked(), 0U) << "the line may go on";
  tried.handshakes.end_turn();
  EXPECT_FALSE(tried.handshakes.is_at(12));
  ASSERT_EQ(tried.asked(), 2U);
  const noc::Transaction &there = tried.noc.pending()[0], &here = tried.noc.pending()[1];
  EXPECT_EQ(
      there.destination,
      (noc::Location{.memory = noc::Location::Memory::OtherL1, .bank = kThere, .address = kWord}));
  EXPECT_EQ(here.destination, (noc::Location{.address = kWord}));
  EXPECT_EQ(there.value, 1U);
  tried.handshakes.end_turn();
  EXPECT_EQ(tried.asked(), 2U);
}

TEST(Handshakes, ACoreIsRaisingUntilAllHaveLanded) {
  Tried tried(raise({kThere, kHere}));
  EXPECT_FALSE(tried.handshakes.is_raising());
  tried.handshakes.come_to(12);
  tried.handshakes.end_turn();
  const auto both = tried.noc.pending();
  for (const noc::Transaction& each : both) {
    EXPECT_TRUE(tried.handshakes.is_raising());
    const noc::NocEvent landed{.kind = noc::NocEvent::Kind::Landed, .transaction = &each};
    EXPECT_TRUE(tried.handshakes.see(landed));
    EXPECT_FALSE(tried.handshakes.see(landed));
  }
  EXPECT_FALSE(tried.handshakes.is_raising());
}

TEST(Handshakes, MendsOfOtherCoresAndKindsAreLeftOut) {
  Mend other = raise({kThere});
  other.core = kCore + 1;
  EXPECT_TRUE(Tried(other).handshakes.are_none());
  EXPECT_TRUE(
      Tried({.kind = Mend::Kind::Barrier, .core = kCore, .line = 12}).handshakes.are_none());
  EXPECT_FALSE(Tried(raise({kThere})).handshakes.are_none());
}

} // namespace
} // namespace lanewise::launch
