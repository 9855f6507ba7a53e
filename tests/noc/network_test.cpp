// The NoC between cores and DRAM in time: ways, latencies, sharing (docs/noc.md;
// chip/isa/noc_record.h; noc_latencies.yaml of tt-metal).
#include "chip/noc/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "chip/noc/routes.h"

namespace lanewise::noc {
namespace {

using Kind = Transaction::Kind;
using Passed = std::map<std::pair<std::uint64_t, Passage::Kind>, std::uint64_t>;

/// Everything that happens from now on, by key and kind.
Passed all_of(Network& network) {
  std::vector<Passage> passages;
  while (network.next() != Network::kNever) network.advance(network.next() + 1, passages);
  EXPECT_TRUE(std::ranges::is_sorted(passages, {}, &Passage::cycle));
  Passed passed;
  for (const Passage& each : passages)
    EXPECT_TRUE(passed.emplace(std::pair(each.key, each.kind), each.cycle).second);
  return passed;
}

Shipment between(Arch arch, Kind kind, NocPlace from, NocPlace to, std::uint32_t bytes) {
  return {.kind = kind,
          .noc = kind == Kind::Read ? 1U : 0U,
          .from = worker_router(arch, from.x, from.y),
          .to = worker_router(arch, to.x, to.y),
          .bytes = bytes};
}

/// Cycles of one alone.
std::uint64_t alone(Arch arch, const Shipment& shipment) {
  Network network(arch);
  network.ask(shipment, 1000);
  return all_of(network).at({0, Passage::Kind::Answered}) - 1000;
}

TEST(Routes, RoutersLieWhereTheChipHasThem) {
  EXPECT_EQ(worker_router(Arch::Blackhole, 0, 0), (NocPlace{1, 2}));
  EXPECT_EQ(worker_router(Arch::Blackhole, 7, 9), (NocPlace{10, 11})); // behind 8 and 9
  EXPECT_EQ(worker_router(Arch::Wormhole, 4, 5), (NocPlace{6, 7}));    // behind 5, behind 6
  EXPECT_EQ(bank_router(Arch::Blackhole, 0, 0), (NocPlace{0, 11}));    // port 2 of channel 0
  EXPECT_EQ(bank_router(Arch::Blackhole, 1, 7), (NocPlace{9, 7}));     // port 1 of channel 7
  EXPECT_EQ(bank_router(Arch::Wormhole, 1, 3), (NocPlace{0, 7}));
}

TEST(Routes, NocZeroGoesRightThenDownAndNocOneUpThenLeft) {
  const Torus first(Arch::Wormhole, 0), second(Arch::Wormhole, 1);
  std::vector<Link> links;
  first.append_route({8, 1}, {1, 2}, links); // around the right edge
  ASSERT_EQ(links.size(), 4);
  EXPECT_EQ(first.begin_of(links[0]), (NocPlace{8, 1}));
  EXPECT_EQ(first.end_of(links[1]), (NocPlace{0, 1}));
  EXPECT_EQ(first.end_of(links[2]), (NocPlace{1, 1}));
  EXPECT_EQ(first.end_of(links[3]), (NocPlace{1, 2}));
  links.clear();
  second.append_route({1, 0}, {9, 11}, links);
  ASSERT_EQ(links.size(), 3);
  EXPECT_EQ(second.end_of(links[0]), (NocPlace{1, 11}));
  EXPECT_EQ(second.end_of(links[1]), (NocPlace{0, 11}));
  EXPECT_EQ(second.end_of(links[2]), (NocPlace{9, 11}));
  EXPECT_EQ(first.hops({1, 1}, {3, 4}), 5);
  EXPECT_EQ(second.hops({1, 1}, {3, 4}), 8 + 9);
}

TEST(Routes, AMulticastTakesEachLinkOnce) {
  const Torus torus(Arch::Wormhole, 0);
  const std::vector<NocPlace> to{{2, 1}, {3, 1}, {2, 2}, {3, 2}};
  const Tree tree = tree_of(torus, {1, 1}, to);
  EXPECT_EQ(tree.steps.size(), 4); // one to the right, one down, one in each row
  EXPECT_EQ(tree.depth(), 3);
  unsigned receivers = 0;
  for (const std::uint16_t each : tree.receivers) receivers += each;
  EXPECT_EQ(receivers, 4);
}

// The first figures of ONE_FROM_ONE and ONE_TO_ONE, less what each further transaction costs its
// program: the next core of the column, and one across both axes.
TEST(Network, LatenciesAreThoseOfSilicon) {
  const auto near = [](std::uint64_t cycles, double silicon) {
    EXPECT_NEAR(static_cast<double>(cycles), silicon, 9);
  };
  for (const auto& [arch, kind, same, other] :
       {std::tuple(Arch::Blackhole, Kind::Read, 226 - 35, 373 - 35),
        std::tuple(Arch::Blackhole, Kind::Write, 208 - 23, 358 - 23),
        std::tuple(Arch::Wormhole, Kind::Read, 205 - 25, 293 - 25),
        std::tuple(Arch::Wormhole, Kind::Write, 210 - 22, 293 - 22)}) {
    near(alone(arch, between(arch, kind, {0, 0}, {0, 1}, 64)), same);
    near(alone(arch, between(arch, kind, {0, 0}, {1, 1}, 64)), other);
    // There and back is the whole ring: further away takes as long.
    EXPECT_EQ(alone(arch, between(arch, kind, {0, 0}, {1, 1}, 64)),
              alone(arch, between(arch, kind, {0, 0}, {5, 3}, 64)));
  }
}

TEST(Network, AWriteIsThereLaterTheFurtherItGoes) {
  const auto there = [](NocPlace to) {
    Network network(Arch::Blackhole);
    network.ask(between(Arch::Blackhole, Kind::Write, {0, 0}, to, 64), 0);
    return all_of(network).at({0, Passage::Kind::Reached});
  };
  EXPECT_EQ(there({3, 0}) - there({1, 0}), 2 * 9);
  EXPECT_EQ(there({7, 0}) - there({6, 0}), 3 * 9); // over the columns 8 and 9
}

TEST(Network, OfOneKindAndWayTheFirstArrivesFirst) {
  Network network(Arch::Wormhole);
  Shipment shipment = between(Arch::Wormhole, Kind::Write, {0, 0}, {3, 3}, 8192);
  network.ask(shipment, 0);
  shipment.key = 1;
  shipment.bytes = 32;
  network.ask(shipment, 1);
  const auto passed = all_of(network);
  EXPECT_LT(passed.at({0, Passage::Kind::Reached}), passed.at({1, Passage::Kind::Reached}));
}

TEST(Network, NothingHappensSoonerThanTheLookahead) {
  for (const Arch arch : {Arch::Blackhole, Arch::Wormhole})
    for (const Kind kind : {Kind::Read, Kind::Write, Kind::Increment, Kind::Inline}) {
      Network network(arch);
      network.ask(between(arch, kind, {0, 0}, {0, 0}, 4), 50); // itself
      const auto passed = all_of(network);
      EXPECT_EQ(passed.size(), 3);
      for (const auto& [name, cycle] : passed) EXPECT_GE(cycle, 50 + Network::kLookahead);
      EXPECT_LE(passed.at({0, Passage::Kind::Left}), passed.at({0, Passage::Kind::Reached}));
      EXPECT_LE(passed.at({0, Passage::Kind::Reached}), passed.at({0, Passage::Kind::Answered}));
    }
}

/// Cycles of `count` transactions of each of several cores to one.
std::vector<std::uint64_t> ends(Arch arch, Kind kind, unsigned cores, unsigned count) {
  Network network(arch);
  for (unsigned i = 0; i < count; ++i)
    for (unsigned core = 0; core < cores; ++core) {
      Shipment shipment =
          between(arch, kind, {static_cast<std::uint8_t>(core + 1), 1}, {0, 0}, 8192);
      shipment.key = core * 1000 + i;
      network.ask(shipment, 0);
    }
  const auto passed = all_of(network);
  std::vector<std::uint64_t> end;
  for (unsigned core = 0; core < cores; ++core)
    end.push_back(passed.at({core * 1000 + count - 1, Passage::Kind::Answered}));
  return end;
}

TEST(Network, ANiuTakesInWhatItsRateAllows) {
  // 31.2 bytes in a cycle on Wormhole, 62.4 on Blackhole: noc_latencies.yaml from 2 KiB on.
  for (const auto& [arch, rate] :
       {std::pair(Arch::Wormhole, 31.2), std::pair(Arch::Blackhole, 62.4)}) {
    const auto one = ends(arch, Kind::Write, 1, 256), two = ends(arch, Kind::Write, 2, 256);
    EXPECT_NEAR(256 * 8192.0 / static_cast<double>(one[0]), rate, 1.5);
    EXPECT_NEAR(2 * 256 * 8192.0 / static_cast<double>(std::ranges::max(two)), rate, 1.5);
    // Both have had their turns: neither is done at half the time.
    EXPECT_GT(static_cast<double>(std::ranges::min(two)),
              0.9 * static_cast<double>(std::ranges::max(two)));
  }
}

/// Bytes in a cycle that four cores read from a bank, or write to it.
double rate_of_bank(Arch arch, Kind kind, unsigned noc) {
  Network network(arch);
  for (unsigned i = 0; i < 64; ++i)
    for (std::uint8_t core = 0; core < 4; ++core)
      network.ask({.key = core * 100U + i,
                   .kind = kind,
                   .noc = noc,
                   .from = worker_router(arch, core, core),
                   .to = bank_router(arch, noc, 2),
                   .bank = 2,
                   .bytes = 8192},
                  0);
  std::uint64_t last = 0;
  for (const auto& [name, cycle] : all_of(network)) last = std::max(last, cycle);
  return 4 * 64 * 8192.0 / static_cast<double>(last);
}

// dramratebench for reads; noc_latencies.yaml for writes, from 64 bytes to 8 and 16 KiB. Links and
// NIUs would take 31.2 and 62.4.
TEST(Network, ABankGivesAllTogetherItsRate) {
  EXPECT_NEAR(rate_of_bank(Arch::Wormhole, Kind::Read, 1), 22.1, 1.0);
  EXPECT_NEAR(rate_of_bank(Arch::Blackhole, Kind::Read, 1), 46.3, 1.0);
  EXPECT_NEAR(rate_of_bank(Arch::Wormhole, Kind::Write, 0), 22.8, 1.0);
  EXPECT_NEAR(rate_of_bank(Arch::Blackhole, Kind::Write, 0), 54.8, 1.0);
}

// 256 unlinked multicasts of 64 bytes to 5 x 5 cores beside the sender on Blackhole take 84050
// cycles: each waits until the way of 20 hops is reserved, 8 + 16 x 20. Linked ones take 7020.
TEST(Network, AMulticastReservesItsWayUnlessTheOneBeforeHasKeptIt) {
  const auto end = [](bool is_linked) {
    Network network(Arch::Blackhole);
    Shipment shipment{.kind = Kind::Write, .noc = 0, .from = {6, 2}, .bytes = 64};
    for (std::uint8_t x = 1; x <= 5; ++x)
      for (std::uint8_t y = 2; y <= 6; ++y) shipment.many.push_back({x, y});
    for (unsigned i = 0; i < 256; ++i) {
      shipment.key = i;
      shipment.is_linked = is_linked && i != 255;
      network.ask(shipment, 24 * i);
    }
    return static_cast<double>(all_of(network).at({255, Passage::Kind::Answered}));
  };
  EXPECT_NEAR(end(false), 84050, 0.02 * 84050);
  EXPECT_NEAR(end(true), 7020, 0.06 * 7020);
}

TEST(Network, EverythingArrivesWhateverIsInTheWayAndAlwaysInTheSameCycle) {
  const auto run = [](Arch arch) {
    std::mt19937 random(7); // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    Network network(arch);
    const NocPlace grid{8, 7};
    std::vector<Passage> passages;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const auto core = [&] {
        return NocPlace{static_cast<std::uint8_t>(random() % grid.x),
                        static_cast<std::uint8_t>(random() % grid.y)};
      };
      Shipment shipment = between(arch, random() % 2 == 0 ? Kind::Read : Kind::Write, core(),
                                  core(), 1U << (4 + random() % 10));
      shipment.key = i;
      shipment.noc = random() % 2;
      if (random() % 4 == 0) {
        shipment.bank = random() % 8;
        shipment.to = bank_router(arch, shipment.noc, *shipment.bank);
      } else if (random() % 8 == 0) {
        shipment.kind = Kind::Write;
        for (std::uint8_t x = 0; x < 4; ++x) shipment.many.push_back(worker_router(arch, x, 3));
      }
      const std::uint64_t cycle = i / 4;
      network.advance(cycle, passages);
      network.ask(shipment, cycle);
    }
    network.advance(Network::kNever, passages);
    EXPECT_EQ(passages.size(), 3 * 3000);
    std::uint64_t sum = 0;
    for (const Passage& each : passages) sum = sum * 31 + each.cycle * 3 + each.key;
    return sum;
  };
  EXPECT_EQ(run(Arch::Blackhole), run(Arch::Blackhole));
  EXPECT_EQ(run(Arch::Wormhole), run(Arch::Wormhole));
}

} // namespace
} // namespace lanewise::noc
