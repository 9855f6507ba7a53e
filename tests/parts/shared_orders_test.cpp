// A search for races in parts finds what one search finds.
#include "study/parts/shared_orders.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <set>

#include "chip/tile/program_run.h"
#include "report/tile/races.h"
#include "source/assembly/assembly.h"

namespace lanewise::parts {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kOrders = 33;

/// T1 writes Dst and T2 reads it; with `waits` behind it. `nops` more instructions.
tile::RaceProgram two_threads(bool waits, unsigned nops = 12) {
  std::string text = ".semaphore 1 0 1\n.thread math\n.repeat " + std::to_string(nops) +
                     "\nNOP\n.endr\nMOVA2D Move8Rows=1\nSEMPOST SemaphoreMask=2\n.thread pack\n";
  if (waits) text += "SEMWAIT SemaphoreMask=2, ConditionMask=1, BlockMask=0x1C2\n";
  text += "NOP\nSFPLOAD L0, 2, 0, 0\nSFPSTORE L0, 2, 0, 512\n";
  const auto program = assembly::assemble_tile(Arch::Blackhole, text, "test").value();
  auto start = tile::start_state(Arch::Blackhole, program).value();
  start.machine.srca.owned_by_matrix_unit = {true, true};
  for (auto& row : start.machine.srca.cell[0]) row[0] = 0x3F800000;
  return tile::race_program(start, program);
}

/// What a search says, and which orders it ran.
struct Found {
  std::string text;
  std::set<unsigned> tried;
};

/// A search of `work`, which ends or, where `stops_after` is given, stops behind so many orders.
Expected<Found> search(SharedWork& work, bool waits, std::optional<unsigned> stops_after = {}) {
  SharedOrders orders(work);
  Found found;
  tile::RaceSearch how{.orders = kOrders};
  how.progress = [&](std::string_view, unsigned number) { found.tried.insert(number); };
  const auto is_over = [&] { return stops_after && found.tried.size() > *stops_after; };
  how.limits.stop = is_over;
  if (work.needs_key()) how.shared = orders.bind();
  const auto races = tile::find_races(two_threads(waits), how);
  if (!races) return Unexpected(races.error());
  found.text = report::race_text(Arch::Blackhole, *races);
  if (auto kept = is_over() ? work.stop() : work.end(); !kept) return Unexpected(kept.error());
  return found;
}

class SharedOrdersTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  SharedWork part(std::uint64_t number, std::uint64_t of) const {
    return SharedWork::part({number, of}, {{"races"}, {}}, folder_ / std::to_string(number));
  }

  fs::path folder_ = fs::path(testing::TempDir()) / ("lanewise_orders_" + std::to_string(getpid()));
};

TEST_F(SharedOrdersTest, PartsGiveWhatOneSearchGives) {
  for (const bool waits : {true, false}) {
    SharedWork alone;
    const std::string whole = search(alone, waits).value().text;
    EXPECT_EQ(whole.find("depends") == std::string::npos, waits) << whole;
    EXPECT_TRUE(rc::check([&] {
      const auto of = *rc::gen::inRange<std::uint64_t>(1, 6);
      std::vector<PartFile> files;
      for (std::uint64_t number = of; number >= 1; --number) {
        fs::remove(folder_ / std::to_string(number));
        SharedWork stopped = part(number, of);
        RC_ASSERT(search(stopped, waits, *rc::gen::inRange(0U, kOrders)).has_value());
        SharedWork again = part(number, of);
        RC_ASSERT(search(again, waits).has_value());
        files.push_back(parse_part_file(again.text(), again.path().string()).value());
      }
      SharedWork merged = SharedWork::merged(gather_parts(std::move(files)).value());
      const Found found = search(merged, waits).value();
      RC_ASSERT(found.text == whole);
      RC_ASSERT(found.tried.size() == (waits ? 0U : 1U)); // the one that differs
    }));
  }
}

TEST_F(SharedOrdersTest, WhatIsDoneIsNotRunAgain) {
  SharedWork first = part(1, 1);
  const Found before = search(first, true, 25).value();
  EXPECT_EQ(before.tried.size(), 26U) << "one more is begun";
  constexpr auto kKept = 25 / SharedOrders::kOrdersOfItem;
  EXPECT_EQ(first.records().size(), kKept) << "whole items are kept";
  SharedWork second = part(1, 1);
  const Found after = search(second, true).value();
  EXPECT_EQ(after.tried.size(), kOrders - kKept * SharedOrders::kOrdersOfItem);
  SharedWork third = part(1, 1);
  EXPECT_TRUE(search(third, true).value().tried.empty());
}

TEST_F(SharedOrdersTest, AnotherProgramIsRefused) {
  SharedWork first = part(1, 1);
  ASSERT_TRUE(search(first, true, 25).has_value());
  SharedWork second = part(1, 1);
  const auto other = search(second, false);
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(to_string(other.error()).find("program"), std::string::npos)
      << to_string(other.error());
}

TEST_F(SharedOrdersTest, ARecordThatIsNoneIsNamed) {
  for (const Json& value : {Json("sssssssss"), Json("sssssssssx"), Json(7)}) {
    SharedWork first = part(1, 1);
    ASSERT_TRUE(search(first, true).has_value());
    PartFile file = parse_part_file(first.text(), "a.part").value();
    file.records[0] = value;
    SharedWork merged = SharedWork::merged({file});
    const auto found = search(merged, true);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().file, "a.part") << to_string(found.error());
  }
}

TEST(RaceDigest, IsOfAllThatDecides) {
  const std::uint64_t plain = race_digest(two_threads(true));
  EXPECT_EQ(race_digest(two_threads(true)), plain);
  EXPECT_NE(race_digest(two_threads(false)), plain);
  EXPECT_NE(race_digest(two_threads(true, 13)), plain);
  tile::RaceProgram other = two_threads(true);
  const auto pushes = [](std::uint32_t word) {
    return tile::CoreScript({.actions = {{.value = word, .line = 1}}, .ended = true});
  };
  other.script[0] = pushes(1);
  const std::uint64_t with_one = race_digest(other);
  other.script[0] = pushes(2);
  EXPECT_NE(race_digest(other), with_one);
  other = two_threads(true);
  other.scope = tile::RaceScope::Results;
  EXPECT_NE(race_digest(other), plain);
  other = two_threads(true);
  other.start.l1.store(0x20000, 4, 1);
  EXPECT_NE(race_digest(other), plain);
  other = two_threads(true);
  other.start.machine.dst.cell[1023][15] = 1;
  EXPECT_NE(race_digest(other), plain);
  other = two_threads(true);
  other.start.sync.semaphore[3].value = 1;
  EXPECT_NE(race_digest(other), plain);
}

} // namespace
} // namespace lanewise::parts
