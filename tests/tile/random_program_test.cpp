// Random programs on random configuration: the tile ends or says who waits, and remembers little.
// The programs are seeded, so that a failure comes again; fuzz/tile_fuzzer.cpp searches further.
#include <gtest/gtest.h>

#include <random>
#include <span>

#include "chip/isa/row.h"
#include "chip/tile/blocked.h"
#include "chip/tile/races.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

class RandomTilePrograms : public testing::TestWithParam<Arch> {
 protected:
  std::uint32_t random() { return static_cast<std::uint32_t>(random_()); }

  /// A word of an instruction that the chip has; one in eight is any word.
  std::uint32_t word() {
    if (random() % 8 == 0) return random();
    while (true) {
      const std::uint32_t opcode = random() << 24;
      if (isa::decode(GetParam(), opcode).row != nullptr)
        return opcode | (random() & random() & 0xFFFFFF);
    }
  }

  TileProgram program() {
    TileProgram made;
    for (unsigned i = 0; i < 12; ++i) {
      made.config_words.push_back({.word = random() % arch_params(GetParam()).config.shared_words,
                                   .value = random() & random()});
    }
    for (Program& thread : made.thread) {
      for (std::uint32_t i = 0; i < 12; ++i) {
        thread.words.push_back({word(), i + 1});
        if (random() % 4 == 0)
          thread.mop.push_back({i, static_cast<std::uint8_t>(random() % 9), word(), i + 1});
      }
    }
    for (std::uint32_t i = 0; i < 8; ++i)
      made.semaphores.push_back({i, random() % 16, random() % 16, 1});
    return made;
  }

  std::mt19937_64 random_{7};
};
LANEWISE_ON_BOTH_CHIPS(RandomTilePrograms);

const tile::RunLimits kFewSteps{.most_steps = 60};

TEST_P(RandomTilePrograms, EndOrSayWhoWaits) {
  for (unsigned i = 0; i < 150; ++i) {
    const TileProgram made = program();
    auto start = tile::start_state(GetParam(), made);
    ASSERT_TRUE(start.has_value());
    tile::Tile tile(GetParam());
    tile.state() = std::move(*start);
    const tile::ScheduleChoice choice{static_cast<tile::Order>(i % 3), i};
    const auto result = tile::run_program(tile, made, choice, kFewSteps);
    ASSERT_TRUE(result.has_value());
    EXPECT_LE(result->steps, kFewSteps.most_steps);
    const auto waits = tile::explain_blocked(tile.state(), made, result->blocked, {});
    EXPECT_EQ(waits.size(), result->blocked.size());
    for (unsigned thread = 0; thread < kThreads && !result->ran_out; ++thread) {
      const bool waits_for_ever = std::ranges::any_of(
          result->blocked, [&](const tile::Blocked& each) { return each.thread == thread; });
      EXPECT_EQ(tile.has_work(thread), waits_for_ever) << "program " << i << ", T" << thread;
    }
    tile.faults();
  }
}

/// The search gets through whatever differs, and the same program gives the same answer.
TEST_P(RandomTilePrograms, AreSearchedForRaces) {
  for (unsigned i = 0; i < 8; ++i) {
    const TileProgram made = program();
    const auto start = tile::start_state(GetParam(), made);
    ASSERT_TRUE(start.has_value());
    const auto once = tile::find_races(*start, made, {.orders = 40, .limits = kFewSteps});
    const auto again = tile::find_races(*start, made, {.orders = 40, .limits = kFewSteps});
    ASSERT_TRUE(once.has_value() && again.has_value());
    EXPECT_EQ(once->differences, again->differences);
    EXPECT_EQ(once->race.has_value(), again->race.has_value());
  }
}

} // namespace
} // namespace lanewise::test
