// Races are found where a wait is missing, and nowhere else; what is printed as a mend mends them.
#include "chip/tile/races.h"

#include <gtest/gtest.h>

#include <array>

#include "chip/tile/program_run.h"
#include "chip/tile/race_mend.h"
#include "chip/tile/race_search.h"
#include "source/assembly/assembly.h"
#include "tile/tile_fixture.h"

namespace lanewise::test {
namespace {

using tile::RaceReport;

constexpr unsigned kOthers = 20;

class Races : public testing::TestWithParam<Arch> {
 protected:
  TileProgram assemble(const std::string& text) const {
    auto program = assembly::assemble_tile(GetParam(), text, "test");
    EXPECT_TRUE(program.has_value()) << (program ? "" : to_string(program.error()));
    return program ? *program : TileProgram();
  }

  RaceReport search(const TileProgram& program) const {
    auto start = tile::start_state(GetParam(), program);
    EXPECT_TRUE(start.has_value());
    start->machine.srca.owned_by_matrix_unit =
        start->machine.srcb.owned_by_matrix_unit = {true, true};
    for (auto& row : start->machine.srca.cell[0]) row[0] = 0x3F800000;
    auto races = tile::find_races(*start, program, {.orders = kOthers});
    EXPECT_TRUE(races.has_value());
    return races ? *races : RaceReport();
  }
};
INSTANTIATE_TEST_SUITE_P(BothChips, Races, testing::ValuesIn(kArchs), [](const auto& each) {
  return std::string(arch_params(each.param).names.id);
});

/// T1 writes Dst, T2 reads it through the Vector Unit into a place of Dst of its own.
std::string two_threads(bool posts, bool waits) {
  std::string text =
      ".semaphore 1 0 1\n.thread math\n.repeat 4\nNOP\n.endr\n"
      "MOVA2D Move8Rows=1\nMOVA2D Move8Rows=1, DstRow=8\n";
  if (posts) text += "SEMPOST SemaphoreMask=2\n";
  text += ".thread pack\n";
  if (waits) text += "SEMWAIT SemaphoreMask=2, ConditionMask=1, BlockMask=0x1C2\n";
  return text + "NOP\nSFPLOAD L0, 2, 0, 0\nSFPSTORE L0, 2, 0, 512\n";
}

TEST_P(Races, AWaitKeepsTheOrder) {
  const RaceReport races = search(assemble(two_threads(true, true)));
  EXPECT_FALSE(races.differs.has_value());
  EXPECT_EQ(races.schedules, kOthers + 1);
}

TEST_P(Races, WithoutTheWaitTheTwoLinesAreNamed) {
  const TileProgram program = assemble(two_threads(true, false));
  const RaceReport races = search(program);
  ASSERT_TRUE(races.differs.has_value());
  ASSERT_TRUE(races.race.has_value());
  EXPECT_EQ(races.race->place.place, tile::SharedPlace::Dst);
  EXPECT_NE(races.race->first.agent, races.race->second.agent);
  EXPECT_EQ(races.race->first.word.line + races.race->second.word.line, 6U + 11U)
      << "MOVA2D and SFPLOAD";
  ASSERT_EQ(races.mends.size(), 1U) << "the semaphore is raised already";
  EXPECT_EQ(races.mends[0].thread, 2U);
  EXPECT_FALSE(search(with_mends(program, races.mends)).differs.has_value());
}

TEST_P(Races, WithoutAnySemaphoreOneIsProposed) {
  const TileProgram program = assemble(two_threads(false, false));
  const RaceReport races = search(program);
  ASSERT_TRUE(races.race.has_value());
  ASSERT_EQ(races.mends.size(), 2U);
  EXPECT_EQ(races.mends[0].thread, 1U) << "MOVA2D's thread posts";
  EXPECT_EQ(races.mends[1].thread, 2U);
  EXPECT_FALSE(search(with_mends(program, races.mends)).differs.has_value());
}

// ISA BackendConfiguration: there are two banks of shared words, and a thread uses one of them.
TEST_P(Races, BothBanksOfTheConfigurationCount) {
  constexpr unsigned kWord = 20;
  for (const unsigned bank : {0U, 1U}) {
    tile::Tile one(GetParam()), other(GetParam());
    EXPECT_TRUE(differences(one.state(), other.state()).empty());
    other.state().machine.config.write_bank(bank, kWord, 5, ~0U);
    EXPECT_EQ(differences(one.state(), other.state()),
              std::vector<std::string>{"configuration from word 20 on"});
    const std::string writes =
        fmt::format("SETC16 0, {}\nWRCFG InputReg=4, CfgIndex={}\n", bank, kWord);
    const RaceReport races =
        search(assemble(".thread math\n.gpr 4 1\n" + writes + ".thread pack\n.gpr 4 2\n" + writes));
    ASSERT_TRUE(races.differs.has_value()) << bank;
    ASSERT_TRUE(races.race.has_value());
    EXPECT_EQ(races.race->place.place, tile::SharedPlace::Config);
    EXPECT_EQ(races.race->place.index, kWord);
  }
}

TEST_P(Races, ThreadsThatShareNothingHaveNone) {
  EXPECT_FALSE(
      search(assemble(".thread math\nMOVA2D Move8Rows=1\n.thread pack\nSETDMAREG 0, 5, 0, 3\n"))
          .differs.has_value());
}

// What the end of a run is: also who may still wait, and which rows of Dst count.
TEST_P(Races, EndsDifferInSemaphoresAndInValidRows) {
  const auto start =
      tile::start_state(GetParam(), assemble(".semaphore 1 0 3\n.thread math\nNOP\n"));
  ASSERT_TRUE(start.has_value());
  EXPECT_TRUE(tile::differences(*start, *start).empty());
  tile::TileState posted = *start, cleared = *start;
  posted.sync.semaphore[1].value = 1;
  EXPECT_EQ(tile::differences(*start, posted), std::vector<std::string>{"semaphores"});
  cleared.machine.dst.set_valid(17, !cleared.machine.dst.valid(17));
  EXPECT_EQ(tile::differences(*start, cleared), std::vector<std::string>{"Dst rows 17 to 17"});
}

/// Two threads at one place, the one or the other first; thread 2 comes at the end.
tile::AccessLog log_of(bool first_writes, bool second_writes, bool in_order) {
  constexpr tile::PlaceId kPlace{tile::SharedPlace::L1, 3};
  tile::AccessLog log;
  for (const bool first : in_order ? std::array{true, false} : std::array{false, true}) {
    log.begin({.thread = first ? 0U : 1U}, 0, {0, first ? 1U : 2U});
    log.touch(kPlace, first ? first_writes : second_writes);
  }
  log.begin({.thread = 2}, 0, {0, 3});
  log.touch(kPlace, false);
  return log;
}

// A pair races if one of the two writes, the first or the second.
TEST_P(Races, APairOfWhichOneWritesHasAnOrder) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      const auto race = tile::first_race(log_of(first, second, true), log_of(first, second, false));
      EXPECT_EQ(race.has_value(), first || second) << first << second;
      EXPECT_FALSE(tile::first_race(log_of(first, second, true), log_of(first, second, true)));
    }
  }
}

} // namespace
} // namespace lanewise::test
