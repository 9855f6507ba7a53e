// Banks and ports of L1 in time: what the documents say of them, and what was found on silicon.
#include "chip/clock/l1_clock.h"

#include <gtest/gtest.h>

#include <array>

namespace lanewise::clock {
namespace {

using Rows = tile::Traffic::Rows;

constexpr unsigned kX1 = 16, kX2 = 32, kX4 = 64, kX8 = 128; ///< bytes in a cycle

Rows side_by_side(std::uint64_t first, std::uint64_t bytes) {
  return {.first = first, .bytes = bytes, .stride = bytes, .rows = 1};
}

std::uint64_t alone(Arch arch, const Rows& rows, unsigned bytes) {
  return L1Clock(arch).read(0, rows, bytes, 100).cycles;
}

TEST(BanksOfL1, GiveAnUnpackerItsBytes) { // core.md 17.1
  EXPECT_EQ(alone(Arch::Blackhole, side_by_side(0x21000, 1024), kX8), 8U);
  EXPECT_EQ(alone(Arch::Wormhole, side_by_side(0x21000, 1024), kX4), 16U);
  EXPECT_EQ(alone(Arch::Wormhole, side_by_side(0x21000, 1024), kX1), 64U);
  EXPECT_EQ(alone(Arch::Blackhole, side_by_side(0x21008, 16), kX8), 1U) << "two units, two banks";
  EXPECT_EQ(alone(Arch::Blackhole, {}, kX8), 0U);
}

// tt-metal 21624: a width that is a multiple of 4 tiles halves the bandwidth; tt-llk 133: of 4 on
// Wormhole, of 8 on Blackhole. A tile of BF16 is 64 bytes wide.
TEST(BanksOfL1, HalveTheBandwidthOfRowsThatBeginInTheSameBank) {
  const auto tilized = [](Arch arch, unsigned tiles) {
    const bool is_blackhole = arch == Arch::Blackhole;
    const std::uint64_t bytes = is_blackhole ? 64 : 32;
    return alone(arch,
                 {.first = 0x65000, .bytes = bytes, .stride = 64 * tiles, .rows = 2048 / bytes},
                 is_blackhole ? kX8 : kX4);
  };
  for (const unsigned tiles : {1U, 2U, 3U, 5U, 6U, 7U}) {
    EXPECT_EQ(tilized(Arch::Blackhole, tiles), 16U) << tiles;
    EXPECT_EQ(tilized(Arch::Wormhole, tiles), 32U) << tiles;
  }
  EXPECT_EQ(tilized(Arch::Blackhole, 4), 16U);
  EXPECT_EQ(tilized(Arch::Wormhole, 4), 64U);
  EXPECT_EQ(tilized(Arch::Blackhole, 8), 32U);
  EXPECT_EQ(tilized(Arch::Wormhole, 8), 64U);
}

TEST(BanksOfL1, DoOneAccessInACycle) { // ISA L1
  L1Clock l1(Arch::Blackhole);
  EXPECT_EQ(l1.read(0, side_by_side(0, 512), kX8, 100).cycles, 4U);
  EXPECT_EQ(l1.read(1, side_by_side(128, 512), kX8, 100).cycles, 4U) << "other banks";
  EXPECT_EQ(l1.write(side_by_side(512, 512), false, 4, 100), 1U) << "the first one's banks";
  EXPECT_EQ(l1.read(0, side_by_side(0, 512), kX8, 200).cycles, 4U) << "long afterwards";
}

TEST(BanksOfL1, SayHowLongOthersHaveThem) {
  const Rows rows{.first = 0, .bytes = 64, .stride = 512, .rows = 32};
  L1Clock l1(Arch::Blackhole);
  EXPECT_EQ(l1.read(0, rows, kX8, 100).waits, 0U) << "its own rows are what it waits for";
  const L1Clock::Read read = l1.read(1, side_by_side(0, 64), kX8, 100);
  EXPECT_EQ(read.waits, 1U);
  EXPECT_EQ(read.cycles, 2U);
}

TEST(BanksOfL1, AreTakenInTurns) { // ISA L1: round robin
  // An unpacker reads the same four banks in 32 cycles; a packer wants them in the second one.
  const Rows rows{.first = 0, .bytes = 64, .stride = 512, .rows = 32};
  L1Clock l1(Arch::Blackhole);
  EXPECT_EQ(l1.read(0, rows, kX8, 100).cycles, 32U);
  EXPECT_EQ(l1.write(side_by_side(0x2000, 64), false, 1, 101), 1U) << "it waits for one access";
  EXPECT_EQ(l1.read(0, rows, kX8, 132).cycles, 33U) << "one access of the unpacker came later";
  EXPECT_EQ(l1.read(0, rows, kX8, 165).cycles, 32U);
}

TEST(BanksOfL1, AreTakenForFiveCyclesByANarrowWrite) { // ISA L1
  for (const std::uint64_t late : {0U, 4U, 5U}) {
    L1Clock l1(Arch::Wormhole);
    l1.access(0x1004, true, 100);
    EXPECT_EQ(l1.read(0, side_by_side(0x1000, 16), kX4, 100 + late).cycles, 6 - late);
    EXPECT_EQ(l1.read(0, side_by_side(0x1010, 16), kX4, 100 + late).cycles, 1U) << "another bank";
  }
  L1Clock l1(Arch::Wormhole);
  l1.access(0x1004, false, 100);
  EXPECT_EQ(l1.read(0, side_by_side(0x1000, 16), kX4, 100).cycles, 2U) << "a load: for one";
}

// ISA L1: two of five cycles; tt-metal 51901: what is written back blocks every other client.
TEST(BanksOfL1, AreTakenTwiceByAPackerThatAdds) {
  const auto read_at = [](bool adds, std::uint64_t cycle) {
    L1Clock l1(Arch::Blackhole);
    EXPECT_EQ(l1.write(side_by_side(0x1000, 16), adds, 1, 100), 0U);
    return l1.read(0, side_by_side(0x1000, 16), kX8, cycle).cycles;
  };
  EXPECT_EQ(read_at(true, 100), 2U);
  EXPECT_EQ(read_at(true, 102), 1U) << "between the two";
  EXPECT_EQ(read_at(true, 104), 2U);
  EXPECT_EQ(read_at(false, 104), 1U);
}

using Shares = std::array<std::uint64_t, 2>;

/// Accesses in a cycle that unpackers 0 and 1 have while both read, each from banks of its own, at
/// the speeds that they want.
Shares shares(Arch arch, unsigned first, unsigned second) {
  constexpr std::uint64_t kUnit = 16, kSameBanks = 256;
  const auto rows = [](std::uint64_t from, unsigned bytes, std::uint64_t count) {
    return Rows{.first = from, .bytes = bytes, .stride = kSameBanks, .rows = count};
  };
  L1Clock l1(arch);
  EXPECT_EQ(l1.read(0, rows(0x1000, first, 16), first, 100).cycles, 16U);
  const std::uint64_t cycles = l1.read(1, rows(0x1080, second, 4), second, 100).cycles;
  // The first one had all that it wants in these cycles; it makes up for that when it reads again.
  const std::uint64_t late = l1.read(0, rows(0x1000, first, 1), first, 116).cycles - 1;
  return {first / kUnit - late * first / kUnit / cycles, 4 * second / kUnit / cycles};
}

TEST(PortsOfL1, AreSharedByTheUnpackersOfWormhole) { // core.md 17.1: the table of x1, x2, x4
  EXPECT_EQ(shares(Arch::Wormhole, kX1, kX1), (Shares{1, 1}));
  EXPECT_EQ(shares(Arch::Wormhole, kX1, kX2), (Shares{1, 2}));
  EXPECT_EQ(shares(Arch::Wormhole, kX1, kX4), (Shares{1, 4}));
  EXPECT_EQ(shares(Arch::Wormhole, kX2, kX1), (Shares{2, 1}));
  EXPECT_EQ(shares(Arch::Wormhole, kX2, kX2), (Shares{1, 1}));
  EXPECT_EQ(shares(Arch::Wormhole, kX2, kX4), (Shares{1, 2}));
  EXPECT_EQ(shares(Arch::Wormhole, kX4, kX1), (Shares{4, 1}));
  EXPECT_EQ(shares(Arch::Wormhole, kX4, kX2), (Shares{2, 1}));
  EXPECT_EQ(shares(Arch::Wormhole, kX4, kX4), (Shares{2, 2}));
}

TEST(PortsOfL1, AreEachUnpackersOwnOnBlackhole) { // tt-metal 55162
  L1Clock l1(Arch::Blackhole);
  EXPECT_EQ(l1.read(0, side_by_side(0x1000, 1024), kX8, 100).cycles, 8U);
  EXPECT_EQ(l1.read(1, side_by_side(0x1080, 1024), kX8, 100).cycles, 8U);
  EXPECT_EQ(l1.read(0, side_by_side(0x1000, 128), kX8, 108).cycles, 1U);
}

} // namespace
} // namespace lanewise::clock
