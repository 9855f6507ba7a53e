// Multicasts of several cores at once: whose way is reserved when, until when it is held, and where
// it lies (ISA NoC/README and NoC/RoutingPaths; docs/noc.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "chip/noc/network.h"
#include "chip/noc/routes.h"

namespace lanewise::noc {
namespace multicasts {

// Wormhole: a link takes 31.2 bytes in a cycle, and a packet has 32 more in front: 100 cycles.
constexpr std::uint32_t kBytes = 3120 - 32;
constexpr std::uint64_t kTakes = 100;
constexpr std::uint64_t kOut = 20; // from the request to the first router

/// To the cores in columns 1 to 4 of row 2, from the row above it. From column x, it goes one link
/// down and then right, from column 2 on around the ring of ten: 1 + 9 hops.
Shipment from_column(unsigned x, bool is_linked) {
  return {.kind = Transaction::Kind::Write,
          .from = {static_cast<std::uint8_t>(x), 1},
          .many = {{1, 2}, {2, 2}, {3, 2}, {4, 2}},
          .bytes = kBytes,
          .is_linked = is_linked};
}
constexpr std::uint64_t kReserve = 8 + 16 * 10;

/// The cycle in which each has left.
class Left {
 public:
  std::uint64_t of(std::uint64_t key) {
    while (network.next() != Network::kNever && !left_.contains(key)) {
      network.advance(network.next() + 1, passages_);
      for (const Passage& each : passages_)
        if (each.kind == Passage::Kind::Left) left_[each.key] = each.cycle;
      passages_.clear();
    }
    return left_.at(key);
  }
  void ask(Shipment shipment, std::uint64_t key, std::uint64_t cycle) {
    shipment.key = key;
    network.ask(shipment, cycle);
  }

  Network network{Arch::Wormhole};

