// The timeline in text: rows, letters, ranges, and the table below.
#include "report/time/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/source_line.h"
#include "report/time/figures.h"
#include "report/time/timeline.h"
#include "report/time_fixture.h"

namespace lanewise {
namespace {

using report::TimeView;
using test::timed;

constexpr report::CycleRange kEverything{0, ~std::uint64_t{0}};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(TimeText, StoreWaitsInsideWhileTheCounterGoesOn) { // T4, T2
  const std::string text =
      time_text(timed(Arch::Blackhole, test::kTanhRow), TimeView::Timeline, kEverything);
  EXPECT_TRUE(contains(text, "SFPLOAD L3, 0, 3, 0      L")) << text;
  EXPECT_TRUE(contains(text, "SFPLUT L3, 4             .Mm")) << text;
  EXPECT_TRUE(contains(text, "SFPSTORE L3, 0, 3, 0     . =W")) << text;
  EXPECT_TRUE(contains(text, "INCRWC 0, 0, 0, 2, 0, 0  .  o")) << text;
  EXPECT_TRUE(contains(text, "hidden: waits for a two-cycle result")) << text;
  EXPECT_TRUE(contains(text, "k = 4.000 cycles per row of 32 lanes = 4.000 slots + 0.000 stalls"));
  EXPECT_TRUE(contains(text, "  T4: "));
}

// T5: one word of six cycles instead of one, in each of 32 rows of a tile.
TEST(TimeText, ComputedWordsHaveTheirOwnSentence) {
  const std::string_view row =
      "SFPLOAD L3, SRCB, 3, 0\nSFPLOADI L2, 0, 7\nSFPSTORE L3, SRCB, 3, 0\n"
      "INCRWC DstInc=2\n";
  EXPECT_FALSE(contains(time_text(timed(Arch::Blackhole, row), TimeView::Timeline, kEverything),
                        "variables"));
  const auto text_of = [&](Arch arch) {
    return time_text(test::timed(arch, row, {1}), TimeView::Timeline, kEverything);
  };
  const std::string sentence =
      "1 word has fields that are variables: 288 cycles a tile if the core computes it, at about "
      "6 cycles each (T5).";
  EXPECT_TRUE(contains(text_of(Arch::Blackhole), sentence)) << text_of(Arch::Blackhole);
  EXPECT_TRUE(contains(text_of(Arch::Blackhole), "128 cycles"));
}

TEST(TimeText, SwapsHoldTheUnit) { // T3; T4: a stalled one waits inside
  const std::string text =
      time_text(timed(Arch::Blackhole, test::kSwaps), TimeView::Timeline, kEverything);
  EXPECT_TRUE(contains(text, "SFPSWAP L0, L1, 0  Ss")) << text;
  EXPECT_TRUE(contains(text, "SFPSWAP L2, L3, 0  .=Ss")) << text;
  EXPECT_TRUE(contains(text, "SFPSWAP L4, L5, 0  . -=S")) << text;
  EXPECT_TRUE(contains(text, "No row is stored"));
}

TEST(TimeText, SwapsHoldTheThreadOnWormhole) { // T4
  const std::string text =
      time_text(timed(Arch::Wormhole, test::kSwaps), TimeView::Timeline, kEverything);
  EXPECT_TRUE(contains(text, "SFPSWAP L2, L3, 0  .-Ss")) << text;
  EXPECT_TRUE(contains(text, "SFPSWAP L4, L5, 0  .  -S")) << text;
}

TEST(TimeText, ScheduledOnesStandBelowTheirMacro) { // VU 5.5, C55
  const report::TimeReport macro = timed(Arch::Blackhole, test::kMacro);
  const std::string text = time_text(macro, TimeView::Timeline, kEverything);
  const std::size_t load = text.find("SFPLOADMACRO 0, 1, 0, 3, 0, 0");
  const std::size_t abs = text.find("  > SFPABS L1 <- L1");
  const std::size_t store = text.find("  > SFPSTORE Dst 0 <- L1");
  ASSERT_NE(store, std::string::npos) << text;
  EXPECT_LT(load, abs);
  EXPECT_LT(abs, store);
  const std::string units = time_text(macro, TimeView::Units, {5, 8});
  EXPECT_TRUE(contains(units, "| LOADMACRO L1 |")) << units;
  EXPECT_TRUE(contains(units, "| >ABS L1 |")) << units;
  EXPECT_TRUE(contains(units, "| >STORE 0 |")) << units;
}

TEST(TimeText, RangesCutTheTimeline) {
  const report::TimeReport swaps = timed(Arch::Blackhole, test::kSwaps);
  const std::string text = time_text(swaps, TimeView::Timeline, {1, 2});
  EXPECT_TRUE(contains(text, "cycles 1 to 1 of 4")) << text;
  EXPECT_TRUE(contains(text, "SFPSWAP L2, L3, 0  =\n")) << text;
  EXPECT_FALSE(contains(text, "SFPSWAP L4, L5, 0"));
  EXPECT_TRUE(contains(text, "busy cycles")); // the table is about everything
  EXPECT_FALSE(contains(time_text(swaps, TimeView::None, kEverything), "SFPSWAP L0"));
  EXPECT_FALSE(contains(time_text(swaps, TimeView::Timeline, {100, 200}), "SFPSWAP L0"));
}

TEST(TimeText, EveryInstructionHasItsRowInALongProgram) {
  std::string source;
  for (unsigned i = 0; i < 300; ++i) source += "SFPMOV L0, L1, 0\n";
  const report::TimeReport moves = timed(Arch::Blackhole, source);
  EXPECT_EQ(timeline_rows(moves, {0, 300}).size(), 300U);
  EXPECT_EQ(timeline_rows(moves, {100, 164}).size(), 64U);
  EXPECT_EQ(timeline_rows(moves, {100, 164}).front().issue, 100U);
}

TEST(TimeText, LinesOfOtherFilesAreNamed) {
  report::TimeReport macro = timed(Arch::Blackhole, test::kTanhRow);
  macro.prepared.ops[2].line = line_number({"folder/other.h", 7});
  const std::string text = time_text(macro, TimeView::Timeline, kEverything);
  EXPECT_TRUE(contains(text, "       1  SFPLOAD")) << text;
  EXPECT_TRUE(contains(text, "\n other.h:7  SFPSTORE") || contains(text, "\nother.h:7  SFPSTORE"))
      << text;
}

TEST(TimeText, WhatCannotBeTimedHasNoFigures) {
  report::TimeReport report = timed(Arch::Blackhole, test::kTanhRow);
  report.untimed = "not timed: a reason";
  EXPECT_EQ(time_text(report, TimeView::Timeline, kEverything),
            "bh: test.tt: not timed: a reason\n");
}

TEST(TimeText, AnEmptyProgramHasATableOfZeros) {
  const std::string text = time_text(timed(Arch::Blackhole, ""), TimeView::Timeline, kEverything);
  EXPECT_TRUE(contains(text, "The program: 0 cycles")) << text;
}

// T4: the second SFPSWAP waits inside, which keeps the third out.
TEST(TimeText, StallsStandWithTheLineThatWaits) {
  const std::string row = fmt::format("  2: {}", stall_cause_name(timing::StallCause::TwoCycles));
  const std::string text =
      time_text(timed(Arch::Blackhole, test::kSwaps), TimeView::None, kEverything);
  EXPECT_NE(text.find("stalls by source line"), std::string::npos);
  EXPECT_NE(text.find(row), std::string::npos) << text;
  const std::string silent =
      time_text(timed(Arch::Blackhole, "SFPMOV L0, L1, 0\n"), TimeView::None, kEverything);
  EXPECT_EQ(silent.find("stalls by source line"), std::string::npos);
}

TEST(TimeText, ManyLinesThatStallAreNotAllNamed) {
  std::string source;
  for (unsigned i = 0; i < 20; ++i) source += "SFPSWAP L0, L1, 0\nSFPSWAP L2, L3, 0\n";
  const report::TimeReport report = timed(Arch::Wormhole, source);
  const std::string text = time_text(report, TimeView::None, kEverything);
  const std::size_t hidden = report::stalled_lines(report).size() - 8;
  EXPECT_NE(text.find(fmt::format("and {} more", hidden)), std::string::npos) << text;
}

} // namespace
} // namespace lanewise
