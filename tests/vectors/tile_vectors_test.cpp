// Vectors about a whole tile: what is written is read, runs, and differs where it should; mistakes
// are reported with their place (docs/conformance.md).
#include <gtest/gtest.h>

#include "chip/tile/tile.h"
#include "run/vectors/conformance.h"
#include "run/vectors/tile_writer.h"

namespace lanewise::vectors {
namespace {

/// SETDMAREG of register 5 and a STOREIND of it to the address in register 1.
constexpr std::uint32_t kSetRegister = 0x45000000 | 0x1234 << 8 | 10;
constexpr std::uint32_t kStoreRegister = 0x66800000 | 1 << 21 | 4 << 14 | 5 << 6 | 1;
constexpr std::uint32_t kPost = 0xA4000000 | 1 << 2, kWait = 0xA6000000 | 2 << 15 | 1 << 2 | 1;

/// A tile that has done something of every kind that a vector can say.
struct WrittenTile {
  explicit WrittenTile(Arch arch) : before(arch), tile(arch) {
    before.machine.gpr_of(0)[1] = 0x20000 / 16;
    before.sync.semaphore[0].max = 3;
    before.sync.mutex[2].owner = 1;
    before.counters.of(0, 2)[1][tile::Axis::Y] = {5, 6};
    before.machine.config.write_bank(1, 20, 0xABC, ~0U);
    before.machine.config.write_thread(7, 0x55, 2);
    before.machine.srca.cell[1][3][4] = 0x3F800000;
    before.machine.srcb.filling = 1;
    before.machine.dst.cell[9][0] = 7;
    before.machine.dst.set_valid(11, false);
    before.unpacker[1].row[2] = 48;
    before.unpacker[0].context[1] = 3;
    before.l1.store(0x20010, 4, 0xCAFE);
    words = {{{kSetRegister, kStoreRegister, kPost}, {kWait, kPost}, {0x02000000}}};
    tile.state() = before;
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      for (const std::uint32_t word : words[thread]) {
        tile.push(thread, {word, 1});
        tile.step(thread);
      }
    }
    text = tile_case_text("a", before, words, tile.state());
  }

  tile::TileState before;
  tile::Tile tile;
  ThreadWords words;
  std::string text;
};

std::optional<Difference> difference_of(const std::string& text) {
  auto test = VectorReader::from_text(text, "test.vec").next();
  EXPECT_TRUE(test.has_value()) << (test ? "" : to_string(test.error()));
  return test ? run_case(**test) : std::nullopt;
}

std::string replaced(std::string text, std::string_view old, std::string_view by) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old << " in\n" << text;
  return at == std::string::npos ? text : text.replace(at, old.size(), by);
}

TEST(TileVectors, WhatIsWrittenRuns) {
  for (const Arch arch : kArchs) {
    const WrittenTile written(arch);
    EXPECT_FALSE(difference_of(written.text).has_value()) << written.text;
  }
}

TEST(TileVectors, ADifferenceIsNamedWithItsPlace) {
  const std::string text = WrittenTile(Arch::Blackhole).text;
  const std::array<std::string_view, 3> changes[] = {
      {"expect l1 20000 34", "expect l1 20000 35", "L1 at 20000"},
      {"expect gpr 0 5 1234", "expect gpr 0 5 1235", "GPR 5 of T0"},
      {"expect semaphore 0 2 3", "expect semaphore 0 1 3", "semaphore 0, number 0"},
      {"expect mutex 2 1", "expect mutex 2 3", "owner of mutex 2, number 0"},
      {"expect adc 0 2 1 0 5", "expect adc 0 2 1 0 4", "ADC of T0, unit 2, channel 1: Y"},
      {"expect fillbank 0 1", "expect fillbank 0 0", "bank to fill, number 1"},
      {"expect srcrow 1 0 0 48", "expect srcrow 1 0 0 32", "SrcRow of unpacker 1, number 2"},
      {"expect context 0 0 3", "expect context 0 0 2", "context counter of unpacker 0, number 1"}};
  for (const auto& [old, by, place] : changes) {
    const auto difference = difference_of(replaced(text, old, by));
    ASSERT_TRUE(difference.has_value()) << by;
    EXPECT_EQ(difference->place, place);
    EXPECT_GT(difference->line, 0U);
  }
}

TEST(TileVectors, UnchangedHoldsForEveryByteOfL1) {
  std::string text = WrittenTile(Arch::Blackhole).text;
  const std::size_t from = text.find("expect l1");
  text.erase(from, text.find('\n', from) + 1 - from);
  const auto difference = difference_of(text);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->place, "L1 at 20000");
}

// A vector expects what has changed, to whatever.
TEST(TileVectors, AWordThatIsZeroAgainIsExpected) {
  const tile::TileState after(Arch::Blackhole);
  tile::TileState before(Arch::Blackhole);
  before.machine.config.write_bank(1, 20, 0xABC, ~0U);
  const std::string text = tile_case_text("a", before, {}, after);
  EXPECT_NE(text.find("\nexpect config 1 20 0\n"), std::string::npos) << text;
}

TEST(TileVectors, AThreadThatWaitsForEverDiffers) {
  const auto difference =
      difference_of(replaced(WrittenTile(Arch::Wormhole).text, "run 0 a4", "run 0 a5"));
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->place, "T1 waits for semaphore 0 to be above 0");
}

TEST(TileVectors, MistakesAreNamedWithLineAndColumn) {
  struct Mistake {
    std::string text;
    std::uint32_t line, column;
  };
  const std::string head = "case a\narch bh\ntile\n";
  const Mistake mistakes[] = {{"case a\narch bh\nrun 0 02000000\n", 3, 1},
                              {"case a\narch bh\nexpect unchanged l1\n", 3, 20},
                              {"case a\narch bh\nl1 0 00\n", 3, 1},
                              {head + "tile\n", 4, 1},
                              {head + "exec 02000000\n", 4, 1},
                              {head + "run 3 02000000\n", 4, 5},
                              {head + "run 0 ff000000\n", 4, 7},
                              {head + "l1 180000 00\n", 4, 4},
                              {head + "l1 17ffff 0000\n", 4, 11},
                              {head + "l1 0 000\n", 4, 6},
                              {head + "l1 0 0g\n", 4, 6},
                              {head + "config 2 0 0\n", 4, 8},
                              {head + "config 0 224 0\n", 4, 10},
                              {head + "threadconfig 0 0 10000\n", 4, 18},
                              {head + "adc 0 3 0 0 0 0 0 0 0 0 0\n", 4, 7},
                              {head + "adc 0 0 0 262144 0 0 0 0 0 0 0\n", 4, 11},
                              {head + "semaphore 8 0 0\n", 4, 11},
                              {head + "mutex 0 4\n", 4, 9},
                              {head + "gpr 0 64 0\n", 4, 7},
                              {head + "context 0 8 0 0\n", 4, 11},
                              {head + "srcfmt 0 0 0 16\n", 4, 14},
                              {head + "expect l1 0\n", 4, 12}};
  for (const Mistake& each : mistakes) {
    const auto result = VectorReader::from_text(each.text, "test.vec").next();
    ASSERT_FALSE(result.has_value()) << each.text;
    EXPECT_EQ(result.error().kind, FaultKind::BadInput);
    EXPECT_EQ(result.error().line, each.line) << each.text;
    EXPECT_EQ(result.error().column, each.column) << each.text << result.error().message;
  }
}

} // namespace
} // namespace lanewise::vectors