 private:
  std::map<std::uint64_t, std::uint64_t> left_;
  std::vector<Passage> passages_;
};

constexpr unsigned kEach = 5; // multicasts of a core

/// All at once, of the cores in columns 2, 3, ...
std::uint64_t last_of(unsigned cores, bool are_linked) {
  Left left;
  for (unsigned i = 0; i < kEach; ++i)
    for (unsigned core = 0; core < cores; ++core)
      left.ask(from_column(core + 2, are_linked && i + 1 < kEach), core * kEach + i, 0);
  return left.of(cores * kEach - 1);
}

TEST(Multicasts, LinkedChainsOverOneRowAreServedOneAfterAnother) {
  for (unsigned cores = 1; cores <= 3; ++cores)
    EXPECT_EQ(last_of(cores, true), kOut + cores * (kReserve + kEach * kTakes));
}

TEST(Multicasts, EachThatIsNotLinkedReservesItsWay) {
  for (unsigned cores = 1; cores <= 3; ++cores)
    EXPECT_EQ(last_of(cores, false), kOut + cores * kEach * (kReserve + kTakes));
}

TEST(Multicasts, WhoGivesTheWayBackAndHasAnotherComesFirst) {
  Left left;
  left.ask(from_column(2, false), 0, 0);
  left.ask(from_column(3, false), 1, 0);
  left.ask(from_column(2, false), 2, 50);
  EXPECT_EQ(left.of(0), kOut + kReserve + kTakes);
  EXPECT_EQ(left.of(2), kOut + 2 * (kReserve + kTakes));
  EXPECT_EQ(left.of(1), kOut + 3 * (kReserve + kTakes));
}

TEST(Multicasts, WhoAsksForTheNextOnceOneHasLeftLetsOthersInBetween) {
  Left left;
  left.ask(from_column(2, false), 0, 0);
  left.ask(from_column(3, false), 1, 0);
  for (std::uint64_t turn = 0; turn < 4; ++turn) {
    const std::uint64_t cycle = left.of(turn);
    EXPECT_EQ(cycle, kOut + (turn + 1) * (kReserve + kTakes));
    left.ask(from_column(2 + turn % 2, false), turn + 2, cycle + 1);
  }
}

TEST(Multicasts, TheFirstOfThoseThatWaitGoesFirst) {
  Left left;
  for (unsigned core = 0; core < 3; ++core) left.ask(from_column(4 - core, false), core, core);
  for (unsigned core = 0; core < 3; ++core)
    EXPECT_EQ(left.of(core), kOut + (core + 1) * (kReserve + kTakes));
}

TEST(Multicasts, AChainHoldsItsWayAlsoWhileNothingIsOnIt) {
  Left left;
  left.ask(from_column(2, true), 0, 0);
  left.ask(from_column(3, false), 1, 0);
  EXPECT_EQ(left.of(0), kOut + kReserve + kTakes);
  left.ask(from_column(2, false), 2, 1000);
  EXPECT_EQ(left.of(2), 1000 + kOut + kTakes); // without another reservation
  EXPECT_EQ(left.of(1), 1000 + kOut + kTakes + kReserve + kTakes);
}

TEST(Multicasts, WaysWithoutACommonLinkDoNotWait) {
  Left left;
  left.ask(from_column(2, true), 0, 0);
  Shipment other = from_column(2, true);
  other.from.y = 3;
  for (NocPlace& each : other.many) each.y = 4;
  left.ask(other, 1, 0);
  Shipment back = from_column(3, true); // the same places, on the other NoC
  back.noc = 1;
  left.ask(back, 2, 0);
  EXPECT_EQ(left.of(0), kOut + kReserve + kTakes);
  EXPECT_EQ(left.of(1), kOut + kReserve + kTakes);
  // Up around the ring of twelve, then left around the one of ten.
  EXPECT_EQ(left.of(2), kOut + 8 + 16 * (11 + 9) + kTakes);
}

// What a sender gets of its own multicasts comes in at its NIU, as the answers do.
TEST(Multicasts, ASenderThatReceivesSendsNoFasterThanItTakesIn) {
  const auto end = [](bool comes_back) {
    Left left;
    Shipment shipment = from_column(1, true);
    shipment.from.y = 2;
    if (!comes_back) shipment.many.erase(shipment.many.begin());
    for (unsigned i = 0; i < 100; ++i) left.ask(shipment, i, 0);
    return left.of(99);
  };
  const std::uint64_t reserve = 8 + 16 * 3;
  EXPECT_EQ(end(false), kOut + reserve + 100 * kTakes);
  // Four answers of 32 bytes to each that has left; those to the last four come behind the end.
  const double answers = 4 * 32 / 31.2;
  EXPECT_NEAR(static_cast<double>(end(true)), kOut + reserve + 100 * kTakes + 96 * answers,
              answers);
}

/// Begins and ends of the links of a tree.
std::vector<std::pair<NocPlace, NocPlace>> links_of(unsigned noc, NocPlace from,
                                                    const std::vector<NocPlace>& to) {
  const Torus torus(Arch::Wormhole, noc);
  std::vector<std::pair<NocPlace, NocPlace>> links;
  for (const Tree::Step& step : tree_of(torus, from, to).steps)
    links.emplace_back(torus.begin_of(step.link), torus.end_of(step.link));
  return links;
}
using Links = std::vector<std::pair<NocPlace, NocPlace>>;

TEST(Multicasts, TreesGoAlongTheRowThenDownThenAlongEachRow) {
  EXPECT_EQ(links_of(0, {1, 1}, {{2, 2}, {2, 3}, {3, 2}, {3, 3}}), (Links{{{1, 1}, {2, 1}},
                                                                          {{2, 1}, {2, 2}},
                                                                          {{2, 2}, {2, 3}},
                                                                          {{2, 2}, {3, 2}},
                                                                          {{2, 3}, {3, 3}}}));
  EXPECT_EQ(links_of(1, {4, 4}, {{2, 2}, {2, 3}, {3, 2}, {3, 3}}), (Links{{{4, 4}, {3, 4}},
                                                                          {{3, 4}, {3, 3}},
                                                                          {{3, 3}, {3, 2}},
                                                                          {{3, 2}, {2, 2}},
                                                                          {{3, 3}, {2, 3}}}));
}

TEST(Multicasts, ASenderInAColumnOfTheRectangleGoesDownAtOnceAndAroundTheRing) {
  const Links links = links_of(0, {2, 1}, {{1, 2}, {2, 2}, {3, 2}});
  EXPECT_EQ(links.size(), 1 + 9);
  EXPECT_EQ(links[0], std::pair(NocPlace{2, 1}, NocPlace{2, 2}));
  EXPECT_TRUE(std::ranges::all_of(links.begin() + 1, links.end(),
                                  [](const auto& link) { return link.first.y == 2; }));
  EXPECT_EQ(links.back().second, (NocPlace{1, 2}));
}

} // namespace multicasts
} // namespace lanewise::noc
