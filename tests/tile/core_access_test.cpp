// Accesses of a core are found again by what they touch, in a run in which the core does more or
// looks oftener.
#include "chip/tile/core_access.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

using tile::CoreAction;
using Kind = CoreAction::Kind;

constexpr std::uint32_t kWord = 0x30000, kFlag = 0x30040;

CoreAction load(std::uint32_t address, std::uint32_t value, std::uint32_t line = 1) {
  return {.kind = Kind::Load, .address = address, .value = value, .line = line};
}
CoreAction store(std::uint32_t address, std::uint32_t value, std::uint8_t bytes = 4) {
  return {.kind = Kind::Store, .bytes = bytes, .address = address, .value = value, .line = 2};
}

/// In which cycle the access goes where the core does one thing in a cycle.
std::optional<std::uint64_t> cycle_in(const std::vector<CoreAction>& actions, CoreAction access,
                                      std::uint64_t number, std::uint64_t* total = nullptr) {
  tile::AccessFinder finder({.core = 1, .action = access, .number = number, .total = 0});
  for (std::uint64_t i = 0; i < actions.size(); ++i) {
    finder.hear(0, access, i); // another core's do not count
    finder.hear(1, actions[i], i);
  }
  if (total != nullptr) *total = finder.total();
  return finder.cycle();
}

TEST(CoreAccess, IsFoundByItsNumberAmongThoseOfTheSameBytes) {
  const std::vector<CoreAction> actions{store(kFlag, 1), store(kWord, 1), load(kWord, 1),
                                        store(kWord, 2), store(kWord, 3)};
  std::uint64_t total = 0;
  EXPECT_EQ(cycle_in(actions, store(kWord, 0), 0, &total), 1U);
  EXPECT_EQ(total, 3U);
  EXPECT_EQ(cycle_in(actions, store(kWord, 0), 2), 4U);
  EXPECT_EQ(cycle_in(actions, store(kWord, 0), 3), std::nullopt);
  EXPECT_EQ(cycle_in(actions, load(kWord, 0), 0), 2U);
}

TEST(CoreAccess, TouchesTheSameWithAnotherWidth) {
  const std::vector<CoreAction> actions{store(kWord + 4, 1), store(kWord - 4, 1),
                                        store(kWord + 3, 1, 1), store(kWord, 1, 1)};
  EXPECT_EQ(cycle_in(actions, store(kWord, 0), 0), 2U);
  EXPECT_EQ(cycle_in(actions, store(kWord, 0), 1), 3U);
}

TEST(CoreAccess, LooksOfSomebodyWhoWaitsAreOne) {
  std::vector<CoreAction> actions(5, load(kFlag, 0));
  actions.push_back(load(kFlag, 1));
  actions.push_back(load(kFlag, 1, 3)); // another line
  actions.push_back(store(kWord, 1));
  actions.push_back(load(kFlag, 1, 3)); // somebody who has done something meanwhile
  std::uint64_t total = 0;
  EXPECT_EQ(cycle_in(actions, load(kFlag, 0), 1, &total), 6U);
  EXPECT_EQ(total, 3U);
  EXPECT_EQ(cycle_in(actions, load(kFlag, 0), 2), 8U);
}

/// T1 waits for a flag of T0, stores and pushes; as a run in round robin has noted it.
class CoreAccessOfTouch : public testing::TestWithParam<Arch> {
 protected:
  CoreAccessOfTouch() : program_{.start = tile::TileState(GetParam()), .script = {}} {
    std::vector<CoreAction> waits(4, load(kFlag, 0));
    waits.push_back(load(kFlag, 1));
    waits.push_back(store(kWord, 5));
    waits.push_back(load(kFlag, 1, 3));
    const std::array<std::vector<CoreAction>, kThreads> actions{
        {{store(kWord + 8, 1), store(kWord + 12, 1), store(kFlag, 1)}, waits, {}}};
    for (unsigned i = 0; i < kThreads; ++i)
      program_.script[i] = tile::CoreScript({.actions = actions[i], .ended = true});
    tile::Tile tile(GetParam());
    tile.state().log = &reference_.log;
    tile::ScriptFeeder t0(program_.script[0], 0), t1(program_.script[1], 1),
        t2(program_.script[2], 2);
    const auto run = tile::run(tile, {&t0, &t1, &t2}, {}, {});
    EXPECT_TRUE(run && run->blocked.empty());
    reference_.done = {t0.done(), t1.done(), t2.done()};
    for (unsigned i = 0; i < kThreads; ++i)
      EXPECT_EQ(reference_.done[i].size(), tile.state().thread[i].actions) << i;
  }

  tile::CoreAccess access(bool writes, std::uint32_t address, std::size_t number) const {
    std::vector<tile::Touch> touches;
    for (const tile::Touch& each :
         reference_.log.touches().at({tile::SharedPlace::L1, address / 16}))
      if (each.agent.thread == 1 && each.writes == writes) touches.push_back(each);
    EXPECT_GT(touches.size(), number);
    if (touches.size() <= number) return {};
    const auto found = tile::access_of(program_, reference_, touches[number]);
    EXPECT_TRUE(found.has_value());
    return found.value_or(tile::CoreAccess());
  }

  tile::RaceProgram program_;
  tile::RaceReference reference_;
};
INSTANTIATE_TEST_SUITE_P(BothChips, CoreAccessOfTouch, testing::ValuesIn(kArchs),
                         [](const auto& each) {
                           return std::string(arch_params(each.param).names.id);
                         });

TEST_P(CoreAccessOfTouch, BehindAWaitItIsTheOneThatItWas) {
  const tile::CoreAccess stored = access(true, kWord, 0);
  EXPECT_EQ(stored.action, store(kWord, 5));
  EXPECT_EQ(stored.core, 1U);
  EXPECT_EQ(stored.number, 0U);
  EXPECT_EQ(stored.total, 1U);
}

TEST_P(CoreAccessOfTouch, AnInstructionsIsNone) {
  tile::Touch touch;
  touch.agent = {.thread = 1};
  EXPECT_FALSE(tile::access_of(program_, reference_, touch).has_value());
  touch.agent.is_core = true;
  touch.writes = true; // the core loads first
  EXPECT_FALSE(tile::access_of(program_, reference_, touch).has_value());
  touch.ordinal = 99;
  EXPECT_FALSE(tile::access_of(program_, reference_, touch).has_value());
}

} // namespace
} // namespace lanewise::test
