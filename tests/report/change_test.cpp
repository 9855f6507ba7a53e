// What a change gives: figures of two programs side by side.
#include "report/change.h"

#include <gtest/gtest.h>

#include "report/tile/time.h"
#include "report/time/change.h"
#include "report/time_fixture.h"

namespace lanewise::report {
namespace {

TEST(Change, HasEveryPartOfEither) {
  ChangeGroup group{.title = "parts", .rows = {}};
  add_figures(group, {{"both", 10}, {"gone", 4}, {"same", 3}}, false);
  add_figures(group, {{"both", 12.5}, {"new", 2}, {"same", 3}}, true);
  const Change change{
      .before = "a", .after = "b", .groups = {group}, .sentences = {"That is all."}};
  EXPECT_EQ(change_text(change), R"(before: a
after:  b

parts                                             before       after      change
  both                                                10      12.500      +2.500     +25.0 %
  gone                                                 4           0          -4    -100.0 %
  same                                                 3           3           0
  new                                                  0           2          +2

That is all.
)");
  const auto json = nlohmann::json::parse(change_json(change).dump());
  EXPECT_EQ(json["before"], "a");
  EXPECT_EQ(json["after"], "b");
  EXPECT_EQ(json["sentences"][0], "That is all.");
  EXPECT_EQ(json["groups"][0]["title"], "parts");
  EXPECT_EQ(
      json["groups"][0]["rows"][0],
      nlohmann::json::parse(R"({"part": "both", "before": 10, "after": 12.5, "change": 2.5})"));
  EXPECT_EQ(json["groups"][0]["rows"][1]["change"], -4);
}

TEST(Change, SaysWhatIsGained) {
  EXPECT_EQ(gain_text(96, 72), "96 cycles, then 72: 24 fewer (-25.0 %)");
  EXPECT_EQ(gain_text(72, 96), "72 cycles, then 96: 24 more (+33.3 %)");
  EXPECT_EQ(gain_text(72, 72), "72 cycles, then 72: no change");
  EXPECT_EQ(gain_text(0, 5), "0 cycles, then 5: 5 more");
}

// docs/timing.md: three instructions a row are 96 cycles a tile, four are 128.
TEST(TimeChange, IsPerTile) {
  const Change change = time_change(
      test::timed(Arch::Blackhole, test::kTanhRow),
      test::timed(Arch::Blackhole,
                  "SFPLOAD L3, SRCB, 3, 0\nSFPSTORE L3, SRCB, 3, 0\nINCRWC DstInc=2\n"));
  ASSERT_EQ(change.groups.size(), 3U);
  EXPECT_EQ(change.groups[0].title, "cycles, per tile");
  EXPECT_EQ(change.groups[0].rows[0].part, "cycles");
  EXPECT_EQ(change.groups[0].rows[0].before, 128);
  EXPECT_EQ(change.groups[0].rows[0].after, 96);
  ASSERT_EQ(change.sentences.size(), 2U);
  EXPECT_EQ(change.sentences[0],
            "A tile in the steady state: 128 cycles, then 96: 32 fewer (-25.0 %).");
  EXPECT_EQ(change.sentences[1],
            "Bottleneck: front end (128 of 128 cycles), then front end (96 of 96 cycles).");
}

/// Of a run in time: so many tiles, in each of which the Matrix Unit and T0 work so long.
TileTime run_of(std::string program, std::uint64_t tiles, std::uint64_t cycles,
                std::uint64_t matrix, std::uint64_t issuing) {
  TileTime time{.arch = Arch::Blackhole, .program = std::move(program), .tiles = tiles};
  time.run.cycles = tiles * cycles;
  time.run.units.matrix = tiles * matrix;
  time.run.thread[0].issuing = tiles * issuing;
  time.run.thread[0].waited[static_cast<unsigned>(clock::Why::Banks)] = tiles * (cycles - issuing);
  return time;
}

double figure_of(const Change& change, std::size_t group, std::string_view part, bool is_after) {
  for (const ChangeRow& row : change.groups.at(group).rows)
    if (row.part == part) return is_after ? row.after : row.before;
  ADD_FAILURE() << part;
  return -1;
}

TEST(TileTimeChange, IsPerTileAndNamesWhatBoundsIt) {
  const Change change =
      tile_time_change(run_of("a.tt", 2, 100, 80, 60), run_of("b.tt", 3, 70, 50, 60));
  EXPECT_EQ(change.before, "a.tt");
  EXPECT_EQ(change.after, "b.tt");
  EXPECT_EQ(figure_of(change, 0, "cycles per tile", false), 100);
  EXPECT_EQ(figure_of(change, 0, "cycles per tile", true), 70);
  EXPECT_EQ(figure_of(change, 0, "the whole run", true), 210);
  EXPECT_EQ(figure_of(change, 1, "Matrix Unit", false), 80);
  EXPECT_EQ(figure_of(change, 1, "Matrix Unit", true), 50);
  EXPECT_EQ(figure_of(change, 1, "issue of T0", true), 60);
  EXPECT_EQ(figure_of(change, 2, "T0 unpack: a bank of SrcA or SrcB", false), 40);
  EXPECT_EQ(figure_of(change, 2, "T0 unpack: a bank of SrcA or SrcB", true), 10);
  EXPECT_EQ(change.sentences,
            (std::vector<std::string>{
                "A tile: 100 cycles, then 70: 30 fewer (-30.0 %).",
                "Bounded by Matrix Unit (80.0 of 100.0 cycles), then by issue of T0 (60.0 of 70.0 "
                "cycles)."}));
}

} // namespace
} // namespace lanewise::report
