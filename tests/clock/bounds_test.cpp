// Where the cycles of a tile go: what holds for every run, and what each part would need alone.
#include "chip/clock/bounds.h"

#include <gtest/gtest.h>

#include <numeric>

#include "chip/isa/clock_record.h"
#include "clock/timed_rig.h"
#include "tile/datacopy_fixture.h"

namespace lanewise::test {
namespace {

/// Tiles, one behind the other, from L1 through SrcA and Dst to L1.
struct TimedCopy : Datacopy {
  clock::TimedResult copy(unsigned tiles) {
    std::array<std::string, 3> texts = programs();
    for (std::string& text : texts) text = repeat(text, tiles);
    const std::array all{rig.assemble(texts[0]), rig.assemble(texts[1]), rig.assemble(texts[2])};
    clock::ProgramCore t0(all[0], 0), t1(all[1], 1), t2(all[2], 2);
    auto result =
        clock::run_in_time(rig.tile, {&t0, &t1, &t2}, {.keeps_timeline = true, .limits = {}});
    EXPECT_TRUE(result && result->run.blocked.empty());
    return result ? *result : clock::TimedResult();
  }

  double alone(const std::vector<clock::Bound>& bounds, std::string_view part) const {
    for (const clock::Bound& each : bounds)
      if (each.part == part) return each.cycles;
    return 0;
  }
};
LANEWISE_ON_BOTH_CHIPS(TimedCopy);

std::uint64_t all_waits(const clock::ThreadTime& thread) {
  return std::accumulate(thread.waited.begin(), thread.waited.end(), std::uint64_t{0});
}

TEST_P(TimedCopy, EveryCycleOfAThreadIsSpentOnce) {
  const clock::TimedResult result = copy(8);
  for (unsigned i = 0; i < kThreads; ++i) {
    const clock::ThreadTime& thread = result.thread[i];
    // The last instruction holds the thread for as long as any of its kind.
    const std::uint64_t end = thread.last + (i == 0 ? 2 : 1);
    EXPECT_EQ(thread.issuing + all_waits(thread), end) << "T" << i;
    EXPECT_EQ(thread.waited[static_cast<unsigned>(clock::Why::Nothing)], 0U) << "T" << i;
  }
}

TEST_P(TimedCopy, TheTimelineHasTheSameCycles) {
  const clock::TimedResult result = copy(8);
  std::array<std::uint64_t, kThreads> issued{}, waited{};
  for (const clock::Issued& each : result.timeline) {
    ++issued[each.thread];
    waited[each.thread] += each.waited;
    EXPECT_EQ(each.waited == 0, each.why == clock::Why::Nothing);
  }
  for (unsigned i = 0; i < kThreads; ++i) {
    EXPECT_EQ(issued[i], result.thread[i].issued);
    EXPECT_EQ(waited[i], all_waits(result.thread[i]));
  }
}

TEST_P(TimedCopy, EachTileHasAnEnd) {
  const clock::TimedResult result = copy(8);
  ASSERT_EQ(result.ends.size(), 8U);
  for (std::size_t i = 1; i < 8; ++i) {
    EXPECT_LT(result.ends[i - 1].cycle, result.ends[i].cycle);
    EXPECT_LE(result.ends[i - 1].until.thread[2].issued, result.ends[i].until.thread[2].issued);
  }
  EXPECT_LE(result.ends.back().cycle, result.cycles);
}

TEST_P(TimedCopy, APartAloneNeedsWhatItWasAskedFor) {
  const clock::TimedResult result = copy(8);
  const auto bounds = clock::bounds_of(GetParam(), result);
  EXPECT_EQ(alone(bounds, "issue of T0"), 8 * (2 + 4 * 2)) << "two cycles for a UNPACR";
  EXPECT_EQ(alone(bounds, "issue of T1"), 8 * (1 + 4 * 3 + 1));
  EXPECT_EQ(alone(bounds, "core of T1"), 8 * (1 + 4 * 3 + 1)) << "a word in each cycle";
  EXPECT_EQ(alone(bounds, is_blackhole() ? "packer" : "packer 0"),
            8 * ((is_blackhole() ? 16 : 128 + 4) + clock_params(GetParam()).pack_end))
      << "Blackhole takes a cycle for each PACR, each of Wormhole's writes 16 bytes in one, with "
         "one "
         "more for each of four PACRs";
  EXPECT_EQ(alone(bounds, "unpacker 1"), 0);
  EXPECT_EQ(alone(bounds, "Vector Unit"), 0);
}

TEST_P(TimedCopy, NoPartIsFasterThanAllTogether) {
  const clock::TimedResult result = copy(16);
  const clock::PerTile each = clock::per_tile(GetParam(), result);
  EXPECT_TRUE(each.is_steady);
  EXPECT_EQ(each.tiles, 16U);
  for (const clock::Bound& bound : each.bounds) {
    EXPECT_LE(bound.cycles, each.bounds[each.largest].cycles) << bound.part;
    EXPECT_LE(bound.cycles, each.cycles * 1.2 + 1) << bound.part;
  }
}

TEST_P(TimedCopy, ACoreWaitsWhereItsThreadDoes) {
  const clock::TimedResult result = copy(16);
  // A list has a word for each cycle; all else is waiting for room.
  for (unsigned i = 0; i < kThreads; ++i)
    EXPECT_LE(result.core[i].own, result.thread[i].issued + 1) << "T" << i;
  EXPECT_GT(result.core[0].waited + result.core[1].waited + result.core[2].waited, 0U);
}

clock::TimedResult result_with_ends(std::vector<std::uint64_t> cycles) {
  clock::TimedResult result;
  for (const std::uint64_t cycle : cycles) {
    clock::TileEnd end{.cycle = cycle};
    end.until.units.matrix = 10 * (result.ends.size() + 1);
    end.until.units.packer[0] = cycle / 2;
    result.ends.push_back(end);
  }
  result.cycles = 1000;
  result.units.matrix = 40;
  return result;
}

TEST(PerTile, IsTakenFromTheSecondHalfOfTheTiles) {
  const clock::PerTile each =
      clock::per_tile(Arch::Blackhole, result_with_ends({500, 600, 640, 680}));
  EXPECT_TRUE(each.is_steady);
  EXPECT_EQ(each.tiles, 4U);
  EXPECT_EQ(each.cycles, 40) << "of 600 to 680";
  ASSERT_FALSE(each.bounds.empty());
  EXPECT_EQ(each.bounds[0].part, "Matrix Unit");
  EXPECT_EQ(each.bounds[0].cycles, 10);
}

TEST(PerTile, TakesTheTilesThatItIsTold) {
  const auto result = result_with_ends({500, 600, 640, 680});
  EXPECT_EQ(clock::per_tile(Arch::Blackhole, result, 8).cycles, 20) << "two for each PACR's";
  EXPECT_EQ(clock::per_tile(Arch::Blackhole, result, 2).cycles, 80);
}

TEST(PerTile, ThreeTilesShowNoSteadyState) {
  const clock::PerTile three = clock::per_tile(Arch::Blackhole, result_with_ends({500, 600, 640}));
  EXPECT_FALSE(three.is_steady);
  EXPECT_EQ(three.cycles, 1000.0 / 3);
  const clock::PerTile none = clock::per_tile(Arch::Blackhole, result_with_ends({}));
  EXPECT_EQ(none.tiles, 1U);
  EXPECT_EQ(none.cycles, 1000);
  EXPECT_EQ(clock::per_tile(Arch::Blackhole, result_with_ends({}), 10).cycles, 100);
}

TEST(Bounds, WaitsForAUnitsOwnResultsAreItsTime) {
  clock::Figures figures;
  figures.units.vector = 30;
  figures.thread[1].waited[static_cast<unsigned>(clock::Why::Vector)] = 12;
  figures.thread[1].waited[static_cast<unsigned>(clock::Why::Banks)] = 100;
  const auto bounds = clock::bounds_of(Arch::Blackhole, figures);
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_EQ(bounds[0].part, "Vector Unit");
  EXPECT_EQ(bounds[0].cycles, 42);
}

} // namespace
} // namespace lanewise::test
